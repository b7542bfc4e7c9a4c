/** Cards that are kept at the gateway: a reference instead of card data, and charges while the holder is absent. */
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

const { CARDREF, REBILL } = PayApi.operations

/** Keeps the card of an approved order. */
export const Tokenize = Flow.make({
  name: "Tokenize",
  summary: "Keeps the card of an approved order at the gateway and gives its reference.",
  payload: Schema.Struct({
    client_orderid: CARDREF.fields.client_orderid,
    orderid: CARDREF.fields.orderid,
    ...endpoint
  }),
  success: Schema.Struct({ cardRefId: Schema.String }),
  error: FlowError.Unmade,
  idempotencyKey: ({ client_orderid }) => `${client_orderid}/tokenize`,
  run: Effect.fnUntraced(function* ({ endpointId, ...request }) {
    const trail: Evidence.Trail = []
    const clientOrderId = request.client_orderid
    const followUp = { step: "create-card-ref", operation: CARDREF, request, clientOrderId, endpointId, trail }
    const { cardRefId } = yield* FollowUp.act(followUp)
    return cardRefId === undefined ? yield* Ending.stillUnknown(CARDREF.name, { clientOrderId, trail }) : { cardRefId }
  })
})

const { login: _, ...rebillFields } = REBILL.fields

/** Charges a kept card while its holder is absent. */
export const Rebill = Flow.make({
  name: "Rebill",
  summary: "Charges a kept card while its holder is absent.",
  payload: Schema.Struct({ ...rebillFields, ...endpoint }),
  success: OrderStatus,
  error: ChargeError,
  idempotencyKey: ({ client_orderid }) => client_orderid,
  run: (payload) => charge(REBILL, payload)
})
