/** The order of the concurrent fibers of a run: none gets a recorded result too early, and none waits too early. */

import { Effect } from "effect"
import type { Run } from "./Run.ts"

/** Number of turns of the scheduler without a request, after which none is expected. */
const patience = 16

/**
 * Lets concurrent fibers of the run continue until the condition is true, or until none of them requests a recorded entry any
 * more.
 */
export const until = Effect.fnUntraced(function* (run: Run, isSo: () => boolean) {
  let left = run.unrequestedCount
  for (let turn = 0; turn < patience && !isSo(); turn++) {
    yield* Effect.yieldNow
    if (run.unrequestedCount < left) turn = 0
    left = run.unrequestedCount
  }
})

/**
 * Waits for the turn of a recorded entry. Results are replayed in the order in which they happened, because the receiver of a
 * result may end concurrent fibers, which must first have reached the same step as in the earlier run.
 */
export const inTurn = (run: Run, entry: string): Effect.Effect<void> =>
  // A result never arrives at once in the run that made it: concurrent fibers have begun before one of them can fail.
  Effect.andThen(
    Effect.yieldNow,
    Effect.suspend(() =>
      run.unrequestedCount === 0 || run.instance.interrupted ? Effect.void : until(run, () => run.isInTurn(entry))
    )
  )

/**
 * Lets concurrent fibers of the run continue until none of them requests anything. A wait suspends the whole run: a fiber that is
 * between two steps would continue only when that wait ends.
 */
export const quiet = Effect.fnUntraced(function* (run: Run) {
  let latest = run.requests
  for (let turn = 0; turn < patience; turn++) {
    yield* Effect.yieldNow
    if (run.requests !== latest) turn = 0
    latest = run.requests
  }
})
