/** Callbacks that are not delivered yet survive a restart of the gateway. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { temporaryFolder } from "../../packages/sqlite/test/TemporaryFolder.ts"
import * as CallbackServer from "../harness/CallbackServer.ts"
import * as ClientMerchant from "../harness/ClientMerchant.ts"
import * as TestGateway from "../harness/TestGateway.ts"
import * as World from "../harness/World.ts"
import * as SocketWorld from "./SocketWorld.ts"

describe("after a restart, a callback", () => {
  it.live("that failed is sent again when it is due, with the same content", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const shop = yield* CallbackServer.open({ says: [500, 500] })
      const order = yield* Effect.tap(
        ClientMerchant.create("SALE", { server_callback_url: shop.url() }),
        World.settled
      ).pipe(TestGateway.quietly(folder))
      yield* Effect.gen(function* () {
        yield* World.settled
        assert.deepInclude(yield* SocketWorld.event(order), { delivery: "pending", tries: 1, lastResult: "500" })
        yield* World.pass("2 minutes")
        assert.deepInclude(yield* SocketWorld.event(order), { delivery: "pending", tries: 2, lastResult: "500" })
      }).pipe(TestGateway.quietly(folder))
      yield* Effect.gen(function* () {
        yield* World.pass("3 minutes")
        assert.deepInclude(yield* SocketWorld.event(order), { delivery: "delivered", tries: 3, lastResult: "200" })
      }).pipe(TestGateway.quietly(folder))
      assert.strictEqual(shop.requests.length, 3)
      assert.strictEqual(new Set(shop.requests.map(({ target }) => target)).size, 1)
      assert.deepStrictEqual(
        shop.requests.map(({ headers }) => headers["webhook-id"]),
        Array.from({ length: 3 }, () => `${order.orderid}-1`)
      )
    })
  )

  it.live("that was never sent is sent before later ones", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const shop = yield* CallbackServer.open({ says: [503] })
      yield* Effect.gen(function* () {
        const order = yield* ClientMerchant.create("PREAUTH", { server_callback_url: shop.url() })
        yield* World.settled
        yield* ClientMerchant.act("CAPTURE", order)
        yield* World.settled
        assert.deepStrictEqual(CallbackServer.report(shop), ["preauth approved"])
      }).pipe(TestGateway.quietly(folder))
      yield* World.pass("2 minutes").pipe(TestGateway.quietly(folder))
      assert.deepStrictEqual(CallbackServer.report(shop), ["preauth approved", "preauth approved", "capture approved"])
    })
  )
})
