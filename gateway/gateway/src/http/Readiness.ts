/**
 * Whether the gateway can take payments: it is ready while a write to its store succeeds and it is not shutting down. A read is
 * no proof, because a full disk still serves reads. The result of a write is reused for a while, so that health checks do not
 * cause a write each.
 */

import { Clock, Effect, Semaphore } from "effect"
import * as Decision from "../kernel/Decision.ts"
import { Revision } from "../kernel/Revision.ts"
import { Store } from "../kernel/Store.ts"
import * as Transact from "../kernel/Transact.ts"

/** Milliseconds for which the result of a write is reused. */
const believedMs = 2_000
/** Time limit of a write, in milliseconds. A slower store could not take a payment in time either. */
const deadlineMs = 2_000

/** Returns `true` while a write succeeds. Requests at the same moment share one write. */
export const make: Effect.Effect<Effect.Effect<boolean>, never, Store> = Effect.gen(function* () {
  const store = yield* Store
  const clock = yield* Clock.Clock
  const turn = Semaphore.makeUnsafe(1).withPermits(1)
  const elapsedMs = () => Number(clock.monotonicTimeNanosUnsafe() / 1_000_000n)
  let last: { readonly isReady: boolean; readonly atMs: number } | undefined

  /** Writes a different value each time, so that the store has something to write. */
  const write = Effect.suspend(() =>
    Transact.record(store, [Decision.put(Revision, { subject: "readiness", version: elapsedMs() })])
  ).pipe(
    Effect.timeout(deadlineMs),
    Effect.as(true),
    Effect.catchCause((cause) => Effect.as(Effect.logError("The store cannot be written", cause), false))
  )

  return turn(
    Effect.suspend(() =>
      last !== undefined && elapsedMs() - last.atMs < believedMs
        ? Effect.succeed(last.isReady)
        : Effect.tap(write, (isReady) =>
            Effect.sync(() => {
              last = { isReady, atMs: elapsedMs() }
            })
          )
    )
  )
})
