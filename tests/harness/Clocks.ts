/** Clocks that a test makes, from what differs: the time that they display, and how they sleep. */
import { Clock, type Duration, Effect } from "effect"

/** The machine's clock, whatever clock a test has in its place. */
export const wall = Clock.Clock.defaultValue()

/** Runs the effect in the machine's time, by which OAuth and callbacks are dated. */
export const inWallTime = Effect.provideService(Clock.Clock, wall)

export interface Options {
  readonly nowMs: () => number
  /** Default: the displayed time. */
  readonly monotonicNanos?: () => bigint
  readonly sleep: (duration: Duration.Duration) => Effect.Effect<void>
}

export const make = ({ monotonicNanos, nowMs, sleep }: Options): Clock.Clock => {
  const nanos = () => BigInt(Math.round(nowMs())) * 1_000_000n
  const monotonic = monotonicNanos ?? nanos
  return {
    sleep,
    currentTimeMillisUnsafe: nowMs,
    currentTimeMillis: Effect.sync(nowMs),
    currentTimeNanosUnsafe: nanos,
    currentTimeNanos: Effect.sync(nanos),
    monotonicTimeNanosUnsafe: monotonic,
    monotonicTimeNanos: Effect.sync(monotonic)
  }
}
