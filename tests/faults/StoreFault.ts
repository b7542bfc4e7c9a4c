/** A store whose n-th write fails in one of the ways in which a write can fail. */
import type { Write } from "@pay/gateway/Decision"
import { type Store, StoreUnavailable } from "@pay/gateway/Store"
import { Effect, Latch } from "effect"
import * as StoreCalls from "../harness/StoreCalls.ts"

type StoreService = Store["Service"]

export const ends = {
  "the process ends before it": { written: false, outcome: "ended" },
  "the process ends after it": { written: true, outcome: "ended" },
  "it throws a defect": { written: false, outcome: "died" },
  "it fails, and nothing was written": { written: false, outcome: "failed" },
  "it fails, and it was written": { written: true, outcome: "failed" }
} as const
export type End = keyof typeof ends

export interface StoreFault {
  readonly spoil: (store: StoreService) => StoreService
  /** Completes when the process has ended: its store answers no call any more. */
  readonly over: Effect.Effect<void>
  /** Writes so far. */
  readonly writes: () => number
}

const unavailable = Effect.fail(new StoreUnavailable({ outcomeUnknown: true }))

/** Whether the write takes the number of a starting process, which is not a write of the scenario. */
const isOfStart = (write: Write): boolean => "entity" in write && write.entity.name === "revisions"

/** Counts commits, and claims that found jobs. With `at` 0 no write fails. */
export const make = (at: number, end: End): StoreFault => {
  const over = Latch.makeUnsafe(false)
  let count = 0
  const { outcome, written } = ends[end]

  const unlessEnded = <A, E, R>(ask: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.suspend(() => (Latch.isOpen(over) ? Effect.never : ask))

  const faultyEnd = Effect.suspend(() => {
    if (outcome === "died") return Effect.die("a defect in a write")
    if (outcome === "failed") return unavailable
    over.openUnsafe()
    return Effect.never
  })

  return {
    over: over.await,
    writes: () => count,
    spoil: (store) => ({
      ...StoreCalls.around(store, unlessEnded),
      claimDue: (claim) =>
        unlessEnded(
          Effect.flatMap(store.claimDue(claim), (jobs) => {
            if (jobs.length === 0) return Effect.succeed(jobs)
            count += 1
            return count === at ? faultyEnd : Effect.succeed(jobs)
          })
        ),
      commit: (decision) =>
        unlessEnded(
          Effect.suspend(() => {
            if (decision.writes.every(isOfStart)) return store.commit(decision)
            count += 1
            if (count !== at) return store.commit(decision)
            return written ? Effect.andThen(store.commit(decision), faultyEnd) : faultyEnd
          })
        )
    })
  }
}
