import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect } from "effect"
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
