/** Time as a merchant's flow feels it beside a sandbox: whoever sleeps lets the gateway's business time pass. */
import { Agenda } from "@pay/gateway/Agenda"
import { SandboxClock } from "@pay/sandbox/SandboxClock"
import { Clock, Duration, Effect } from "effect"

const wall = Clock.Clock.defaultValue()

/** Real time, which callbacks are dated by. */
export const inWallTime = <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.provideService(effect, Clock.Clock, wall)

const dayMs = 86_400_000

/**
 * Runs the effect so that each of its pauses is over at once, after all that was due meanwhile has happened. A clock that
 * jumps is a day ahead after every other pause.
 */
export const inBusinessTime =
  (jumps: boolean) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.gen(function* () {
      const agenda = yield* Agenda
      const { advance, offsetMs } = yield* SandboxClock
      let offset = yield* offsetMs
      let ahead = 0
      const nowMs = () => wall.currentTimeMillisUnsafe() + offset + ahead
      const nanos = () => wall.monotonicTimeNanosUnsafe() + BigInt(Math.round(offset)) * 1_000_000n
      const clock: Clock.Clock = {
        currentTimeMillisUnsafe: nowMs,
        currentTimeMillis: Effect.sync(nowMs),
        currentTimeNanosUnsafe: () => BigInt(Math.round(nowMs())) * 1_000_000n,
        currentTimeNanos: Effect.sync(() => BigInt(Math.round(nowMs())) * 1_000_000n),
        monotonicTimeNanosUnsafe: nanos,
        monotonicTimeNanos: Effect.sync(nanos),
        sleep: (duration) =>
          Effect.suspend(() => advance(Duration.isFinite(duration) ? duration : Duration.days(3660), agenda)).pipe(
            Effect.orDie,
            Effect.ensuring(
              Effect.flatMap(offsetMs, (now) =>
                Effect.sync(() => {
                  offset = now
                  ahead = jumps && ahead === 0 ? dayMs : 0
                })
              )
            )
          )
      }
      return yield* Effect.provideService(effect, Clock.Clock, clock)
    })
