/**
 * Cards that the gateway stores. The merchant uses a reference instead of card data, and can charge a card without its holder.
 */
import type { Operation } from "@pay/schema/Operation"
import * as PayApi from "@pay/schema/PayApi"
import { Effect, Schema } from "effect"
import { endpoint } from "./CardPayment.ts"
import { ChargeError, charge, clientOrderIdOf } from "./Charge.ts"
import * as Ending from "./Ending.ts"
import type * as Evidence from "./Evidence.ts"
import * as FieldNames from "./FieldNames.ts"
import * as Flow from "./Flow.ts"
import * as FlowError from "./FlowError.ts"
import * as FollowUp from "./FollowUp.ts"
import { OrderStatus } from "./OrderStatus.ts"

const { CARDREF, CARDREF_V4, REBILL } = PayApi.operations

interface StoreCardFields extends Readonly<Record<string, unknown>> {
  readonly clientOrderId: string
  readonly endpointId?: string
}

const storeCard = Effect.fnUntraced(function* (operation: Operation, { endpointId, ...fields }: StoreCardFields) {
  const trail: Evidence.Trail = []
  const { clientOrderId } = fields
  const request = FieldNames.requestOf(operation, fields)
  const followUp = { step: "create-card-ref", operation, request, clientOrderId, endpointId, trail }
  const { cardRefId } = yield* FollowUp.act(followUp)
  return cardRefId === undefined ? yield* Ending.stillUnknown(operation.name, { clientOrderId, trail }) : { cardRefId }
})

const storedCard = { success: Schema.Struct({ cardRefId: Schema.String }), error: FlowError.Unmade }

const orderFields = FieldNames.renamed(CARDREF.fields)

/** Stores the card of an approved order and returns its reference. */
export const Tokenize = Flow.make({
  ...storedCard,
  name: "Tokenize",
  summary: "Stores the card of an approved order at the gateway and returns its reference.",
  operation: CARDREF,
  payload: Schema.Struct({
    clientOrderId: orderFields.clientOrderId,
    orderId: orderFields.orderId,
    ...endpoint
  }),
  idempotencyKey: ({ clientOrderId }) => `${clientOrderId}/tokenize`,
  run: (payload) => storeCard(CARDREF, payload)
})

const { card_printed_name, client_orderid, credit_card_number, expire_month, expire_year } = CARDREF_V4.fields

const cardFields = FieldNames.renamed({
  client_orderid,
  card_printed_name,
  credit_card_number: Schema.requiredKey(credit_card_number),
  expire_month: Schema.requiredKey(expire_month),
  expire_year: Schema.requiredKey(expire_year)
})

/**
 * Stores a card without an order. `clientOrderId` is the merchant's own identifier of this request. Payouts to the card are
 * possible at once. `Rebill` charges the card only after its holder has paid with it and `Tokenize` has stored the card of that
 * order, which returns the same reference.
 */
export const KeepCard = Flow.make({
  ...storedCard,
  name: "KeepCard",
  summary: "Stores a card at the gateway without charging it and returns its reference.",
  operation: CARDREF_V4,
  payload: Schema.Struct({ ...cardFields, ...endpoint }),
  idempotencyKey: (payload) => `${payload.clientOrderId}/keep`,
  run: (payload) => storeCard(CARDREF_V4, payload)
})

const { login: _, ...rebillFields } = FieldNames.renamed(REBILL.fields)

/** Charges a stored card without its holder. */
export const Rebill = Flow.make({
  name: "Rebill",
  summary: "Charges a stored card without the cardholder.",
  operation: REBILL,
  payload: Schema.Struct({ ...rebillFields, ...endpoint }),
  success: OrderStatus,
  error: ChargeError,
  idempotencyKey: clientOrderIdOf,
  run: (payload) => charge(REBILL, payload)
})
