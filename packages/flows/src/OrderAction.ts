/** What is done with an order that exists: settle a part, release the rest, give back. */
import type { Operation } from "@pay/schema/Operation"
import * as PayApi from "@pay/schema/PayApi"
import { Schema } from "effect"
import { endpoint } from "./CardPayment.ts"
import type * as Evidence from "./Evidence.ts"
import * as Flow from "./Flow.ts"
import * as FlowError from "./FlowError.ts"
import * as FollowUp from "./FollowUp.ts"
import { OrderStatus } from "./OrderStatus.ts"

const { CAPTURE, RETURN, VOID } = PayApi.operations

const Name = Schema.String.check(Schema.isMinLength(1)).annotate({
  description: "Your own name of this action on the order: `shipment-1`. The same name is the same action."
})

/** How an action on an order can fail. The order itself is then as it was. */
export const ActionError = Schema.Union([
  ...FlowError.Unpaid.members,
  ...FlowError.Unmade.members,
  FlowError.NeedsAPerson
])

interface Action extends Readonly<Record<string, unknown>> {
  readonly client_orderid: string
  readonly orderid: string
  readonly endpointId?: string
}

const carryOut = (operation: Operation, { endpointId, name: _, ...request }: Action) => {
  const trail: Evidence.Trail = []
  const { client_orderid: clientOrderId, orderid: orderId } = request
  const step = operation.command
  return FollowUp.carryOut({
    step,
    operation,
    request,
    clientOrderId: String(clientOrderId),
    orderId: String(orderId),
    endpointId,
    trail
  })
}

const onOrder = { success: OrderStatus, error: ActionError }

/** Two parts of one amount need two names; the rest of the payload does not tell them apart. */
const named = ({ client_orderid, name }: { readonly client_orderid: string; readonly name: string }) =>
  Flow.identityOf(client_orderid, name)

const { login: _capture, ...captureFields } = CAPTURE.fields
const { login: _return, ...returnFields } = RETURN.fields
const { amount: _amount, currency: _currency, login: _void, ...voidFields } = VOID.fields

/** Settles a part of a reservation, or with no amount all that is left. */
export const Capture = Flow.make({
  ...onOrder,
  name: "Capture",
  summary: "Captures a part of an authorization, or all that is left.",
  operation: CAPTURE,
  payload: Schema.Struct({ ...captureFields, name: Name, ...endpoint }),
  idempotencyKey: named,
  run: (payload) => carryOut(CAPTURE, payload)
})

/** Releases what a reservation holds and no capture has settled. */
export const Void = Flow.make({
  ...onOrder,
  name: "Release",
  summary: "Voids what an authorization still holds.",
  operation: VOID,
  payload: Schema.Struct({ ...voidFields, ...endpoint }),
  idempotencyKey: ({ client_orderid }) => `${client_orderid}/release`,
  run: (payload) => carryOut(VOID, payload)
})

/** Gives money back: a part, or with no amount everything. */
export const Refund = Flow.make({
  ...onOrder,
  name: "GiveBack",
  summary: "Refunds a part of a payment, or all of it.",
  operation: RETURN,
  payload: Schema.Struct({ ...returnFields, name: Name, ...endpoint }),
  idempotencyKey: named,
  run: (payload) => carryOut(RETURN, payload)
})
