import { assert, describe, layer } from "@effect/vitest"
import { Order } from "@pay/gateway/Entities"
import { Effect, Fiber, Schedule } from "effect"
import * as Sales from "./Sales.ts"
import * as TcpProxy from "./TcpProxy.ts"

/** Parts of the statements with which the store commits, and with which it asks about a commit. */
const commit = "pay.commit_"
const question = "UPDATE pay.writers SET result"

const behindProxy = Effect.gen(function* () {
  const direct = yield* (yield* Sales.Databases).make
  const url = new URL(direct)
  const proxy = yield* TcpProxy.make(Number(url.port))
  url.port = `${proxy.port}`
  const store = yield* Sales.open(url.href)
  const sales = Sales.none()
  yield* Sales.sell(store, sales, "first")
  return { direct, proxy, sales, store, through: url.href }
})

const moments: ReadonlyArray<readonly [TcpProxy.Moment, boolean]> = [
  ["before", false],
  ["during", true],
  ["after", true]
]

layer(Sales.Databases.layer, { excludeTestServices: true })("a store whose connection is cut", (it) => {
  describe("during a commit", () => {
    it.effect.each(moments)("finds out the outcome, and commits once: cut %s execution", ([moment]) =>
      Effect.gen(function* () {
        const { proxy, sales, store } = yield* behindProxy
        const done = yield* proxy.cutAt(moment, commit)
        yield* Sales.sell(store, sales, "second")
        yield* done
        assert.deepStrictEqual(sales, { acknowledged: ["first", "second"], refused: [], unknown: [] })
        assert.deepStrictEqual(yield* Sales.check(store, sales), ["first", "second"])
      })
    )

    it.effect.each(moments)(
      "reports an unknown outcome if the server cannot be asked: cut %s execution",
      ([moment, isThere]) =>
        Effect.gen(function* () {
          const { direct, proxy, sales, store } = yield* behindProxy
          const done = yield* proxy.cutAt(moment, commit, "refuse")
          yield* Sales.sell(store, sales, "second")
          yield* done
          assert.deepStrictEqual(sales.unknown, ["second"])
          yield* proxy.accept
          // The store has channels that wait for the answer to their question, and goes on when they have it.
          yield* Sales.recover(store, sales)
          // By then the server has what it had received, too.
          const orders = yield* Sales.check(store, sales)
          assert.strictEqual(orders.includes("second"), isThere)
          yield* Sales.check(yield* Sales.open(direct), sales)
        })
    )
  })

  it.effect.each(["before", "during", "after"] as const)(
    "repeats its question about the outcome, cut %s execution of the question",
    (moment) =>
      Effect.gen(function* () {
        const { proxy, sales, store } = yield* behindProxy
        const first = yield* proxy.cutAt("after", commit)
        const sale = yield* Effect.forkChild(Sales.sell(store, sales, "second"), { startImmediately: true })
        yield* first
        const second = yield* proxy.cutAt(moment, question)
        yield* second
        yield* Fiber.join(sale)
        assert.deepStrictEqual(yield* Sales.check(store, sales), ["first", "second"])
      })
  )

  it.effect("repeats a delayed commit, which then has no effect when it arrives", () =>
    Effect.gen(function* () {
      const { proxy, sales, store } = yield* behindProxy
      const { arrive, begun } = yield* proxy.holdAt(commit)
      const sale = yield* Effect.forkChild(Sales.sell(store, sales, "second"), { startImmediately: true })
      yield* begun
      yield* Fiber.join(sale)
      assert.deepStrictEqual(sales.acknowledged, ["first", "second"])
      yield* arrive
      assert.deepStrictEqual(yield* Sales.check(store, sales), ["first", "second"])
    })
  )

  it.effect("closes the connection once, with 50 statements in flight", () =>
    Effect.gen(function* () {
      const { proxy, store } = yield* behindProxy
      const warnings: Array<string> = []
      const note = ({ name }: Error) => void warnings.push(name)
      process.on("warning", note)
      yield* Effect.addFinalizer(() => Effect.sync(() => process.off("warning", note)))
      const reads = Effect.all(
        Array.from({ length: 50 }, (_, at) => store.load(Order, [`${at}`])),
        { concurrency: "unbounded" }
      )
      // Its connections are open then.
      yield* reads
      yield* proxy.pause
      const { requests } = yield* proxy.counts
      const answers = yield* Effect.forkChild(reads)
      yield* Effect.repeat(proxy.counts, {
        schedule: Schedule.spaced("5 millis"),
        until: (counts) => counts.requests >= requests + 50
      })
      yield* proxy.cutAll
      yield* proxy.resume
      yield* Fiber.await(answers)
      assert.deepStrictEqual(warnings, [])
    })
  )

  it.effect("has each acknowledged sale once after repeated cuts under load", () =>
    Effect.gen(function* () {
      const { proxy, store, through } = yield* behindProxy
      const other = yield* Sales.open(through)
      const sales = yield* Effect.scoped(
        Effect.gen(function* () {
          const load = yield* Sales.sellers([store, other])
          yield* Effect.repeat(Effect.andThen(Sales.more(load.acknowledged, 20), proxy.cutAll), { times: 20 })
          yield* Sales.more(load.acknowledged)
          return load
        })
      )
      sales.acknowledged.push("first")
      yield* Sales.check(store, sales)
    })
  )
})
