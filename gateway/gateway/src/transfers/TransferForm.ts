/**
 * The operation `transfer-form`: a transfer whose payer enters the card on the hosted page. The request may contain the card
 * that receives the money, by its number or its reference; otherwise the payer enters this card too.
 */
import * as PayApi from "@pay/schema/PayApi"
import { Effect, Result } from "effect"
import * as CreateHostedSession from "../hosted/CreateHostedSession.ts"
import { refuse, refuseFields } from "../kernel/Answer.ts"
import { Store } from "../kernel/Store.ts"
import type { Handler } from "../merchants/Call.ts"
import * as Acquirers from "../orders/bank/Acquirers.ts"
import { KeyVault } from "../vault/KeyVault.ts"
import * as StoredCard from "./StoredCard.ts"

const operation = PayApi.operations.TRANSFERFORM

export const make = Effect.gen(function* () {
  const store = yield* Store
  const vault = yield* KeyVault
  const acquirerOf = yield* Acquirers.lookup

  const receiverOf: CreateHostedSession.Receiver = Effect.fnUntraced(function* ({ dialect, fields, merchant }, place) {
    const { client_orderid: clientOrderId } = fields
    if (!acquirerOf(place).capabilities.transfers) return yield* refuse("operationNotEnabled", { clientOrderId })
    const decoded = operation.decodeFields(fields, dialect)
    if (Result.isFailure(decoded)) return yield* refuseFields(decoded.failure, clientOrderId)
    const { "destination-card-no": pan, "destination-card-ref-id": cardRefId } = decoded.success
    if (cardRefId === undefined) return pan
    const card = yield* StoredCard.byReference(store, vault, merchant.login, cardRefId)
    return card?.pan ?? (yield* refuse("cardNotFound", { field: "destination-card-ref-id", clientOrderId }))
  })

  const handler: Handler = yield* CreateHostedSession.make("TRANSFERFORM", receiverOf)
  return handler
})
