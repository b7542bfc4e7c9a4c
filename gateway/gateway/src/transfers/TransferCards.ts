/** The cards of a transfer: the payer's, in the request or stored, and the receiver's. */

import * as CardRules from "@pay/schema/Card"
import { Clock, Effect, Redacted } from "effect"
import type { refuse } from "../kernel/Answer.ts"
import * as CardFacts from "../kernel/CardFacts.ts"
import { Store } from "../kernel/Store.ts"
import type { Call } from "../merchants/Call.ts"
import { Order } from "../orders/record/Order.ts"
import * as StoredCredential from "../orders/record/StoredCredential.ts"
import * as CardIdentity from "../orders/requests/CardIdentity.ts"
import { KeyVault } from "../vault/KeyVault.ts"
import * as StoredCard from "./StoredCard.ts"
import type * as TransferRequest from "./TransferRequest.ts"

/** Refuses the request. */
export type Refuse = (
  error: Parameters<typeof refuse>[0],
  field: string,
  message?: string
) => Effect.Effect<never, ReturnType<typeof refuse>>

export const make = Effect.gen(function* () {
  const store = yield* Store
  const vault = yield* KeyVault

  const stored = Effect.fnUntraced(function* (call: Call, { by, field, id }: TransferRequest.Stored, refused: Refuse) {
    const card = yield* StoredCard[by](store, vault, call.merchant.login, id)
    return card ?? (yield* refused(by === "byRecurring" ? "subscriptionNotFound" : "cardNotFound", field))
  })

  /** Returns the payer's card from the request, with its holder present. */
  const present = Effect.fnUntraced(function* (
    call: Call,
    { cardholder, cvv, month, pan, year }: TransferRequest.Present,
    refused: Refuse
  ) {
    const expiry = { month, year }
    if (CardRules.isExpired(expiry, yield* Clock.currentTimeMillis)) return yield* refused("cardExpired", "expire_year")
    return {
      initiator: "cardholder" as const,
      credential: undefined,
      pan,
      panHash: CardIdentity.hash(vault, call.merchant.login, { pan, expiry }),
      cvv,
      ...CardFacts.of(Redacted.value(pan)),
      cardholder,
      expireMonth: month,
      expireYear: year,
      email: "",
      phone: null
    }
  })

  /** Returns a stored card of the payer, which is charged without its holder. */
  const absent = Effect.fnUntraced(function* (call: Call, payer: TransferRequest.StoredPayer, refused: Refuse) {
    const card = yield* stored(call, payer, refused)
    if (card.notChargeable !== undefined) return yield* refused("orderState", payer.field, card.notChargeable)
    const { bin, cardType, cardholder, expireMonth, expireYear, lastFour, pan, panHash } = card
    if (CardRules.isExpired({ month: expireMonth, year: expireYear }, yield* Clock.currentTimeMillis)) {
      return yield* refused("cardExpired", payer.field)
    }
    const source = card.orderId === null ? undefined : yield* store.load(Order, [card.orderId])
    return {
      initiator: "merchant" as const,
      credential: StoredCredential.of({ ...card, use: "use", series: "unscheduled" }),
      pan,
      panHash,
      cvv: payer.cvv,
      ...{ bin, cardType, cardholder, expireMonth, expireYear, lastFour },
      email: source?.email ?? "",
      phone: source?.phone ?? null,
      billing: source?.billing ?? null
    }
  })

  /** Returns the number of the card that receives the money. */
  const receiver = Effect.fnUntraced(function* (call: Call, recipient: TransferRequest.Recipient, refused: Refuse) {
    return recipient._tag === "Number" ? recipient.pan : (yield* stored(call, recipient, refused)).pan
  })

  return { absent, present, receiver }
})
