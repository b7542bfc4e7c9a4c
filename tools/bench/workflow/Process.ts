/** What a process with waiting work measures of itself. */
import { Clock, Effect } from "effect"

/** The bytes of the heap after a collection. Needs `--expose-gc`. */
export const heapBytes = Effect.sync(() => {
  globalThis.gc?.()
  globalThis.gc?.()
  return process.memoryUsage().heapUsed
})

/** A clock whose wall time is read by `nowMs`, and whose sleeps are real. */
export const clockAt = (nowMs: () => number): Clock.Clock => {
  const wall = Clock.Clock.defaultValue()
  const nowNanos = () => BigInt(nowMs()) * 1_000_000n
  return {
    ...wall,
    currentTimeMillisUnsafe: nowMs,
    currentTimeMillis: Effect.sync(nowMs),
    currentTimeNanosUnsafe: nowNanos,
    currentTimeNanos: Effect.sync(nowNanos),
    monotonicTimeNanosUnsafe: () => wall.monotonicTimeNanosUnsafe(),
    sleep: (duration) => wall.sleep(duration)
  }
}
