/**
 * The operations `transfer` and `transfer-by-ref`: a card pays a card, in one movement at the bank, or the merchant's balance
 * pays a card, as a payout. For a payer's card in the request the 3-D Secure of the endpoint applies, as for a sale. A stored
 * card is charged without its holder, so only if its holder has paid with it before (docs/assumptions.md#who-runs-3-d-secure).
 */

import * as Money from "@pay/schema/Money"
import * as PayApi from "@pay/schema/PayApi"
import { Effect, Option, Result } from "effect"
import { refuse, refuseFields } from "../kernel/Answer.ts"
import { type Call, clientOrderIdOf, type Handler } from "../merchants/Call.ts"
import type { Endpoint } from "../merchants/Directory.ts"
import * as CustomerAddress from "../network/CustomerAddress.ts"
import * as Acquirers from "../orders/bank/Acquirers.ts"
import { AuthenticationGate, redirectFlaw } from "../orders/bank/AuthenticationGate.ts"
import * as Register from "../orders/decide/Register.ts"
import * as Payment from "../orders/record/Payment.ts"
import * as CardOrder from "../orders/requests/CardOrder.ts"
import * as Creation from "../orders/requests/Creation.ts"
import * as PayoutOrder from "../payouts/PayoutOrder.ts"
import { PayoutRail } from "../payouts/PayoutRail.ts"
import * as Destination from "../recipients/Destination.ts"
import * as BrowserFacts from "../threeds/decide/BrowserFacts.ts"
import * as TransferCards from "./TransferCards.ts"
import * as TransferRequest from "./TransferRequest.ts"

export const make = Effect.fnUntraced(function* (name: keyof typeof TransferRequest.readers) {
  const acquirerOf = yield* Acquirers.lookup
  const { plan } = yield* AuthenticationGate
  const operation = PayApi.operations[name]
  const creation = yield* Creation.make(operation)
  const register = yield* CardOrder.make(creation)
  const { absent, present, receiver } = yield* TransferCards.make
  const payOut = yield* PayoutOrder.make(creation)
  const rail = yield* Effect.serviceOption(PayoutRail)
  /** Whether the merchant's balance can pay a card. */
  const deposits = Option.exists(rail, ({ capabilities }) => capabilities.destinations.has("card"))

  const perform = Effect.fnUntraced(function* (call: Call, endpoints: ReadonlyArray<Endpoint>) {
    const decoded = TransferRequest.readers[name](call.fields)
    const clientOrderId = clientOrderIdOf(call.fields)
    if (Result.isFailure(decoded)) return yield* refuseFields(decoded.failure, clientOrderId)
    const { amount: written, named, payer, payment, recipient } = decoded.success
    const { currency } = payment
    const refused: TransferCards.Refuse = (error, field, message) =>
      Effect.fail(refuse(error, { field, clientOrderId, message }))

    yield* Effect.fromResult(creation.check(named))
    const endpoint = endpoints.find(({ currencies }) => currencies.has(currency))
    const { transfers } = acquirerOf(endpoint === undefined ? {} : Register.placeOf(endpoint, currency)).capabilities
    if (!(payer._tag === "Balance" ? deposits : transfers))
      return yield* refuse("operationNotEnabled", { clientOrderId })
    if (endpoint === undefined) return yield* refused("currencyNotEnabled", "currency")
    const mode = payer._tag === "Present" ? plan(endpoint) : "off"
    const flaw = redirectFlaw(mode, payment.redirectUrl)
    if (flaw !== undefined) return yield* refused(flaw.error, "redirect_url", flaw.message)
    const amount = Money.toMinor(written, currency)
    if (Result.isFailure(amount)) return yield* refused(Money.errorOf(amount.failure), "amount")
    if (payer._tag === "Balance") {
      const number = yield* receiver(call, recipient, refused)
      return yield* payOut(call, {
        kind: "deposit",
        action: "pay",
        endpoint,
        destination: Destination.ofCard(number),
        purpose: null,
        fingerprint: creation.identify(call).fingerprint,
        payment: { ...payment, ...Payment.dialectOf(call), amountMinor: amount.success }
      })
    }
    const { credential, cvv, initiator, pan, panHash, ...cardFacts } = yield* payer._tag === "Present"
      ? present(call, payer, refused)
      : absent(call, payer, refused)
    return yield* register(call, {
      kind: "transfer",
      initiator,
      credential,
      endpoint,
      payment: { ...payment, ...Payment.dialectOf(call), ...cardFacts, amountMinor: amount.success },
      pan,
      panHash,
      cvv,
      country: undefined,
      threeds:
        mode === "off"
          ? undefined
          : {
              mode,
              browser: { ...BrowserFacts.none, ip: CustomerAddress.addressOf(payment.ipAddress) }
            },
      recipient: yield* receiver(call, recipient, refused)
    })
  })

  const handler: Handler = { operation, replay: creation.replay, perform, reads: false }
  return handler
})
