/** Time for a merchant's flow beside a sandbox: while everything waits, the gateway's business time advances from moment to moment. */
import { Scheduler } from "@pay/gateway/Scheduler"
import { SandboxClock } from "@pay/sandbox/SandboxClock"
import * as PayClient from "@pay/transport/PayClient"
import { Clock, Effect, Fiber } from "effect"
import * as Clocks from "../../packages/schema/test/Clocks.ts"

const dayMs = 86_400_000

/**
 * Runs the effect. Whenever it waits, advances the time to the end of its next pause or to the next job of the gateway. A clock that
 * jumps is a day ahead after every second pause. The time advances only after `rest` completes.
 */
export const inBusinessTime =
  (jumps: boolean, rest: Effect.Effect<void> = Effect.void) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.gen(function* () {
      const scheduler = yield* Scheduler
      const { advance, offsetMs } = yield* SandboxClock
      const client = yield* PayClient.PayClient
      let offset = yield* offsetMs
      let ahead = 0
      let calls = 0
      let onAnswers = () => {}
      /** Completes when the last call that is under way has ended. */
      const answers = Effect.callback<void>((resume) => {
        onAnswers = () => resume(Effect.void)
      })

      const nowMs = () => Clocks.wall.currentTimeMillisUnsafe() + offset
      const sleepers = Clocks.sleepers(nowMs)
      const clock = Clocks.make({
        nowMs: () => nowMs() + ahead,
        monotonicNanos: () => Clocks.wall.monotonicTimeNanosUnsafe() + BigInt(Math.round(offset)) * 1_000_000n,
        sleep: sleepers.sleep
      })

      const counted = PayClient.around(client, (call) =>
        Effect.suspend(() => {
          calls += 1
          return Effect.ensuring(
            call,
            Effect.sync(() => {
              calls -= 1
              if (calls === 0) onAnswers()
            })
          )
        })
      )

      /** Advances to the next moment at which a pause of the flow ends or something is due at the gateway. */
      const advanceToNext = Effect.gen(function* () {
        const dueMs = yield* scheduler.nextDueMs
        const wakeMs = sleepers.nextMs()
        if (!Number.isFinite(wakeMs)) return
        const next = Math.min(wakeMs, dueMs === undefined || dueMs <= nowMs() ? Number.POSITIVE_INFINITY : dueMs)
        yield* Effect.orDie(advance(Math.max(0, Math.ceil(next - nowMs())), scheduler))
        offset = yield* offsetMs
        sleepers.wake(() => {
          ahead = jumps && ahead === 0 ? dayMs : 0
        })
      })

      const atRest = Effect.provideService(rest, Clock.Clock, clock)
      const fiber = yield* Effect.forkChild(
        effect.pipe(Effect.provideService(Clock.Clock, clock), Effect.provideService(PayClient.PayClient, counted))
      )
      while (fiber.pollUnsafe() === undefined) {
        yield* Clocks.turn
        if (calls > 0) {
          yield* answers
          continue
        }
        yield* atRest
        yield* scheduler.settled
        yield* atRest
        yield* Clocks.turn
        yield* Clocks.turn
        if (calls === 0 && fiber.pollUnsafe() === undefined) yield* advanceToNext
      }
      return yield* Fiber.join(fiber)
    })
