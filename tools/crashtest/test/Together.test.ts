import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, Exit, Fiber, Scope } from "effect"
import { TestClock } from "effect/testing"
import * as Together from "../src/run/Together.ts"

/** A fault that takes a second, and how often it began and ended. */
const made = Effect.fnUntraced(function* (count: number) {
  const counts = { begun: 0, ended: 0 }
  const scope = yield* Scope.make()
  const act = Effect.gen(function* () {
    counts.begun += 1
    yield* Effect.sleep("1 second")
    counts.ended += 1
  })
  const together = yield* Scope.provide(Together.make({ act, count, longestGapMs: 100 }), scope)
  return { counts, scope, ...together }
})

describe("orders that meet one fault together", () => {
  it.effect("meet it once if all come, without a wait for more", () =>
    Effect.gen(function* () {
      const { counts, reached } = yield* made(3)
      const orders = yield* Effect.forkChild(
        Effect.all([reached(), Effect.delay(reached(), 50), Effect.delay(reached(), 60)], { concurrency: 3 })
      )
      yield* TestClock.adjust(1_100)
      yield* Fiber.join(orders)
      assert.deepStrictEqual(counts, { begun: 1, ended: 1 })
    })
  )

  it.effect("meet it one after the other if the shop serves one after the other", () =>
    Effect.gen(function* () {
      const { counts, reached } = yield* made(2)
      const orders = yield* Effect.forkChild(Effect.andThen(reached(), reached()))
      yield* TestClock.adjust("5 seconds")
      yield* Fiber.join(orders)
      assert.deepStrictEqual(counts, { begun: 2, ended: 2 })
    })
  )

  it.effect("go on before a fault that happens while they do, each as long before it as its lead", () =>
    Effect.gen(function* () {
      const wentOn: Array<number> = []
      const kills: Array<number> = []
      const scope = yield* Effect.scope
      const note = (times: Array<number>) =>
        Effect.map(Clock.currentTimeMillis, (nowMs) => {
          times.push(nowMs)
        })
      const together = Together.make({ act: note(kills), count: 2, longestGapMs: 100 })
      const { idle, reached } = yield* Scope.provide(together, scope)
      const order = (leadMs: number) => Effect.andThen(reached(leadMs), note(wentOn))
      const orders = yield* Effect.forkChild(
        Effect.all([order(2), Effect.delay(order(8), 50)], { concurrency: "unbounded" })
      )
      yield* TestClock.adjust(300)
      yield* Effect.andThen(Fiber.join(orders), idle)
      assert.deepStrictEqual([kills, wentOn], [[108], [100, 106]])
    })
  )

  it.effect("see the end of a fault that began before their round ended", () =>
    Effect.gen(function* () {
      const { counts, reached, scope } = yield* made(1)
      yield* Effect.forkChild(reached())
      yield* TestClock.adjust(500)
      const closing = yield* Effect.forkChild(Scope.close(scope, Exit.void))
      yield* TestClock.adjust(1_000)
      yield* Fiber.join(closing)
      assert.deepStrictEqual(counts, { begun: 1, ended: 1 })
    })
  )

  it.effect("do not disturb another round with a moment that comes after theirs", () =>
    Effect.gen(function* () {
      const { counts, idle, reached, scope } = yield* made(1)
      yield* Scope.close(scope, Exit.void)
      yield* reached()
      yield* idle
      assert.deepStrictEqual(counts, { begun: 0, ended: 0 })
    })
  )
})
