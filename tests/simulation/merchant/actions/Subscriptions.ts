/** Recurring payments: created, charged outside their schedule, changed, paused and cancelled. */

import type { Chance } from "@pay/crashtest/Chance"
import { ChangeSubscription, ChargeSubscription, Subscribe } from "@pay/flows/Subscription"
import { Redacted } from "effect"
import {
  type ActionKind,
  type CreatedOrder,
  callbackUrl,
  type DrawContext,
  intent,
  operations,
  orderResult,
  resultOf,
  sample,
  someOrder
} from "../MerchantAction.ts"
import { amountOf, fieldsOf, priceOf } from "../Price.ts"
import { cvv, someCard } from "./Cards.ts"
import { isStoredCard } from "./StoredCards.ts"

const { creditCardNumber: _, expireMonth: __, expireYear: ___, ...subscribeFields } = sample(operations.CREATE_RP_V4)
const expiry = { expireMonth: 12, expireYear: 2030 }

/** Draws a schedule. Daily ones have a limited number of occurrences. */
const schedule = (chance: Chance) =>
  chance.oneOf<() => Pick<typeof Subscribe.payload.Type, "period" | "interval" | "occurrences" | "finishDate">>([
    () => ({ period: "daily", interval: 1 + chance.below(3), occurrences: 2 + chance.below(6) }),
    () => ({ period: "weekly", interval: 1 }),
    () => ({ period: "monthly", interval: 1, finishDate: "2027-01-31" })
  ])()

/** Draws a start: today, or a later day, for which the card is verified now. */
const start = (chance: Chance) =>
  chance.percent(70) ? {} : { startDate: `2026-12-${String(1 + chance.below(31)).padStart(2, "0")}` }

/** Draws a new card or a stored one. */
const payer = (draw: DrawContext) => {
  const { chance } = draw
  const storedCard = chance.percent(30) ? someOrder(draw, isStoredCard) : undefined
  if (storedCard?.cardRef !== undefined) return { card: storedCard.card, fields: { cardRefId: storedCard.cardRef } }
  const card = someCard(chance)
  return { card, fields: { ...expiry, creditCardNumber: Redacted.make(card), cvv2: cvv(chance) } }
}

const someSubscription = (draw: DrawContext): (CreatedOrder & { readonly subscription: string }) | undefined => {
  const order = someOrder(draw, ({ kind }) => kind === "subscription")
  return order?.subscription === undefined ? undefined : { ...order, subscription: order.subscription }
}

type Change = Omit<typeof ChangeSubscription.payload.Type, "name" | "recurringPaymentId">

/** Draws a change, with the new amount if the amount changes. */
const changeOf = (
  draw: DrawContext,
  { currency = "USD" }: CreatedOrder
): { readonly change: Change; readonly amountMinor?: number } => {
  const { chance } = draw
  const amountMinor = amountOf(chance)
  const cardRefId = someOrder(draw, isStoredCard)?.cardRef
  const card = { ...expiry, creditCardNumber: Redacted.make(someCard(chance)) }
  switch (chance.below(8)) {
    case 0:
    case 1:
      return { change: { change: "pause" } }
    case 2:
    case 3:
      return { change: { change: "resume" } }
    case 4:
      return { change: { change: "cancel" } }
    case 5:
    case 6:
      return { change: { change: "amount", ...fieldsOf({ amountMinor, currency }) }, amountMinor }
    default:
      return { change: { change: "card", ...(cardRefId === undefined || chance.percent(50) ? card : { cardRefId }) } }
  }
}

export const subscriptions: ReadonlyArray<ActionKind> = [
  {
    flow: Subscribe.name,
    weight: 5,
    draw: (draw) => {
      const { account, chance, clientOrderId } = draw
      const price = priceOf(draw)
      const { amountMinor, currency, endpoint } = price
      const { card, fields } = payer(draw)
      const begins = start(chance)
      const payload = {
        ...subscribeFields,
        ...schedule(chance),
        ...begins,
        ...fields,
        ...fieldsOf(price),
        clientOrderId,
        serverCallbackUrl: callbackUrl(account)
      }
      const othersMinor = begins.startDate === undefined ? [] : [0]
      return {
        flow: Subscribe.name,
        intent: intent(draw, clientOrderId, clientOrderId, "authorize", amountMinor, { currency, othersMinor }),
        endpoint,
        isMerchantInitiated: "cardRefId" in fields,
        creates: "subscription",
        card,
        run: (execute) =>
          resultOf(execute(Subscribe, payload), ({ order, recurringPaymentId: subscription }) => ({
            orderId: order.orderId,
            created: { subscription }
          }))
      }
    }
  }
]

export const subscriptionFollowUps: ReadonlyArray<ActionKind> = [
  {
    flow: ChargeSubscription.name,
    weight: 4,
    draw: (draw) => {
      const order = someSubscription(draw)
      if (order === undefined) return undefined
      const { card, currency = "USD", endpoint, subscription } = order
      const { account, chance, clientOrderId } = draw
      const amountMinor = chance.percent(50) ? amountOf(chance) : undefined
      const payload = {
        clientOrderId,
        recurringPaymentId: subscription,
        ...(amountMinor === undefined ? {} : fieldsOf({ amountMinor, currency })),
        serverCallbackUrl: callbackUrl(account)
      }
      return {
        flow: ChargeSubscription.name,
        intent: intent(draw, clientOrderId, clientOrderId, "authorize", amountMinor, order),
        endpoint,
        isMerchantInitiated: true,
        creates: "sale",
        card,
        run: (execute) => orderResult(execute(ChargeSubscription, payload))
      }
    }
  },
  {
    flow: ChangeSubscription.name,
    weight: 8,
    draw: (draw) => {
      const order = someSubscription(draw)
      if (order === undefined) return undefined
      const { name } = draw
      const { endpoint, subscription } = order
      const { amountMinor, change } = changeOf(draw, order)
      const payload = { ...change, recurringPaymentId: subscription, name }
      return {
        flow: ChangeSubscription.name,
        intent: intent(draw, `${subscription}/${name}`, subscription, "nothing", amountMinor, order),
        endpoint,
        change: change.change ?? "none",
        run: (execute) => resultOf(execute(ChangeSubscription, payload), () => ({ orderId: undefined }))
      }
    }
  }
]
