/** Commits one decision for each of many rows on behalf of an operator, with one audit entry for all, and starts the jobs that became due. */
import { Clock, Effect } from "effect"
import * as Audit from "./Audit.ts"
import type { Decision } from "./Decision.ts"
import { Ids } from "./Ids.ts"
import { Scheduler } from "./Scheduler.ts"
import { Store, type StoreUnavailable } from "./Store.ts"
import * as Transact from "./Transact.ts"

/** Number of decisions that are committed at the same time, so that they share a sync of the disk. */
const concurrency = 32

/** What the audit entry says, with how many rows were changed. */
export interface Act extends Pick<Audit.Audited, "actor" | "action" | "subject"> {
  readonly detailOf: (begun: number) => NonNullable<Audit.Audited["detail"]>
}

/** `begun`: rows that were changed. `left`: those without a decision, and those that somebody else changed meanwhile. */
export interface Committed {
  readonly begun: number
  readonly left: number
}

export const make = Effect.gen(function* () {
  const store = yield* Store
  const scheduler = yield* Scheduler
  const ids = yield* Ids
  return Effect.fnUntraced(function* <A>(
    rows: ReadonlyArray<A>,
    decisionOf: (row: A) => Effect.Effect<Decision | undefined, StoreUnavailable>,
    { detailOf, ...act }: Act
  ) {
    const isCommitted = Effect.fnUntraced(function* (row: A) {
      const decision = yield* decisionOf(row)
      return decision !== undefined && (yield* Transact.lostGuardOf(store, decision)) === undefined
    })
    const results = yield* Effect.forEach(rows, isCommitted, { concurrency })
    const begun = results.filter((isDone) => isDone).length
    if (begun > 0) {
      const atMs = yield* Clock.currentTimeMillis
      yield* Transact.record(store, [Audit.entry({ ...act, auditId: ids.next(), atMs, detail: detailOf(begun) })])
      yield* scheduler.wake
    }
    return { begun, left: rows.length - begun } satisfies Committed
  })
})
