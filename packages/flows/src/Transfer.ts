/** Transfers from a card, or from the merchant's balance, to a card. */
import type { Operation } from "@pay/schema/Operation"
import * as PayApi from "@pay/schema/PayApi"
import { Effect, Schema } from "effect"
import { CustomerError, endpoint } from "./CardPayment.ts"
import { ChargeError, charge, clientOrderIdOf } from "./Charge.ts"
import { completeAuthentication } from "./CompleteAuthentication.ts"
import * as Creation from "./Creation.ts"
import * as Ending from "./Ending.ts"
import type * as Evidence from "./Evidence.ts"
import * as FieldNames from "./FieldNames.ts"
import * as Flow from "./Flow.ts"
import { OrderStatus } from "./OrderStatus.ts"

const { PAN_ELIGIBILITY_SEND, TRANSFER_BY_REF_V4, TRANSFER_V4 } = PayApi.operations

const { login: _transfer, ...transferFields } = FieldNames.renamed(TRANSFER_V4.fields)
const { login: _byRef, ...byRefFields } = FieldNames.renamed(TRANSFER_BY_REF_V4.fields)
const { login: _canSend, ...canSendFields } = FieldNames.renamed(PAN_ELIGIBILITY_SEND.fields)

const operation: Operation = TRANSFER_V4

/** Transfers money to a card. The payer's card may need 3-D Secure, so a customer takes part. */
export const Transfer = Flow.make({
  name: "Transfer",
  summary: "Moves money from a card, or from the merchant's balance, to a card.",
  operation: TRANSFER_V4,
  payload: Schema.Struct({ ...transferFields, ...endpoint }),
  success: OrderStatus,
  error: CustomerError,
  idempotencyKey: clientOrderIdOf,
  run: Effect.fnUntraced(function* ({ endpointId, ...fields }) {
    const trail: Evidence.Trail = []
    const { clientOrderId } = fields
    const request = FieldNames.requestOf(operation, fields)
    const { orderId } = yield* Creation.create({ step: "create", operation, request, clientOrderId, endpointId, trail })
    if (orderId === undefined) return yield* Ending.stillUnknown(operation.name, { clientOrderId, trail })
    return yield* completeAuthentication({ named: { clientOrderId, orderId, endpointId }, trail })
  })
})

/** Transfers money from a stored card, or from the merchant's balance, without a customer's browser. */
export const TransferByRef = Flow.make({
  name: "TransferByRef",
  summary: "Moves money to a card from a stored card, or from the merchant's balance.",
  operation: TRANSFER_BY_REF_V4,
  payload: Schema.Struct({ ...byRefFields, ...endpoint }),
  success: OrderStatus,
  error: ChargeError,
  idempotencyKey: clientOrderIdOf,
  run: (payload) => charge(TRANSFER_BY_REF_V4, payload)
})

/** Checks whether a card can send money. The order is approved if it can. */
export const CanSend = Flow.make({
  name: "CanSend",
  summary: "Checks whether a card can send money.",
  operation: PAN_ELIGIBILITY_SEND,
  payload: Schema.Struct({ ...canSendFields, ...endpoint }),
  success: OrderStatus,
  error: ChargeError,
  idempotencyKey: clientOrderIdOf,
  run: (payload) => charge(PAN_ELIGIBILITY_SEND, payload)
})
