/** Tests that each try of a callback is judged by the addresses that its host has then. */
import { assert, describe, it } from "@effect/vitest"
import { NameResolver } from "@pay/gateway/Gateway"
import { Effect, Layer } from "effect"
import * as CallbackServer from "../harness/CallbackServer.ts"
import * as ClientMerchant from "../harness/ClientMerchant.ts"
import * as World from "../harness/World.ts"
import * as SocketWorld from "./SocketWorld.ts"

/** A name server that a test can move every host with. */
const names = () => {
  const addresses: Array<string> = []
  return {
    moveTo: (...moved: ReadonlyArray<string>) => {
      addresses.splice(0, addresses.length, ...moved)
    },
    layer: Layer.succeed(NameResolver, { resolve: () => Effect.sync(() => [...addresses]) })
  }
}

describe("the host of a callback that resolves to another address at the second try", () => {
  it.live.each([
    [["10.0.0.1"], "10.0.0.1 is a private address (RFC 1918)"],
    [["10.0.0.1", "169.254.169.254"], "169.254.169.254 is a link-local address (RFC 3927)"],
    [["fd00::1"], "fd00::1 is a unique local address (RFC 4193)"]
  ] as const)("is not called at %j, and is called at its first address again", ([inside, lastResult]) => {
    const { layer, moveTo } = names()
    return Effect.gen(function* () {
      const shop = yield* CallbackServer.open({ says: [500] })
      moveTo("127.0.0.1")
      const order = yield* ClientMerchant.create("SALE", {
        server_callback_url: `http://shop.example:${shop.port}/callback`
      })
      yield* World.settled
      assert.deepInclude(yield* SocketWorld.event(order), { delivery: "pending", tries: 1, lastResult: "500" })

      moveTo(...inside)
      yield* World.pass("2 minutes")
      assert.deepInclude(yield* SocketWorld.event(order), { delivery: "pending", tries: 2, lastResult })
      assert.strictEqual(shop.requests.length, 1)

      moveTo("127.0.0.1")
      yield* World.pass("3 minutes")
      assert.deepInclude(yield* SocketWorld.event(order), { delivery: "delivered", tries: 3, lastResult: "200" })
      assert.strictEqual(shop.requests.length, 2)
    }).pipe(Effect.provide(SocketWorld.layer({}, layer), { local: true }))
  })
})
