/** A clock of real time on which sleeps are twenty times shorter, for programs that only poll. */
import { Duration } from "effect"
import * as Clocks from "../../../packages/schema/test/Clocks.ts"

export const quick = Clocks.sleepingAs((duration) => Clocks.wall.sleep(Duration.times(duration, 1 / 20)))

const startMs = Clocks.wall.currentTimeMillisUnsafe()

const faster = (times: number) =>
  Clocks.make({
    nowMs: () => startMs + times * (Clocks.wall.currentTimeMillisUnsafe() - startMs),
    sleep: (duration) => Clocks.wall.sleep(Duration.times(duration, 1 / times))
  })

/** A clock that runs twenty times as fast as real time, for programs that report how long they take. */
export const fast = faster(20)

/** A clock that runs a thousand times as fast as real time, for limits of minutes. */
export const hurried = faster(1000)
