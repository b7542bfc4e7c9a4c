/** A clock of real time on which sleeps are twenty times shorter, for programs that only poll. */
import { Duration } from "effect"
import * as Clocks from "../../../packages/schema/test/Clocks.ts"

export const quick = Clocks.sleepingAs((duration) => Clocks.wall.sleep(Duration.times(duration, 1 / 20)))

const startMs = Clocks.wall.currentTimeMillisUnsafe()

/** A clock that runs twenty times as fast as real time, for programs that report how long they take. */
export const fast = Clocks.make({
  nowMs: () => startMs + 20 * (Clocks.wall.currentTimeMillisUnsafe() - startMs),
  sleep: (duration) => Clocks.wall.sleep(Duration.times(duration, 1 / 20))
})
