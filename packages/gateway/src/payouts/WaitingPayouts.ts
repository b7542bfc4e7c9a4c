/** What waits for a second person: the payouts of one merchant, those that lapse first before the others. */
import { Effect } from "effect"
import type { Cursor } from "../kernel/NewestFirst.ts"
import * as OldestFirst from "../kernel/OldestFirst.ts"
import { Store } from "../kernel/Store.ts"
import { Directory } from "../merchants/Directory.ts"
import { Approval } from "./Approval.ts"
import * as ApprovalSeen from "./ApprovalSeen.ts"

export interface Page {
  readonly payouts: ReadonlyArray<ApprovalSeen.Seen>
  /** Where the next page begins; undefined: this one was not full. */
  readonly next: Cursor | undefined
}

export const make = Effect.gen(function* () {
  const store = yield* Store
  const directory = yield* Directory
  return Effect.fn("WaitingPayouts")(function* (merchantId: string, limit: number, after: Cursor | undefined) {
    const rows = yield* OldestFirst.find(store, Approval, "waiting", { equals: [merchantId, "waiting"], limit, after })
    const seen = yield* Effect.forEach(rows, ({ orderId }) => ApprovalSeen.load(store, directory, orderId))
    const last = rows.length === limit ? rows.at(-1) : undefined
    return {
      payouts: seen.flatMap((each) => each ?? []),
      next: last && { atMs: last.askedAtMs, key: last.orderId }
    } satisfies Page
  })
})
