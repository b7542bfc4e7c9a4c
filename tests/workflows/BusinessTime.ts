/** Time for a merchant's flow beside a sandbox: while everything waits, the gateway's business time advances from moment to moment. */
import { Scheduler } from "@pay/gateway/Scheduler"
import { SandboxClock } from "@pay/sandbox/SandboxClock"
import * as PayClient from "@pay/transport/PayClient"
import { Clock, Deferred, Duration, Effect, Fiber } from "effect"
import { make, wall } from "../harness/Clocks.ts"

interface Sleeper {
  readonly wakeAtMs: number
  readonly woken: Deferred.Deferred<void>
}

const dayMs = 86_400_000

/** Lets all other callbacks of the event loop run, so that answers of the gateway are read. */
const turn = Effect.promise(() => new Promise<void>((resume) => setImmediate(resume)))

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
      const sleepers = new Set<Sleeper>()
      let offset = yield* offsetMs
      let ahead = 0
      let calls = 0
      let onAnswers = () => {}
      /** Completes when the last call that is under way has ended. */
      const answers = Effect.callback<void>((resume) => {
        onAnswers = () => resume(Effect.void)
      })

      const nowMs = () => wall.currentTimeMillisUnsafe() + offset
      const display = () => nowMs() + ahead
      const clock = make({
        nowMs: display,
        monotonicNanos: () => wall.monotonicTimeNanosUnsafe() + BigInt(Math.round(offset)) * 1_000_000n,
        sleep: (duration) =>
          Effect.suspend(() => {
            const sleeper = { wakeAtMs: nowMs() + Duration.toMillis(duration), woken: Deferred.makeUnsafe<void>() }
            sleepers.add(sleeper)
            return Effect.ensuring(
              Deferred.await(sleeper.woken),
              Effect.sync(() => sleepers.delete(sleeper))
            )
          })
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
        const times = [...sleepers].map(({ wakeAtMs }) => wakeAtMs)
        if (times.length === 0) return
        const next = Math.min(...times, dueMs === undefined || dueMs <= nowMs() ? Number.POSITIVE_INFINITY : dueMs)
        yield* Effect.orDie(advance(Math.max(0, Math.ceil(next - nowMs())), scheduler))
        offset = yield* offsetMs
        for (const sleeper of sleepers) {
          if (sleeper.wakeAtMs > nowMs()) continue
          ahead = jumps && ahead === 0 ? dayMs : 0
          Deferred.doneUnsafe(sleeper.woken, Effect.void)
        }
      })

      const atRest = Effect.provideService(rest, Clock.Clock, clock)
      const fiber = yield* Effect.forkChild(
        effect.pipe(Effect.provideService(Clock.Clock, clock), Effect.provideService(PayClient.PayClient, counted))
      )
      while (fiber.pollUnsafe() === undefined) {
        yield* turn
        if (calls > 0) {
          yield* answers
          continue
        }
        yield* atRest
        yield* scheduler.settled
        yield* atRest
        yield* turn
        yield* turn
        if (calls === 0 && fiber.pollUnsafe() === undefined) yield* advanceToNext
      }
      return yield* Fiber.join(fiber)
    })
