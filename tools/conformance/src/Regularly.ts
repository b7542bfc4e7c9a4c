/** Reports of a run that come at regular times. */
import { Clock, type Duration, Effect } from "effect"

/** Calls `tell` at regular times with the time since the start, for ever. Default: each second. */
export const report = Effect.fnUntraced(function* (
  tell: (elapsedMs: number) => void,
  every: Duration.Input = "1 second"
) {
  const startedMs = yield* Clock.currentTimeMillis
  for (;;) {
    yield* Effect.sleep(every)
    tell((yield* Clock.currentTimeMillis) - startedMs)
  }
})
