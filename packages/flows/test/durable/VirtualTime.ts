import { Clock, Deferred, Duration, Effect, Fiber } from "effect"

/** A clock that jumps to the next timer as soon as every fiber waits. */
export const make = () => {
  const sleepers = new Set<{ readonly wakeAtMs: number; readonly woken: Deferred.Deferred<void> }>()
  let nowMs = 0
  const nanos = () => BigInt(Math.round(nowMs * 1e6))
  const clock: Clock.Clock = {
    currentTimeMillisUnsafe: () => Math.round(nowMs),
    currentTimeMillis: Effect.sync(() => Math.round(nowMs)),
    currentTimeNanosUnsafe: nanos,
    currentTimeNanos: Effect.sync(nanos),
    monotonicTimeNanosUnsafe: nanos,
    monotonicTimeNanos: Effect.sync(nanos),
    sleep: (duration) =>
      Effect.suspend(() => {
        const sleeper = { wakeAtMs: nowMs + Duration.toMillis(duration), woken: Deferred.makeUnsafe<void>() }
        sleepers.add(sleeper)
        return Effect.ensuring(
          Deferred.await(sleeper.woken),
          Effect.sync(() => sleepers.delete(sleeper))
        )
      })
  }
  const turn = Effect.promise(() => new Promise<void>((resume) => setImmediate(resume)))
  const run = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.gen(function* () {
      const fiber = yield* Effect.forkChild(Effect.provideService(effect, Clock.Clock, clock))
      while (fiber.pollUnsafe() === undefined) {
        for (let turns = 0; turns < 4; turns += 1) yield* turn
        let next = Number.POSITIVE_INFINITY
        for (const { wakeAtMs } of sleepers) next = Math.min(next, wakeAtMs)
        if (!Number.isFinite(next)) continue
        nowMs = Math.max(nowMs, next)
        for (const { wakeAtMs, woken } of sleepers) if (wakeAtMs <= nowMs) Deferred.doneUnsafe(woken, Effect.void)
      }
      return yield* Fiber.join(fiber)
    })
  return { run, nowMs: () => nowMs }
}
