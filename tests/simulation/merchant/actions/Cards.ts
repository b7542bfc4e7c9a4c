/** Card payments without a page: sale, authorization and verification. */

import type { Chance } from "@pay/crashtest/Chance"
import { Authorization, CardSale, VerifyAccount } from "@pay/flows/CardPayment"
import { Redacted } from "effect"
import * as TestCvv from "../../../../gateway/sandbox/src/TestCvv.ts"
import {
  type ActionKind,
  callbackUrl,
  type DrawContext,
  intent,
  operations,
  orderResult,
  sample
} from "../MerchantAction.ts"
import { fieldsOf, priceOf } from "../Price.ts"

const saleFields = sample(operations.SALE)
const preauthFields = sample(operations.PREAUTH)
const verificationFields = sample(operations.ACCOUNT_VERIFICATION)

/** Draws a security code: in most cases one that is approved. */
export const cvv = (chance: Chance) =>
  Redacted.make(
    chance.percent(80)
      ? "123"
      : chance.oneOf(["116", "119", "209", "101", "217", ...TestCvv.rows.map((row) => row.cvv)])
  )

/** Draws an ordinary card, one with little money, or one that cannot send money. */
export const someCard = (chance: Chance): string =>
  chance.percent(80) ? "4444555566661111" : chance.oneOf(["4444011300000000", "4444016000000002"])

/** Returns the fields of every card order. */
export const cardOrder = ({ account, chance, clientOrderId }: DrawContext) => {
  const card = someCard(chance)
  return {
    card,
    fields: {
      clientOrderId,
      serverCallbackUrl: callbackUrl(account),
      creditCardNumber: Redacted.make(card),
      cvv2: cvv(chance)
    }
  }
}

export const cards: ReadonlyArray<ActionKind> = [
  {
    flow: CardSale.name,
    weight: 10,
    draw: (draw) => {
      const { clientOrderId } = draw
      const price = priceOf(draw)
      const { card, fields } = cardOrder(draw)
      const payload = { ...saleFields, ...fields, ...fieldsOf(price) }
      return {
        flow: CardSale.name,
        intent: intent(draw, clientOrderId, clientOrderId, "authorize", price.amountMinor, price),
        endpoint: price.endpoint,
        creates: "sale",
        card,
        run: (execute) => orderResult(execute(CardSale, payload))
      }
    }
  },
  {
    flow: Authorization.name,
    weight: 10,
    draw: (draw) => {
      const { clientOrderId } = draw
      const price = priceOf(draw)
      const { card, fields } = cardOrder(draw)
      const payload = { ...preauthFields, ...fields, ...fieldsOf(price) }
      return {
        flow: Authorization.name,
        intent: intent(draw, clientOrderId, clientOrderId, "authorize", price.amountMinor, price),
        endpoint: price.endpoint,
        creates: "preauth",
        card,
        run: (execute) => orderResult(execute(Authorization, payload))
      }
    }
  },
  {
    flow: VerifyAccount.name,
    weight: 5,
    draw: (draw) => {
      const { clientOrderId } = draw
      const { card, fields } = cardOrder(draw)
      const payload = { ...verificationFields, ...fields }
      return {
        flow: VerifyAccount.name,
        intent: intent(draw, clientOrderId, clientOrderId, "authorize", 0),
        creates: "verification",
        card,
        run: (execute) => orderResult(execute(VerifyAccount, payload))
      }
    }
  }
]
