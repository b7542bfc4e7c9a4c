/** What a failure after the approval changes of an order, and when it is left to a person. */
import { assert, describe, it } from "@effect/vitest"
import { Job } from "../../src/kernel/Job.ts"
import { LedgerEntry } from "../../src/kernel/LedgerTable.ts"
import * as StoreRow from "../../src/kernel/StoreRow.ts"
import * as LateFailure from "../../src/orders/decide/LateFailure.ts"
import { Order } from "../../src/orders/record/Order.ts"
import type { OrderRequest } from "../../src/orders/record/OrderRequest.ts"
import { preauth, request, sale, transfer } from "./Sample.ts"

const nowMs = 9_000

/** The order's state and amounts, what is booked, and when the hold lapses; undefined if a person decides. */
const failed = (order: Order, changed: Partial<OrderRequest>): string | undefined => {
  const failedRequest: OrderRequest = { ...request({ progress: "approved" }), ...changed }
  const change = LateFailure.decide({ order, request: failedRequest }, { nowMs, claim: undefined })
  if (change === undefined) return undefined
  const texts = change.writes.flatMap((write) => {
    if (!("row" in write)) return []
    if (write.entity === Order) {
      const { authorizedMinor, capturedMinor, refundedMinor, state } = StoreRow.typed(Order, write.row)
      return [`${state} ${authorizedMinor} ${capturedMinor} ${refundedMinor}`]
    }
    if (write.entity === LedgerEntry) {
      const { cause, minor } = StoreRow.typed(LedgerEntry, write.row)
      return minor > 0 ? [`${cause} ${minor}`] : []
    }
    return write.entity === Job ? [`lapses ${StoreRow.typed(Job, write.row).dueAtMs}`] : []
  })
  return texts.join(", ")
}

const ofSale = { action: "sale", sequence: 0, amountMinor: 10_000 } as const
const capture = { action: "capture", amountMinor: 4_000 } as const
const refund = { action: "refund", amountMinor: 4_000 } as const
const settled = preauth({ state: "settled", capturedMinor: 10_000, holdUntilMs: 20_000 })
const partly = preauth({ capturedMinor: 4_000 })

const rows: ReadonlyArray<readonly [string, Order, Partial<OrderRequest>, string | undefined]> = [
  ["a sale is declined", sale(), ofSale, "declined 0 0 0, saleReturn 10000"],
  ["a sale with a return", sale({ refundedMinor: 1 }), ofSale, undefined],
  ["a sale with a return in flight", sale({ refundingMinor: 1 }), ofSale, undefined],
  ["a sale that was declined", sale({ state: "declined" }), ofSale, undefined],
  ["a transfer", transfer(), { ...ofSale, action: "transfer" }, undefined],
  ["a capture of a part", partly, capture, "authorized 10000 0 0, captureReturn 4000, captureReturn 4000"],
  [
    "the capture that used the hold up",
    settled,
    capture,
    "authorized 10000 6000 0, captureReturn 4000, captureReturn 4000, lapses 20000"
  ],
  [
    "a capture whose hold is over by now",
    { ...settled, holdUntilMs: 5_000 },
    capture,
    "authorized 10000 6000 0, captureReturn 4000, captureReturn 4000, lapses 9000"
  ],
  ["a capture whose hold was released", { ...partly, state: "settled" }, capture, undefined],
  ["a capture while the hold is being released", { ...partly, voiding: 1 }, capture, undefined],
  ["a capture with a return of its money", { ...partly, refundedMinor: 1 }, capture, undefined],
  ["a capture with a return of its money in flight", { ...partly, refundingMinor: 1 }, capture, undefined],
  [
    "a capture with a return of other money",
    { ...settled, refundedMinor: 6_000 },
    capture,
    "authorized 10000 6000 6000, captureReturn 4000, captureReturn 4000, lapses 20000"
  ],
  ["a refund", sale({ refundedMinor: 4_000 }), refund, "settled 10000 10000 0, refundReturn 4000"],
  ["a refund of more than was returned", sale({ refundedMinor: 3_999 }), refund, undefined],
  ["a void", preauth({ state: "voided" }), { action: "void" }, undefined],
  [
    "a return whose hold was released with it",
    { ...settled, refundedMinor: 4_000 },
    { ...refund, action: "void" },
    undefined
  ],
  ["a refund that was declined", sale({ refundedMinor: 4_000 }), { ...refund, progress: "declined" }, undefined]
]

describe("a failure after the approval", () => {
  it.each(rows)("of %s", (_, order, changed, expected) => assert.strictEqual(failed(order, changed), expected))
})
