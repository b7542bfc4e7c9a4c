import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Result } from "effect"
import * as ReplayOrder from "../../src/durable/ReplayOrder.ts"

/** Reads a result that was recorded when so many steps had been requested, and notes when it arrives. */
const replayed = (order: ReplayOrder.ReplayOrder, requested: number, events: Array<string>) =>
  order.counted("decline", Effect.succeed({ requested, result: "declined" })).pipe(
    Effect.flatMap(order.inTurn),
    Effect.map((result) => events.push(String(result)))
  )

const both = { concurrency: "unbounded", discard: true } as const

describe("a recorded result of a parallel part", () => {
  it.effect("is replayed after the steps that other parts had requested", () =>
    Effect.gen(function* () {
      const order = ReplayOrder.make()
      const events: Array<string> = []
      const other = order.counted("other", Effect.yieldNow).pipe(
        Effect.andThen(Effect.sync(() => events.push("other"))),
        Effect.andThen(
          order.counted(
            "last",
            Effect.sync(() => events.push("last"))
          )
        )
      )
      yield* Effect.all([replayed(order, 3, events), other], both)
      assert.deepStrictEqual(events, ["other", "last", "declined"])
    })
  )

  it.effect("waits while a step of another part is executed again", () =>
    Effect.gen(function* () {
      const order = ReplayOrder.make()
      const events: Array<string> = []
      const answer = yield* Deferred.make<void>()
      const other = order.counted("other", Deferred.await(answer)).pipe(
        Effect.andThen(
          order.counted(
            "last",
            Effect.sync(() => events.push("last"))
          )
        )
      )
      const answering = Effect.andThen(
        Effect.replicateEffect(Effect.yieldNow, 100),
        Deferred.succeed(answer, undefined)
      )
      yield* Effect.all([replayed(order, 3, events), other, answering], both)
      assert.deepStrictEqual(events, ["last", "declined"])
    })
  )

  it.effect("is replayed if no further step comes, and has the count of its steps", () =>
    Effect.gen(function* () {
      const order = ReplayOrder.make()
      const events: Array<string> = []
      yield* replayed(order, 3, events)
      assert.deepStrictEqual([events, order.mark("paid")], [["declined"], { requested: 1, result: "paid" }])
      assert.deepStrictEqual(ReplayOrder.none.mark("paid"), "paid")
    })
  )
})

/** A wait that has ended at the look with this number, or never. */
const waitOf = (name: string, endsAt: number, events: Array<string>) => {
  let looks = 0
  return Effect.succeed(
    Result.fail({
      watch: Effect.sync(() => {
        looks += 1
        events.push(`${name}: look ${looks}`)
        return looks === endsAt
      }),
      unwatch: Effect.sync(() => void events.push(`${name}: no look`)),
      value: Effect.sync(() => events.push(`${name} waits`))
    })
  )
}
const never = Number.POSITIVE_INFINITY

describe("a wait of a parallel part", () => {
  it.effect("begins when the steps of other parts are done, and these wait, too", () =>
    Effect.gen(function* () {
      const order = ReplayOrder.make()
      const events: Array<string> = []
      const step = order.counted(
        "step",
        Effect.andThen(
          Effect.replicateEffect(Effect.yieldNow, 100),
          Effect.sync(() => events.push("step"))
        )
      )
      const other = Effect.andThen(Effect.andThen(step, step), order.waited("other", waitOf("other", never, events)))
      yield* Effect.all([order.waited("one", waitOf("one", never, events)), other], both)
      assert.deepStrictEqual(events.slice(0, 2), ["step", "step"])
      assert.sameMembers(events.slice(2, 4), ["one: look 1", "other: look 1"])
      assert.sameMembers(
        events.slice(4).filter((event) => event.endsWith("waits")),
        ["one waits", "other waits"]
      )
    })
  )

  it.effect("does not suspend a part whose wait has ended meanwhile", () =>
    Effect.gen(function* () {
      const order = ReplayOrder.make()
      const events: Array<string> = []
      const ended = Effect.andThen(
        order.waited("ended", waitOf("ended", 1, events)),
        order.counted(
          "next",
          Effect.sync(() => events.push("next"))
        )
      )
      yield* Effect.all([order.waited("one", waitOf("one", never, events)), ended], both)
      assert.isBelow(events.indexOf("next"), events.indexOf("one waits"))
      assert.include(events, "one: look 2")
    })
  )

  it.effect("that has ended before gives its value at once", () =>
    Effect.gen(function* () {
      const order = ReplayOrder.make()
      assert.strictEqual(yield* order.waited("one", Effect.succeed(Result.succeed("news"))), "news")
    })
  )
})
