/** A warning that is logged at most once a minute, because clients cause it as often as they like. */
import { Clock, Effect } from "effect"
import * as RateLimit from "../network/RateLimit.ts"

export const make = () => {
  const limit = RateLimit.make({ perSecond: 1 / 60, burst: 1 })
  return (message: () => string): Effect.Effect<void> =>
    Effect.flatMap(Clock.currentTimeMillis, (nowMs) =>
      limit.take("warning", nowMs) === undefined ? Effect.logWarning(message()) : Effect.void
    )
}
