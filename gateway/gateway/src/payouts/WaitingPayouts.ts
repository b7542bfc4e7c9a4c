/** Lists payouts that wait for a second approver, of one merchant or of all, the longest waiting first. */
import { Effect } from "effect"
import * as KeysetPage from "../kernel/KeysetPage.ts"
import { Store } from "../kernel/Store.ts"
import { Directory, type Merchant } from "../merchants/Directory.ts"
import { Order } from "../orders/record/Order.ts"
import { Payout } from "../recipients/Recipient.ts"
import { Approval } from "./decide/Approval.ts"

export interface WaitingPage {
  readonly payouts: ReadonlyArray<WaitingPayout>
  /** The position at which the next page begins. It is undefined when this page was not full. */
  readonly next: KeysetPage.Cursor | undefined
}

export const make = Effect.gen(function* () {
  const store = yield* Store
  const directory = yield* Directory
  return Effect.fn("WaitingPayouts")(function* (
    merchantId: string | undefined,
    limit: number,
    after: KeysetPage.Cursor | undefined
  ) {
    const rows = yield* merchantId === undefined
      ? KeysetPage.oldest(store, Approval, "state", { equals: ["waiting"], limit, after })
      : KeysetPage.oldest(store, Approval, "waiting", { equals: [merchantId, "waiting"], limit, after })
    const waiting = yield* Effect.forEach(rows, ({ orderId }) => loadWaiting(store, directory, orderId), {
      concurrency: "unbounded"
    })
    return {
      payouts: waiting.flatMap((each) => each ?? []),
      next: KeysetPage.nextOf(rows, limit, ({ requestedAtMs, orderId }) => ({ atMs: requestedAtMs, key: orderId }))
    } satisfies WaitingPage
  })
})

/** A payout that waits, or waited, for a second approver, with all data that the approver needs. */
export interface WaitingPayout {
  readonly order: Order
  readonly approval: Approval
  readonly payout: Payout
  readonly merchant: Merchant
}

/** Loads the payout of an order; undefined if it never needed an approval, or if its merchant no longer exists. */
export const loadWaiting = Effect.fnUntraced(function* (
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
    : ({ approval, order, payout, merchant } satisfies WaitingPayout)
})
