import { Clock, Effect, Fiber } from "effect"
import * as Clocks from "../../../schema/test/Clocks.ts"

/** A clock that jumps to the next timer as soon as every fiber waits. `patience`: turns of the event loop until that is certain. */
export const make = ({ patience = 4 } = {}) => {
  let nowMs = 0
  const sleepers = Clocks.sleepers(() => nowMs)
  const clock = Clocks.make({
    nowMs: () => Math.round(nowMs),
    monotonicNanos: () => BigInt(Math.round(nowMs * 1e6)),
    sleep: sleepers.sleep
  })
  const run = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.gen(function* () {
      const fiber = yield* Effect.forkChild(Effect.provideService(effect, Clock.Clock, clock))
      while (fiber.pollUnsafe() === undefined) {
        for (let turns = 0; turns < patience; turns += 1) yield* Clocks.turn
        const next = sleepers.nextMs()
        if (!Number.isFinite(next)) continue
        nowMs = Math.max(nowMs, next)
        sleepers.wake()
      }
      return yield* Fiber.join(fiber)
    })
  return { run, nowMs: () => nowMs }
}
