/** What the erasure of an order changes. */

import { Effect } from "effect"
import type { Store } from "../kernel/Store.ts"
import type { Order } from "../orders/record/Order.ts"
import { OrderRequest } from "../orders/record/OrderRequest.ts"
import * as PayoutLifecycle from "../orders/record/PayoutLifecycle.ts"
import { Payout } from "../recipients/Recipient.ts"
import { Authentication } from "../threeds/decide/Authentication.ts"
import * as Erasure from "./decide/Erasure.ts"

const mostRequests = 1000
/**
 * Returns the erasure of an order. Undefined if a request about the order is in flight or ended after `untilMs`, or if a
 * checked payout may still be paid.
 */
export const erasureOf = Effect.fnUntraced(function* (
  store: Store["Service"],
  order: Order,
  untilMs: number,
  nowMs: number
) {
  const requests = yield* store.find(OrderRequest, "order", { equals: [order.orderId], limit: mostRequests })
  const ended = Erasure.endedAtMs(requests)
  if (ended === undefined || ended > untilMs || PayoutLifecycle.isUnpaid(order.state)) return undefined
  const authentication = yield* store.load(Authentication, [order.orderId])
  const payout = yield* store.load(Payout, [order.orderId])
  return Erasure.ofOrder(order, { authentication, payout }, nowMs)
})
