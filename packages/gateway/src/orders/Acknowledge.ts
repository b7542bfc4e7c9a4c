/** `AsyncResponse`: the request is durable; its outcome comes by `status` or callback. */
import type { AsyncResponse } from "@pay/schema/AsyncResponse"
import { type Answer, ok } from "../kernel/Answer.ts"
import type { Order } from "./Order.ts"

/** The name under which some kinds of orders are told once more. */
const furtherNames: { readonly [K in Order["kind"]]?: "payout-id" | "transaction-id" } = {
  payout: "payout-id",
  transfer: "transaction-id",
  eligibility: "transaction-id",
  deposit: "transaction-id"
}

/** Whether orders of this kind have a further name. */
export const hasFurtherId = ({ kind }: Order): boolean => furtherNames[kind] !== undefined

/** The order's identifier under the further name of its kind. */
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
