/** Actions on an existing order: capture, void and refund. */
import type { Operation } from "@pay/schema/Operation"
import * as PayApi from "@pay/schema/PayApi"
import { Schema } from "effect"
import * as Flow from "../engine/Flow.ts"
import * as FlowError from "../order/FlowError.ts"
import { OrderStatus } from "../order/OrderStatus.ts"
import * as FollowUp from "../requests/FollowUp.ts"
import { fieldsOf, type OrderFields, targetOf } from "./OrderFlow.ts"

const { CAPTURE, RETURN, VOID } = PayApi.operations

const Name = Schema.String.check(Schema.isMinLength(1)).annotate({
  description: "Your own name of this action on the order: `shipment-1`. The same name is the same action."
})

const carryOut = (
  operation: Operation,
  { name: _, ...fields }: OrderFields & { readonly orderId: string; readonly name?: string }
) => FollowUp.carryOut({ ...targetOf(operation.command, operation, fields), orderId: fields.orderId })

const onOrder = { success: OrderStatus, error: FlowError.OrderError }

/**
 * Returns the identity of an action. Two captures of the same amount need two names, because only the name distinguishes them.
 */
const named = ({ clientOrderId, name }: { readonly clientOrderId: string; readonly name: string }) =>
  Flow.identityOf(clientOrderId, name)

const { amount: _amount, currency: _currency, ...voidFields } = fieldsOf(VOID)

/** The order of an action. The result of a flow can be passed as it is. */
export type ActionOrder = Pick<OrderStatus, "clientOrderId" | "orderId"> & { readonly currency?: string | undefined }

/** Optional settings of an action on an order. */
interface Details {
  /** The merchant's own text, which the gateway stores with the request. */
  readonly comment?: string | undefined
  /** The address of callbacks about the action. Default: that of the endpoint. */
  readonly serverCallbackUrl?: string | undefined
  /** The endpoint or group to use. Default: that of the client. */
  readonly endpointId?: string | undefined
}

/** A capture or refund of a part of an order. */
export interface OrderPart extends Details {
  /** The merchant's own name of this action on the order. A repeat under the same name is the same action. */
  readonly name: string
  /** The amount as decimal text, such as `10.00`. Default: all that is left. */
  readonly amount?: string | undefined
  /** The currency of the amount. Default: that of the order. */
  readonly currency?: string | undefined
}

const detailsOf = ({ clientOrderId, orderId }: ActionOrder, { comment, endpointId, serverCallbackUrl }: Details) => ({
  clientOrderId,
  orderId,
  ...(comment === undefined ? {} : { comment }),
  ...(serverCallbackUrl === undefined ? {} : { serverCallbackUrl }),
  ...(endpointId === undefined ? {} : { endpointId })
})

const partOf = (order: ActionOrder, { amount, currency = order.currency, name, ...details }: OrderPart) => ({
  ...detailsOf(order, details),
  name,
  ...(amount === undefined ? {} : { amount }),
  ...(amount === undefined || currency === undefined ? {} : { currency })
})

/**
 * Captures a part of an authorization, or without an amount all that is left.
 *
 * ```ts
 * Capture.execute(Capture.of(order, { name: "shipment-1", amount: "10.00" }))
 * ```
 */
export const Capture = Object.assign(
  Flow.make({
    ...onOrder,
    name: "Capture",
    summary: "Captures a part of an authorization, or all that is left.",
    operation: CAPTURE,
    payload: Schema.Struct({ ...fieldsOf(CAPTURE), name: Name }),
    idempotencyKey: named,
    run: (payload) => carryOut(CAPTURE, payload)
  }),
  { of: partOf }
)

/**
 * Voids an authorization: releases the amount that is not captured. After a refused void, repeat it with a `name` of its own.
 *
 * ```ts
 * Void.execute(Void.of(order))
 * ```
 */
export const Void = Object.assign(
  Flow.make({
    ...onOrder,
    name: "Void",
    summary: "Voids what an authorization still holds.",
    operation: VOID,
    payload: Schema.Struct({ ...voidFields, name: Schema.optionalKey(Name) }),
    idempotencyKey: ({ clientOrderId, name = "void" }) => named({ clientOrderId, name }),
    run: (payload) => carryOut(VOID, payload)
  }),
  { of: (order: ActionOrder, details: Details = {}) => detailsOf(order, details) }
)

/**
 * Refunds a part of a payment, or without an amount all that is left.
 *
 * ```ts
 * Refund.execute(Refund.of(order, { name: "return-17", amount: "10.00" }))
 * ```
 */
export const Refund = Object.assign(
  Flow.make({
    ...onOrder,
    name: "Refund",
    summary: "Refunds a part of a payment, or all of it.",
    operation: RETURN,
    payload: Schema.Struct({ ...fieldsOf(RETURN), name: Name }),
    idempotencyKey: named,
    run: (payload) => carryOut(RETURN, payload)
  }),
  { of: partOf }
)
