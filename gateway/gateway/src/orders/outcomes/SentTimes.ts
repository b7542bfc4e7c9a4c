/**
 * Measures, by the monotonic clock, for how long this process has known that a request was in flight. A wall clock that is
 * set forward must not make "not found" definite while the request is still in flight, and one that is set back must not make a bank's window
 * longer. A request that another process sent
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
  const times = new Map<AttemptReference, { readonly firstMs: number; readonly lastMs: number }>()
  const timesOf = (reference: AttemptReference) => {
    const fromMs = exclusive ? startedAtMs : nowMs()
    const sent = times.get(reference) ?? { firstMs: fromMs, lastMs: fromMs }
    times.set(reference, sent)
    return sent
  }
  return {
    /** Records that the request is sent now, or that its answer is given up now. */
    mark: (reference: AttemptReference): void => {
      const lastMs = nowMs()
      times.set(reference, { firstMs: times.get(reference)?.firstMs ?? lastMs, lastMs })
    },
    /** Removes a request that is answered. */
    forget: (reference: AttemptReference): void => void times.delete(reference),
    /** Milliseconds since it was sent last. */
    elapsedMs: (reference: AttemptReference): number => nowMs() - timesOf(reference).lastMs,
    /** Milliseconds since it was sent first. */
    ageMs: (reference: AttemptReference): number => nowMs() - timesOf(reference).firstMs
  }
})
