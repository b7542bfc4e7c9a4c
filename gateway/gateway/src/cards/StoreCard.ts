/**
 * `create-card-ref`, versions 2 and 4: stores the card of an approved order, or (version 4) the card in the request, and returns
 * its reference. Equal cards of a merchant are one reference, so a repeated request has no second effect.
 */

import type { CardRefV4AsyncResponse } from "@pay/schema/CardResponse"
import type { FieldProblem } from "@pay/schema/Operation"
import * as PayApi from "@pay/schema/PayApi"
import { Clock, Effect, Redacted, Result } from "effect"
import { ok, refuseFields } from "../kernel/Answer.ts"
import * as CardFacts from "../kernel/CardFacts.ts"
import * as Change from "../kernel/Change.ts"
import * as Decision from "../kernel/Decision.ts"
import { Ids } from "../kernel/Ids.ts"
import { KeyedLock } from "../kernel/KeyedLock.ts"
import * as SerialNumber from "../kernel/SerialNumber.ts"
import { Store } from "../kernel/Store.ts"
import { type Call, clientOrderIdOf, type Handler, settled, withNonce } from "../merchants/Call.ts"
import * as StoredCredential from "../orders/record/StoredCredential.ts"
import { OrderNumbers } from "../orders/requests/OrderNumbers.ts"
import { KeyVault } from "../vault/KeyVault.ts"
import * as CardInput from "./CardInput.ts"
import { CardRef } from "./decide/CardRef.ts"

/** Fields of version 4 for the card as payer and as receiver of a transfer. All three fields contain the same number. */
const asTransferPart = ({ cardRefId }: CardRef) => ({
  "recurring-payment-id": cardRefId,
  "dst-recurring-payment-id": cardRefId
})

/** Returns the change of a card that is already stored. Usually there is none, so requests about the card do not conflict. */
const revived = (stored: CardRef, input: CardInput.CardInput): Change.Change => {
  const cardholderInitiated = Math.max(stored.cardholderInitiated, input.cardholderInitiated)
  const schemeReference =
    stored.schemeReference ?? (input.order === undefined ? null : StoredCredential.referenceOf(input.order))
  return stored.removedAtMs === null &&
    stored.cardholderInitiated === cardholderInitiated &&
    stored.schemeReference === schemeReference
    ? Change.none
    : Change.update(CardRef, stored, { cardholderInitiated, schemeReference, removedAtMs: null })
}

export const make = Effect.fnUntraced(function* (name: "CARDREF" | "CARDREF_V4") {
  const store = yield* Store
  const vault = yield* KeyVault
  const ids = yield* Ids
  const numbers = yield* OrderNumbers
  const locks = yield* KeyedLock
  const operation = PayApi.operations[name]
  const { ofOrder, ofRequest } = yield* CardInput.make(operation)

  const rowOf = Effect.fnUntraced(function* (input: CardInput.CardInput, merchantId: string, nowMs: number) {
    const { cardholder, cardholderInitiated, expireMonth, expireYear, order, pan, panHash } = input
    const cardRefId = yield* numbers.next(merchantId)
    const number = Redacted.value(pan)
    const row: CardRef = {
      cardRefId,
      version: 1,
      merchantId,
      encryptedPan: vault.encrypt(pan, cardRefId),
      panHash,
      ...CardFacts.of(number),
      cardholder,
      expireMonth,
      expireYear,
      orderId: order?.orderId ?? null,
      schemeReference: order === undefined ? null : StoredCredential.referenceOf(order),
      cardholderInitiated,
      createdAtMs: nowMs,
      removedAtMs: null
    }
    return row
  })

  const keep = Effect.fnUntraced(function* (call: Call, input: CardInput.CardInput) {
    const { login } = call.merchant
    const unique = [login, input.panHash]
    const stored = yield* store.load(CardRef, unique, "card")
    const row = stored ?? (yield* rowOf(input, login, yield* Clock.currentTimeMillis))
    const change =
      stored === undefined
        ? { guards: [Decision.absent(CardRef, "card", unique)], writes: [Decision.put(CardRef, row)] }
        : revived(stored, input)
    const decision = withNonce(change, call)
    if (decision.writes.length > 0) yield* store.commit(decision)
    const body: CardRefV4AsyncResponse = {
      type: "create-card-ref-response",
      "serial-number": SerialNumber.first(ids.next()),
      status: "approved",
      "card-ref-id": row.cardRefId,
      "unq-card-ref-id": row.cardRefId,
      ...(name === "CARDREF" ? {} : asTransferPart(row)),
      ...(input.order === undefined
        ? { "merchant-order-id": clientOrderIdOf(call.fields) ?? "" }
        : {
            "merchant-order-id": input.order.clientOrderId,
            "paynet-order-id": input.order.orderId,
            "end-point-id": input.order.endpointId
          })
    }
    return ok(body)
  })

  const perform = Effect.fnUntraced(function* (call: Call) {
    const decoded: Result.Result<unknown, ReadonlyArray<FieldProblem>> = operation.decodeFields(call.fields)
    if (Result.isFailure(decoded)) return yield* refuseFields(decoded.failure, call.fields.client_orderid)
    const input = yield* name === "CARDREF" ? ofOrder(call) : ofRequest(call)
    return yield* settled(locks(`${call.merchant.login} ${input.panHash}`), keep(call, input))
  })

  const handler: Handler = { operation, replay: () => Effect.succeed(undefined), perform, reads: false }
  return handler
})
