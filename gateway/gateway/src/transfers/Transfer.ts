/**
 * The operations `transfer` and `transfer-by-ref`: a card pays a card, in one movement at the bank, or the merchant's balance
 * pays a card, as a payout. For a payer's card in the request the 3-D Secure of the endpoint applies, as for a sale. A stored
 * card is charged without its holder, so only if its holder has paid with it before (docs/assumptions.md#who-runs-3-d-secure).
 */

import * as CardRules from "@pay/schema/Card"
import * as Money from "@pay/schema/Money"
import * as PayApi from "@pay/schema/PayApi"
import { Clock, Effect, Option, Redacted, Result } from "effect"
import { refuse, refuseFields } from "../kernel/Answer.ts"
import * as CardFacts from "../kernel/CardFacts.ts"
import { Store } from "../kernel/Store.ts"
import { type Call, clientOrderIdOf, type Handler } from "../merchants/Call.ts"
import type { Endpoint } from "../merchants/Directory.ts"
import * as CustomerAddress from "../network/CustomerAddress.ts"
import { Acquirer } from "../orders/bank/Acquirer.ts"
import { AuthenticationGate, redirectFlaw } from "../orders/bank/AuthenticationGate.ts"
import { Order } from "../orders/record/Order.ts"
import * as Payment from "../orders/record/Payment.ts"
import * as CardIdentity from "../orders/requests/CardIdentity.ts"
import * as CardOrder from "../orders/requests/CardOrder.ts"
import * as Creation from "../orders/requests/Creation.ts"
import * as PayoutOrder from "../payouts/PayoutOrder.ts"
import { PayoutRail } from "../payouts/PayoutRail.ts"
import * as Destination from "../recipients/Destination.ts"
import * as BrowserFacts from "../threeds/decide/BrowserFacts.ts"
import { KeyVault } from "../vault/KeyVault.ts"
import * as StoredCard from "./StoredCard.ts"
import * as TransferRequest from "./TransferRequest.ts"

type Refuse = (
  error: Parameters<typeof refuse>[0],
  field: string,
  message?: string
) => Effect.Effect<never, ReturnType<typeof refuse>>

export const make = Effect.fnUntraced(function* (name: keyof typeof TransferRequest.readers) {
  const store = yield* Store
  const vault = yield* KeyVault
  const acquirer = yield* Acquirer
  const { plan } = yield* AuthenticationGate
  const operation = PayApi.operations[name]
  const creation = yield* Creation.make(operation)
  const register = yield* CardOrder.make(creation)
  const payOut = yield* PayoutOrder.make(creation)
  const rail = yield* Effect.serviceOption(PayoutRail)
  /** Whether the merchant's balance can pay a card. */
  const deposits = Option.exists(rail, ({ capabilities }) => capabilities.destinations.has("card"))

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
      pan,
      panHash,
      cvv: payer.cvv,
      ...{ bin, cardType, cardholder, expireMonth, expireYear, lastFour },
      email: source?.email ?? "",
      phone: source?.phone ?? null
    }
  })

  const receiver = Effect.fnUntraced(function* (call: Call, recipient: TransferRequest.Recipient, refused: Refuse) {
    return recipient._tag === "Number" ? recipient.pan : (yield* stored(call, recipient, refused)).pan
  })

  const perform = Effect.fnUntraced(function* (call: Call, endpoints: ReadonlyArray<Endpoint>) {
    const decoded = TransferRequest.readers[name](call.fields)
    const clientOrderId = clientOrderIdOf(call.fields)
    if (Result.isFailure(decoded)) return yield* refuseFields(decoded.failure, clientOrderId)
    const { amount: written, named, payer, payment, recipient } = decoded.success
    const { currency } = payment
    const refused: Refuse = (error, field, message) => Effect.fail(refuse(error, { field, clientOrderId, message }))

    yield* Effect.fromResult(creation.check(named))
    if (!(payer._tag === "Balance" ? deposits : acquirer.capabilities.transfers)) {
      return yield* refuse("operationNotEnabled", { clientOrderId })
    }
    const endpoint = endpoints.find(({ currencies }) => currencies.has(currency))
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
    const { cvv, initiator, pan, panHash, ...cardFacts } = yield* payer._tag === "Present"
      ? present(call, payer, refused)
      : absent(call, payer, refused)
    return yield* register(call, {
      kind: "transfer",
      initiator,
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
