/**
 * Loads the order that a request names by `orderid`, `client_orderid` or both. Returns undefined alike for an order that
 * does not exist, an order of another merchant and two names that contradict each other. Only operations that read may
 * name an order by `orderid` alone.
 */
import { Effect } from "effect"
import type { Store, StoreUnavailable } from "../kernel/Store.ts"
import { type Call, clientOrderIdOf } from "../merchants/Call.ts"
import { Order } from "./Order.ts"

export const namedOrder = (
  store: Store["Service"],
  { fields, merchant, operation }: Call
): Effect.Effect<Order | undefined, StoreUnavailable> => {
  const clientOrderId = clientOrderIdOf(fields)
  const { orderid: orderId } = fields
  if (clientOrderId === undefined && operation.acts !== "reads") return noOrder
  const loaded =
    orderId === undefined
      ? store.load(Order, [merchant.login, clientOrderId ?? ""], "clientOrder")
      : store.load(Order, [orderId])
  return Effect.map(loaded, (order) =>
    order?.merchantId === merchant.login && order.clientOrderId === (clientOrderId ?? order.clientOrderId)
      ? order
      : undefined
  )
}

const noOrder = Effect.succeed(undefined)
