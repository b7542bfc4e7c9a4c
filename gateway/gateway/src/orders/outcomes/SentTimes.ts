/**
 * Measures, by the monotonic clock, for how long this process has known that a request was in flight. A wall clock that is
 * set forward must not make "not found" definite while the request is still in flight. A request that another process sent
 * counts from the start of this process if only one process can open the store, else from its first inquiry.
 */

import { Clock, Effect } from "effect"
import { Store } from "../../kernel/Store.ts"
import type { AttemptReference } from "../record/Booking.ts"

export const make = Effect.gen(function* () {
  const { exclusive } = yield* Store
  const clock = yield* Clock.Clock
  const nowMs = () => Number(clock.monotonicTimeNanosUnsafe() / 1_000_000n)
  const startedAtMs = nowMs()
  const since = new Map<AttemptReference, number>()
  return {
    /** Records that the request is sent now, or that its answer is given up now. */
    mark: (reference: AttemptReference): void => void since.set(reference, nowMs()),
    /** Removes a request that is answered. */
    forget: (reference: AttemptReference): void => void since.delete(reference),
    elapsedMs: (reference: AttemptReference): number => {
      const fromMs = since.get(reference) ?? (exclusive ? startedAtMs : nowMs())
      since.set(reference, fromMs)
      return nowMs() - fromMs
    }
  }
})
