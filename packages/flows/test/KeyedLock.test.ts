import { assert, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import * as KeyedLock from "../src/engine/KeyedLock.ts"

it.effect("KeyedLock runs effects of one key in turn, of other keys at once, and forgets a finished key", () =>
  Effect.gen(function* () {
    const { size, take } = KeyedLock.make()
    const goOn = yield* Deferred.make<void>()
    const done: Array<string> = []
    const turn = (key: string, name: string, waits: Effect.Effect<void> = Effect.void) =>
      Effect.forkChild(
        take(key, () =>
          Effect.andThen(
            waits,
            Effect.sync(() => done.push(name))
          )
        ),
        {
          startImmediately: true
        }
      )
    const first = yield* turn("a", "first", Deferred.await(goOn))
    const second = yield* turn("a", "second")
    const left = yield* turn("a", "left")
    const beside = yield* turn("b", "beside")
    yield* Fiber.join(beside)
    assert.deepStrictEqual([done, size()], [["beside"], 1])
    yield* Fiber.interrupt(left)
    yield* Deferred.succeed(goOn, undefined)
    yield* Fiber.join(first)
    yield* Fiber.join(second)
    yield* Effect.exit(take("a", () => Effect.fail("refused")))
    assert.deepStrictEqual([done, size()], [["beside", "first", "second"], 0])
  })
)

it.effect("KeyedLock shares the success of a run that started after the caller came, and repeats a failure", () =>
  Effect.gen(function* () {
    const { take } = KeyedLock.make()
    const goOn = yield* Deferred.make<void>()
    const done: Array<string> = []
    const turn = (name: string, outcome: Effect.Effect<unknown, string>) =>
      Effect.forkChild(
        Effect.exit(
          take("a", (share) =>
            share(
              Effect.andThen(
                Effect.sync(() => done.push(name)),
                outcome
              )
            )
          )
        ),
        { startImmediately: true }
      )
    const turns = [
      yield* turn("under way", Deferred.await(goOn)),
      yield* turn("fails", Effect.fail("refused")),
      yield* turn("tries again", Effect.void),
      yield* turn("shares", Effect.void)
    ]
    yield* Deferred.succeed(goOn, undefined)
    for (const one of turns) yield* Fiber.join(one)
    assert.deepStrictEqual(done, ["under way", "fails", "tries again"])
  })
)
