/** A clock of real time on which sleeps are twenty times shorter, for programs that only poll. */
import { Duration } from "effect"
import * as Clocks from "../../../packages/schema/test/Clocks.ts"

export const quick = Clocks.sleepingAs((duration) => Clocks.wall.sleep(Duration.times(duration, 1 / 20)))
