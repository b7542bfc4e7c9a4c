/**
 * The operation `pan-eligibility/send`: requests from the acquirer whether a card can send money. It creates an order
 * of amount 0 in the first currency of its endpoint, without the cardholder. Status `approved` means that the card can
 * send money.
 */

import * as CardRules from "@pay/schema/Card"
import * as PayApi from "@pay/schema/PayApi"
import { Clock, Effect, Redacted } from "effect"
import { refuse } from "../kernel/Answer.ts"
import * as CardFacts from "../kernel/CardFacts.ts"
import { Store } from "../kernel/Store.ts"
import type { Call, Handler } from "../merchants/Call.ts"
import type { Endpoint } from "../merchants/Directory.ts"
import { placeOf } from "../merchants/EndpointRules.ts"
import * as Acquirers from "../orders/bank/Acquirers.ts"
import * as Register from "../orders/decide/Register.ts"
import * as Payment from "../orders/record/Payment.ts"
import * as CardIdentity from "../orders/requests/CardIdentity.ts"
import * as CardOrder from "../orders/requests/CardOrder.ts"
import * as Creation from "../orders/requests/Creation.ts"
import { KeyVault } from "../vault/KeyVault.ts"
import * as StoredCard from "./StoredCard.ts"

const operation = PayApi.operations.PAN_ELIGIBILITY_SEND

/** Stored in an order if the request has no expiry date. */
const noExpiry = { month: 0, year: 0 }

export const make = Effect.gen(function* () {
  const store = yield* Store
  const vault = yield* KeyVault
  const acquirerOf = yield* Acquirers.lookup
  const creation = yield* Creation.make(operation)
  const register = yield* CardOrder.make(creation)

  const cardOfRequest = (call: Call, pan: Redacted.Redacted<string>, expiry: CardIdentity.Identity["expiry"]) => ({
    pan,
    panHash: CardIdentity.hash(vault, call.merchant.login, { pan, expiry }),
    ...CardFacts.of(Redacted.value(pan)),
    expiry
  })

  const stored = Effect.fnUntraced(function* (call: Call, cardRefId: string) {
    const card = yield* StoredCard.byReference(store, vault, call.merchant.login, cardRefId)
    return card === undefined ? undefined : { ...card, expiry: { month: card.expireMonth, year: card.expireYear } }
  })

  const perform = Effect.fnUntraced(function* (call: Call, endpoints: ReadonlyArray<Endpoint>) {
    const { clientOrderId, request } = yield* creation.open(operation, call)
    const selection = placeOf(endpoints, undefined)
    const place = selection && Register.placeOf(selection.endpoint, selection.currency)
    if (selection === undefined || place === undefined || !acquirerOf(place).capabilities.eligibility)
      return yield* refuse("operationNotEnabled", { clientOrderId })
    const { "sending-card-number": number, "sending-card-ref-id": reference = "" } = request
    const { expire_month: month, expire_year: year } = request
    const expiry = month === undefined || year === undefined ? undefined : { month, year }
    const card = number === undefined ? yield* stored(call, reference) : cardOfRequest(call, number, expiry)
    if (card === undefined) return yield* refuse("cardNotFound", { field: "sending-card-ref-id", clientOrderId })
    if (card.expiry !== undefined && CardRules.isExpired(card.expiry, yield* Clock.currentTimeMillis)) {
      const field = number === undefined ? "sending-card-ref-id" : "expire_year"
      return yield* refuse("cardExpired", { field, clientOrderId })
    }
    const { currency, endpoint } = selection
    const { bin, cardType, lastFour, pan, panHash } = card
    const expiryDate = card.expiry ?? noExpiry
    return yield* register(call, {
      kind: "eligibility",
      initiator: "merchant",
      endpoint,
      payment: Payment.of(request, {
        ...Payment.dialectOf(call),
        amountMinor: 0,
        currency,
        bin,
        lastFour,
        cardType,
        cardholder: request["card-printed-name"] ?? "",
        expireMonth: expiryDate.month,
        expireYear: expiryDate.year
      }),
      pan,
      panHash,
      cvv: undefined,
      country: undefined,
      threeds: undefined
    })
  })

  const handler: Handler = { operation, replay: creation.replay, perform, reads: false }
  return handler
})
