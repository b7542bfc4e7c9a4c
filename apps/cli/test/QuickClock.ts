/** A clock of real time on which sleeps are twenty times shorter, for programs that only poll. */
import { Clock, Duration } from "effect"

const real = Clock.Clock.defaultValue()

export const quick: Clock.Clock = {
  currentTimeMillisUnsafe: () => real.currentTimeMillisUnsafe(),
  currentTimeMillis: real.currentTimeMillis,
  currentTimeNanosUnsafe: () => real.currentTimeNanosUnsafe(),
  currentTimeNanos: real.currentTimeNanos,
  monotonicTimeNanosUnsafe: () => real.monotonicTimeNanosUnsafe(),
  monotonicTimeNanos: real.monotonicTimeNanos,
  sleep: (duration) => real.sleep(Duration.times(duration, 1 / 20))
}
