/** Cards that are kept at the gateway: a reference instead of card data, and charges while the holder is absent. */
import type { Operation } from "@pay/schema/Operation"
import * as PayApi from "@pay/schema/PayApi"
import { Effect, Schema } from "effect"
import { endpoint } from "./CardPayment.ts"
import { ChargeError, charge } from "./Charge.ts"
import * as Ending from "./Ending.ts"
import type * as Evidence from "./Evidence.ts"
import * as Flow from "./Flow.ts"
import * as FlowError from "./FlowError.ts"
import * as FollowUp from "./FollowUp.ts"
import { OrderStatus } from "./OrderStatus.ts"

const { CARDREF, CARDREF_V4, REBILL } = PayApi.operations

interface Kept extends Readonly<Record<string, unknown>> {
  readonly client_orderid: string
  readonly endpointId?: string
}

const keep = Effect.fnUntraced(function* (operation: Operation, { endpointId, ...request }: Kept) {
  const trail: Evidence.Trail = []
  const clientOrderId = String(request.client_orderid)
  const followUp = { step: "create-card-ref", operation, request, clientOrderId, endpointId, trail }
  const { cardRefId } = yield* FollowUp.act(followUp)
  return cardRefId === undefined ? yield* Ending.stillUnknown(operation.name, { clientOrderId, trail }) : { cardRefId }
})

const kept = { success: Schema.Struct({ cardRefId: Schema.String }), error: FlowError.Unmade }

/** Keeps the card of an approved order. */
export const Tokenize = Flow.make({
  ...kept,
  name: "Tokenize",
  summary: "Stores the card of an approved order at the gateway and returns its reference.",
  operation: CARDREF,
  payload: Schema.Struct({
    client_orderid: CARDREF.fields.client_orderid,
    orderid: CARDREF.fields.orderid,
    ...endpoint
  }),
  idempotencyKey: ({ client_orderid }) => `${client_orderid}/tokenize`,
  run: (payload) => keep(CARDREF, payload)
})

const { card_printed_name, client_orderid, credit_card_number, expire_month, expire_year } = CARDREF_V4.fields

/**
 * Keeps a card without an order: `client_orderid` is the merchant's own name for that. Money can be sent to it; `Rebill` charges
 * it only once its holder has paid with it and the order's card was kept too, which is the same reference.
 */
export const KeepCard = Flow.make({
  ...kept,
  name: "KeepCard",
  summary: "Stores a card at the gateway without charging it and returns its reference.",
  operation: CARDREF_V4,
  payload: Schema.Struct({
    client_orderid,
    card_printed_name,
    credit_card_number: Schema.requiredKey(credit_card_number),
    expire_month: Schema.requiredKey(expire_month),
    expire_year: Schema.requiredKey(expire_year),
    ...endpoint
  }),
  idempotencyKey: (payload) => `${payload.client_orderid}/keep`,
  run: (payload) => keep(CARDREF_V4, payload)
})

const { login: _, ...rebillFields } = REBILL.fields

/** Charges a kept card while its holder is absent. */
export const Rebill = Flow.make({
  name: "Rebill",
  summary: "Charges a stored card without the cardholder.",
  operation: REBILL,
  payload: Schema.Struct({ ...rebillFields, ...endpoint }),
  success: OrderStatus,
  error: ChargeError,
  idempotencyKey: ({ client_orderid }) => client_orderid,
  run: (payload) => charge(REBILL, payload)
})
