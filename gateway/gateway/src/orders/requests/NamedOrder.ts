/**
 * Loads the order that a request names by `orderid`, `client_orderid` or both: from `call.rows`, or from the store to see what has
 * changed. Returns undefined alike for an order that does not exist, an order of another merchant and two names that contradict
 * each other. Only operations that read may name an order by `orderid` alone.
 */
import { Effect } from "effect"
import type { Rows } from "../../kernel/Rows.ts"
import type { StoreUnavailable } from "../../kernel/Store.ts"
import { type Call, clientOrderIdOf } from "../../merchants/Call.ts"
import { Order } from "../record/Order.ts"

export const namedOrder = (
  rows: Rows,
  { fields, merchant, operation }: Call
): Effect.Effect<Order | undefined, StoreUnavailable> => {
  const clientOrderId = clientOrderIdOf(fields)
  const { orderid: orderId } = fields
  if (clientOrderId === undefined && operation.acts !== "reads") return noOrder
  const loaded =
    orderId === undefined
      ? rows.load(Order, [merchant.login, clientOrderId ?? ""], "clientOrder")
      : rows.load(Order, [orderId])
  return Effect.map(loaded, (order) =>
    order?.merchantId === merchant.login && order.clientOrderId === (clientOrderId ?? order.clientOrderId)
      ? order
      : undefined
  )
}

const noOrder = Effect.succeed(undefined)
