/** Clocks that a test makes, from what differs: the time that they display, and how they sleep. */
import { Clock, Deferred, Duration, Effect } from "effect"

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

/** The machine's time, with other pauses. */
export const sleepingAs = (sleep: Options["sleep"]) =>
  make({
    nowMs: () => wall.currentTimeMillisUnsafe(),
    monotonicNanos: () => wall.monotonicTimeNanosUnsafe(),
    sleep
  })

/** Lets all other callbacks of the event loop run. */
export const turn = Effect.promise(() => new Promise<void>((resume) => setImmediate(resume)))

/** Pauses on a time of the test's own, which end when the test wakes them. */
export const sleepers = (nowMs: () => number) => {
  const waiting = new Set<{ readonly wakeAtMs: number; readonly woken: Deferred.Deferred<void> }>()
  return {
    sleep: (duration: Duration.Duration) =>
      Effect.suspend(() => {
        const sleeper = { wakeAtMs: nowMs() + Duration.toMillis(duration), woken: Deferred.makeUnsafe<void>() }
        waiting.add(sleeper)
        return Effect.ensuring(
          Deferred.await(sleeper.woken),
          Effect.sync(() => waiting.delete(sleeper))
        )
      }),
    /** The end of the next pause; infinite if there is none. */
    nextMs: () => Math.min(...[...waiting].map(({ wakeAtMs }) => wakeAtMs)),
    /** Ends each pause that is over, after a call of `before`. */
    wake: (before = () => {}) => {
      for (const { wakeAtMs, woken } of waiting) {
        if (wakeAtMs > nowMs()) continue
        before()
        Deferred.doneUnsafe(woken, Effect.void)
      }
    }
  }
}
