/**
 * For how long this process has known that a request was on its way, by the monotonic clock: a wall clock that leaps must not
 * make "not found" definite while the request is still under way. What another process sent counts from the start of this one
 * where only one can have the store, else from when this one first asked.
 */

import { Clock, Effect } from "effect"
import { Store } from "../../kernel/Store.ts"
import type { AttemptReference } from "../Booking.ts"

export const make = Effect.gen(function* () {
  const { exclusive } = yield* Store
  const clock = yield* Clock.Clock
  const nowMs = () => Number(clock.monotonicTimeNanosUnsafe() / 1_000_000n)
  const startedAtMs = nowMs()
  const since = new Map<AttemptReference, number>()
  return {
    /** It is sent now, or its answer is given up now. */
    mark: (reference: AttemptReference): void => void since.set(reference, nowMs()),
    /** It is answered. */
    forget: (reference: AttemptReference): void => void since.delete(reference),
    elapsedMs: (reference: AttemptReference): number => {
      const fromMs = since.get(reference) ?? (exclusive ? startedAtMs : nowMs())
      since.set(reference, fromMs)
      return nowMs() - fromMs
    }
  }
})
