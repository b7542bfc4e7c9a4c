/** A store whose n-th write goes wrong, in every way in which a write can. */
import type { Write } from "@pay/gateway/Decision"
import { type Store, StoreUnavailable } from "@pay/gateway/Store"
import { Effect, Latch } from "effect"
import * as StoreCalls from "../harness/StoreCalls.ts"

type Shelf = Store["Service"]

export const ends = {
  "the process ends before it": { written: false, outcome: "ended" },
  "the process ends after it": { written: true, outcome: "ended" },
  "it dies": { written: false, outcome: "died" },
  "it fails, and nothing was written": { written: false, outcome: "failed" },
  "it fails, and it was written": { written: true, outcome: "failed" }
} as const
export type End = keyof typeof ends

export interface StoreFault {
  readonly spoil: (store: Shelf) => Shelf
  /** Completes when the process has ended: nothing it asks of its store is ever answered again. */
  readonly over: Effect.Effect<void>
  /** Writes so far. */
  readonly writes: () => number
}

const unavailable = Effect.fail(new StoreUnavailable({ outcomeUnknown: true }))

/** The number that a process takes as it starts is no part of what it then does. */
const isOfStart = (write: Write): boolean => "entity" in write && write.entity.name === "revisions"

/** Counts commits, and claims that found something; `at` 0 spoils none. */
export const make = (at: number, end: End): StoreFault => {
  const over = Latch.makeUnsafe(false)
  let count = 0
  const { outcome, written } = ends[end]

  const alive = <A, E, R>(ask: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.suspend(() => (Latch.isOpen(over) ? Effect.never : ask))

  const fate = Effect.suspend(() => {
    if (outcome === "died") return Effect.die("a defect in a write")
    if (outcome === "failed") return unavailable
    over.openUnsafe()
    return Effect.never
  })

  return {
    over: over.await,
    writes: () => count,
    spoil: (store) => ({
      ...StoreCalls.around(store, alive),
      claimDue: (claim) =>
        alive(
          Effect.flatMap(store.claimDue(claim), (items) => {
            if (items.length === 0) return Effect.succeed(items)
            count += 1
            return count === at ? fate : Effect.succeed(items)
          })
        ),
      commit: (decision) =>
        alive(
          Effect.suspend(() => {
            if (decision.writes.every(isOfStart)) return store.commit(decision)
            count += 1
            if (count !== at) return store.commit(decision)
            return written ? Effect.andThen(store.commit(decision), fate) : fate
          })
        )
    })
  }
}
