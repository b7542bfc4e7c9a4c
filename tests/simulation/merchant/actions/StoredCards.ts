/** Cards that are stored at the gateway, and charges without the cardholder. */
import { KeepCard, Rebill, Tokenize } from "@pay/flows/StoredCard"
import { Redacted } from "effect"
import {
  type ActionKind,
  type CreatedOrder,
  callbackUrl,
  intent,
  major,
  operations,
  orderResult,
  resultOf,
  sample,
  someOrder
} from "../MerchantAction.ts"
import { fieldsOf, priceOf } from "../Price.ts"
import { someCard } from "./Cards.ts"

const { login: _, ...rebillFields } = sample(operations.REBILL)

/** The expiry of the sandbox's own cards. */
const expiry = { expireMonth: 12, expireYear: 2030 }

/** Kinds of orders whose card can be stored. */
const byCard: ReadonlySet<CreatedOrder["kind"]> = new Set([
  "sale",
  "preauth",
  "verification",
  "subscription",
  "transfer"
])

export const isStoredCard = ({ kind }: CreatedOrder): boolean => kind === "card"

/** `KeepCard` needs no order. */
export const cardsWithoutOrder: ReadonlyArray<ActionKind> = [
  {
    flow: KeepCard.name,
    weight: 3,
    draw: (draw) => {
      const { chance, clientOrderId } = draw
      const card = someCard(chance)
      const payload = { clientOrderId, creditCardNumber: Redacted.make(card), ...expiry }
      return {
        flow: KeepCard.name,
        intent: intent(draw, clientOrderId, clientOrderId, "nothing", 0),
        creates: "card",
        card,
        run: (execute) =>
          resultOf(execute(KeepCard, payload), ({ cardRefId }) => ({
            orderId: cardRefId,
            created: { cardRef: cardRefId }
          }))
      }
    }
  }
]

export const storedCards: ReadonlyArray<ActionKind> = [
  {
    flow: Tokenize.name,
    weight: 6,
    draw: (draw) => {
      const order = someOrder(draw, ({ kind }) => byCard.has(kind))
      if (order === undefined) return undefined
      const { card, clientOrderId, endpoint, orderId } = order
      return {
        flow: Tokenize.name,
        intent: intent(draw, `${clientOrderId}/tokenize`, clientOrderId, "nothing", 0, order),
        endpoint,
        creates: "card",
        card,
        run: (execute) =>
          resultOf(execute(Tokenize, { clientOrderId, orderId }), ({ cardRefId }) => ({
            orderId,
            created: { cardRef: cardRefId }
          }))
      }
    }
  },
  {
    flow: Rebill.name,
    weight: 6,
    draw: (draw) => {
      const storedCard = someOrder(draw, isStoredCard)
      if (storedCard?.cardRef === undefined) return undefined
      const { account, chance, clientOrderId } = draw
      const price = priceOf(draw)
      const { amountMinor, currency } = price
      const smaller = [2, 5, 40].map((part) => Math.floor(amountMinor / part)).filter((part) => part > 0)
      const othersMinor = amountMinor > 1 && chance.percent(60) ? smaller : []
      const payload = {
        ...rebillFields,
        ...fieldsOf(price),
        ...(othersMinor.length === 0
          ? {}
          : { enumerateAmounts: othersMinor.map((each) => major(each, currency)).join(",") }),
        clientOrderId,
        cardRefId: storedCard.cardRef,
        serverCallbackUrl: callbackUrl(account)
      }
      return {
        flow: Rebill.name,
        intent: intent(draw, clientOrderId, clientOrderId, "authorize", amountMinor, { currency, othersMinor }),
        endpoint: price.endpoint,
        isMerchantInitiated: true,
        creates: "sale",
        card: storedCard.card,
        run: (execute) => orderResult(execute(Rebill, payload))
      }
    }
  }
]
