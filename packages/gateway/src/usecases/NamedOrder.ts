/**
 * The order that a request names by `orderid`, `client_orderid` or both. Another merchant's order, one that the two names
 * do not agree on and one that does not exist are the same: undefined.
 */
import { Effect } from "effect"
import { Order } from "../domain/entities/Order.ts"
import { type Call, clientOrderIdOf } from "../http/Call.ts"
import type { Store } from "../ports/Store.ts"

export const namedOrder = Effect.fnUntraced(function* (store: Store["Service"], call: Call) {
  const clientOrderId = clientOrderIdOf(call.fields)
  const { orderid: orderId } = call.fields
  if (clientOrderId === undefined) return undefined
  const order =
    orderId === undefined
      ? yield* store.load(Order, [call.merchant.login, clientOrderId], "clientOrder")
      : yield* store.load(Order, [orderId])
  return order?.merchantId === call.merchant.login && order.clientOrderId === clientOrderId ? order : undefined
})
