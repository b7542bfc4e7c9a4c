/** What a merchant has not heard yet outlives the gateway that was to say it. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Embedded from "../faults/Embedded.ts"
import * as TestMerchant from "../faults/TestMerchant.ts"
import * as World from "../faults/World.ts"
import * as Shop from "./Shop.ts"

describe("after a restart on the same folder", () => {
  it.live("a callback that failed comes again when it is due: the same event, said the same way", () =>
    Effect.gen(function* () {
      const folder = yield* Embedded.folder
      const shop = yield* Shop.open({ says: [500, 500] })
      const order = yield* Effect.tap(
        TestMerchant.create("SALE", { server_callback_url: shop.url() }),
        World.settled
      ).pipe(Embedded.on(folder))
      yield* Effect.gen(function* () {
        yield* World.settled
        assert.deepInclude(yield* Shop.event(order), { delivery: "pending", tries: 1, lastResult: "500" })
        yield* World.pass("2 minutes")
        assert.deepInclude(yield* Shop.event(order), { delivery: "pending", tries: 2, lastResult: "500" })
      }).pipe(Embedded.on(folder))
      yield* Effect.gen(function* () {
        yield* World.pass("3 minutes")
        assert.deepInclude(yield* Shop.event(order), { delivery: "delivered", tries: 3, lastResult: "200" })
      }).pipe(Embedded.on(folder))
      assert.strictEqual(shop.requests.length, 3)
      assert.strictEqual(new Set(shop.requests.map(({ target }) => target)).size, 1)
      assert.deepStrictEqual(
        shop.requests.map(({ headers }) => headers["webhook-id"]),
        Array.from({ length: 3 }, () => `${order.orderid}-1`)
      )
    })
  )

  it.live("one that was never tried is told, before what came later", () =>
    Effect.gen(function* () {
      const folder = yield* Embedded.folder
      const shop = yield* Shop.open({ says: [503] })
      yield* Effect.gen(function* () {
        const order = yield* TestMerchant.create("PREAUTH", { server_callback_url: shop.url() })
        yield* World.settled
        yield* TestMerchant.act("CAPTURE", order)
        yield* World.settled
        assert.deepStrictEqual(Shop.report(shop), ["preauth approved"])
      }).pipe(Embedded.on(folder))
      yield* World.pass("2 minutes").pipe(Embedded.on(folder))
      assert.deepStrictEqual(Shop.report(shop), ["preauth approved", "preauth approved", "capture approved"])
    })
  )
})
