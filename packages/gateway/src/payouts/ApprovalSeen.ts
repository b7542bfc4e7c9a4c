/** A payout that waits, or waited, for a second person: everything about it that they have to know. */
import { Effect } from "effect"
import type { Store } from "../kernel/Store.ts"
import type { Directory, Merchant } from "../merchants/Directory.ts"
import { Order } from "../orders/Order.ts"
import { Payout } from "../recipients/Payout.ts"
import { Approval } from "./Approval.ts"

export interface Seen {
  readonly order: Order
  readonly approval: Approval
  readonly payout: Payout
  readonly merchant: Merchant
}

/** Undefined: the order never waited, or its merchant is no longer there. */
export const load = Effect.fnUntraced(function* (
  store: Store["Service"],
  directory: Directory["Service"],
  orderId: string
) {
  const approval = yield* store.load(Approval, [orderId])
  const order = approval === undefined ? undefined : yield* store.load(Order, [orderId])
  const payout = approval === undefined ? undefined : yield* store.load(Payout, [orderId])
  const merchant = order === undefined ? undefined : directory.merchant(order.merchantId)
  return approval === undefined || order === undefined || payout === undefined || merchant === undefined
    ? undefined
    : ({ approval, order, payout, merchant } satisfies Seen)
})
