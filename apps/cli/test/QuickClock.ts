/** Real time in which every wait of a program is over twenty times as soon: for programs that only ask again. */
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
