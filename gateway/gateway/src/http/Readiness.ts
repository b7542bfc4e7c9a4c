/**
 * Whether the gateway can take payments: it is ready while it refuses no new orders and a write to its store succeeds. A read is no
 * proof, because a full disk still serves reads. The result of a write is reused for a while, so that health checks do not cause a
 * write each.
 */

import { Clock, Effect, Semaphore } from "effect"
import * as Decision from "../kernel/Decision.ts"
import { Revision } from "../kernel/Revision.ts"
import { Store } from "../kernel/Store.ts"
import * as Transact from "../kernel/Transact.ts"
import type { Front } from "./Front.ts"
import * as NewOrders from "./NewOrders.ts"

/** Milliseconds for which the result of a write is reused. */
const believedMs = 2_000
/** Time limit of a check, in milliseconds. A slower store could not take a payment in time either. */
const deadlineMs = 2_000

/**
 * Returns why the gateway is not ready. `undefined`: it is ready. Requests at the same moment share one write. A write proves nothing
 * any more once the store has failed to serve a request.
 */
export const make = Effect.fnUntraced(function* ({
  closed,
  storeFailures
}: Pick<Front["Service"], "closed" | "storeFailures">) {
  const store = yield* Store
  const clock = yield* Clock.Clock
  const turn = Semaphore.makeUnsafe(1).withPermits(1)
  const elapsedMs = () => Number(clock.monotonicTimeNanosUnsafe() / 1_000_000n)
  let last:
    | { readonly closed: NewOrders.Closed | undefined; readonly atMs: number; readonly failures: number }
    | undefined

  const unlessUnwritable = (check: typeof closed): Effect.Effect<NewOrders.Closed | undefined> =>
    check.pipe(
      Effect.timeout(deadlineMs),
      Effect.catchCause((cause) =>
        Effect.as(Effect.logError("The store cannot be written", cause), NewOrders.unwritable)
      )
    )

  /** Writes a different value each time, so that the store has something to write. */
  const write = unlessUnwritable(
    Effect.suspend(() =>
      Effect.as(
        Transact.record(store, [Decision.put(Revision, { subject: "readiness", version: elapsedMs() })]),
        undefined
      )
    )
  )
  const written = turn(
    Effect.suspend(() => {
      const failures = storeFailures()
      return last?.failures === failures && elapsedMs() - last.atMs < believedMs
        ? Effect.succeed(last.closed)
        : Effect.tap(write, (closed) =>
            Effect.sync(() => {
              last = { closed, atMs: elapsedMs(), failures }
            })
          )
    })
  )
  return Effect.flatMap(unlessUnwritable(closed), (reason) =>
    reason === undefined ? written : Effect.succeed<NewOrders.Closed | undefined>(reason)
  )
})
