/** `AsyncResponse`: the request is durable; its outcome comes by `status` or callback. */
import type { AsyncResponse } from "@pay/schema/AsyncResponse"
import type { Order } from "../domain/entities/Order.ts"
import { type Answer, ok } from "../http/Answer.ts"

export const acknowledge = (order: Order, serialNumber: string): Answer => {
  const body: AsyncResponse = {
    type: "async-response",
    "serial-number": serialNumber,
    "merchant-order-id": order.clientOrderId,
    "paynet-order-id": order.orderId,
    "end-point-id": order.endpointId
  }
  return ok(body)
}
