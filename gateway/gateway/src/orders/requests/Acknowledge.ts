/**
 * Builds the answer `AsyncResponse`. It means that the request is stored durably; the outcome follows by `status` or
 * callback.
 */
import type { AsyncResponse } from "@pay/schema/AsyncResponse"
import { type Answer, ok } from "../../kernel/Answer.ts"
import type { Order } from "../record/Order.ts"

/** Kinds of orders whose answers repeat the order's identifier under a second field name, and that name. */
const furtherNames: { readonly [K in Order["kind"]]?: "payout-id" | "transaction-id" } = {
  payout: "payout-id",
  transfer: "transaction-id",
  eligibility: "transaction-id",
  deposit: "transaction-id"
}

/** Whether answers about an order of this kind repeat its identifier under a second field name. */
export const hasFurtherId = ({ kind }: Order): boolean => furtherNames[kind] !== undefined

/** Returns the order's identifier under the second field name of its kind, or no field. */
export const furtherId = ({ kind, orderId }: Order): { readonly [name: string]: string } => {
  const name = furtherNames[kind]
  return name === undefined ? {} : { [name]: orderId }
}

export const acknowledge = (order: Order, serialNumber: string): Answer => {
  const body: AsyncResponse = {
    type: "async-response",
    "serial-number": serialNumber,
    "merchant-order-id": order.clientOrderId,
    "paynet-order-id": order.orderId,
    "end-point-id": order.endpointId,
    ...furtherId(order)
  }
  return ok(body)
}
