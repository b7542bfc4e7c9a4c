/** A CVV lives until its authorisation is answered and no longer; where it is gone, nothing is sent without it. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Embedded from "./Embedded.ts"
import * as TestMerchant from "./TestMerchant.ts"
import * as World from "./World.ts"

const cvvs = (folder: string) => Effect.map(Embedded.query(folder, "SELECT * FROM cvvs"), (rows) => rows.length)

describe("the row with a CVV", () => {
  it.live.each([
    { card: "ordinary", cvv2: "123", until: "0 seconds", status: "approved" },
    { card: "ordinary", cvv2: "116", until: "0 seconds", status: "declined" },
    { card: "answer-lost", cvv2: "123", until: "6 seconds", status: "approved" },
    { card: "not-sent", cvv2: "123", until: "17 minutes", status: "error" }
  ] as const)("$card $cvv2: is there until the order is $status", ({ card, cvv2, status, until }) =>
    Effect.gen(function* () {
      const folder = yield* Embedded.folder
      const order = yield* TestMerchant.create("PREAUTH", { card, cvv2 }).pipe(
        Embedded.on(folder, { settings: { agendaPaused: true } })
      )
      assert.strictEqual(yield* cvvs(folder), 1)
      yield* Effect.gen(function* () {
        yield* World.settled
        assert.strictEqual(yield* cvvs(folder), (yield* TestMerchant.status(order)).status === status ? 0 : 1)
        yield* World.pass(until)
        assert.strictEqual((yield* TestMerchant.status(order)).status, status)
        assert.strictEqual(yield* cvvs(folder), 0)
      }).pipe(Embedded.on(folder))
    })
  )
})

describe("a CVV whose key is destroyed", () => {
  const moments = [
    { when: "before the first sending", card: "ordinary", settings: { agendaPaused: true }, meanwhile: "processing" },
    { when: "before it is sent again", card: "lost-once", settings: {}, meanwhile: "unknown" }
  ]
  it.live.each(moments)(
    "$when: the order ends error, and the bank never hears of it",
    ({ card, meanwhile, settings }) =>
      Effect.gen(function* () {
        const folder = yield* Embedded.folder
        const order = yield* Effect.gen(function* () {
          const order = yield* TestMerchant.create("SALE", { card })
          yield* World.settled
          assert.strictEqual((yield* TestMerchant.status(order)).status, meanwhile)
          return order
        }).pipe(Embedded.on(folder, { settings }))
        yield* Embedded.destroyBriefKeys(folder)
        yield* Effect.gen(function* () {
          yield* World.pass("2 minutes")
          const status = yield* TestMerchant.status(order)
          assert.deepInclude(status, { status: "error", "captured-amount": "0.00" })
          assert.deepStrictEqual(yield* TestMerchant.atBank(order), [])
          assert.strictEqual(yield* cvvs(folder), 0)
          yield* TestMerchant.allIsWell
        }).pipe(Embedded.on(folder))
      })
  )

  it.live("is removed after half an hour, and so is what was never sent", () =>
    Effect.gen(function* () {
      const folder = yield* Embedded.folder
      const order = yield* Effect.gen(function* () {
        const order = yield* TestMerchant.create("SALE")
        yield* World.pass("32 minutes")
        assert.strictEqual(yield* cvvs(folder), 0)
        assert.strictEqual((yield* TestMerchant.status(order)).status, "processing")
        return order
      }).pipe(Embedded.on(folder, { settings: { agendaPaused: true } }))
      yield* Effect.gen(function* () {
        yield* World.settled
        assert.strictEqual((yield* TestMerchant.status(order)).status, "error")
        assert.deepStrictEqual(yield* TestMerchant.atBank(order), [])
      }).pipe(Embedded.on(folder))
    })
  )

  it.live("after the bank had the request: the bank's answer counts", () =>
    Effect.gen(function* () {
      const folder = yield* Embedded.folder
      const order = yield* Effect.tap(TestMerchant.create("SALE", { card: "answer-lost" }), () => World.settled).pipe(
        Embedded.on(folder)
      )
      yield* Embedded.destroyBriefKeys(folder)
      yield* Effect.gen(function* () {
        yield* World.pass("6 seconds")
        assert.strictEqual((yield* TestMerchant.status(order)).status, "approved")
        assert.deepStrictEqual(yield* TestMerchant.atBank(order), ["authorize 1042 Approved"])
        assert.strictEqual(yield* cvvs(folder), 0)
        yield* TestMerchant.allIsWell
      }).pipe(Embedded.on(folder))
    })
  )
})
