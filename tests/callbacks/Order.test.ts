/** Tests that a merchant's address receives the events of one order in the order in which they happened. */
import { assert, describe, it } from "@effect/vitest"
import { CallbackSender } from "@pay/gateway/CallbackSender"
import { Job } from "@pay/gateway/Entities"
import { Store } from "@pay/gateway/Store"
import { Effect, Layer, Schedule } from "effect"
import * as CallbackServer from "../harness/CallbackServer.ts"
import * as ClientMerchant from "../harness/ClientMerchant.ts"
import * as Gate from "../harness/Gate.ts"
import * as World from "../harness/World.ts"
import * as SocketWorld from "./SocketWorld.ts"

/** A captured hold whose callbacks were all delivered, as far as they can be. */
const captured = Effect.fnUntraced(function* (urls: Readonly<Record<string, string>>) {
  const order = yield* ClientMerchant.create("PREAUTH", urls)
  yield* World.settled
  yield* ClientMerchant.act("CAPTURE", order)
  yield* World.settled
  return order
})

describe("a later event", () => {
  it.live("waits for an earlier event of the same order and address, and follows it at once", () =>
    Effect.gen(function* () {
      const shop = yield* CallbackServer.open({ says: [500] })
      const order = yield* captured({ server_callback_url: shop.url() })
      yield* World.pass("119 seconds")
      assert.deepStrictEqual(CallbackServer.report(shop), ["preauth approved"])
      assert.deepInclude(yield* SocketWorld.event(order, 2), { delivery: "pending", tries: 0 })
      yield* World.pass("1 second")
      assert.deepStrictEqual(CallbackServer.report(shop), ["preauth approved", "preauth approved", "capture approved"])
      const [, second, third] = shop.requests
      assert.strictEqual(third?.atMs, second?.atMs)
      assert.deepInclude(yield* SocketWorld.event(order, 2), { delivery: "delivered", tries: 1 })
    }).pipe(Effect.provide(SocketWorld.layer(), { local: true }))
  )

  it.live("follows at once after the first attempt of an earlier event, too", () => {
    const gate = Gate.make()
    const sent: Array<string> = []
    const sender = CallbackSender.of({
      send: ({ url }) => {
        sent.push(new URL(url).searchParams.get("type") ?? "")
        return gate.after(Effect.succeed({ status: 200 }))
      }
    })
    return Effect.gen(function* () {
      yield* gate.shut
      const order = yield* ClientMerchant.create("PREAUTH", { server_callback_url: "https://shop.example/callback" })
      yield* gate.reached
      yield* ClientMerchant.act("CAPTURE", order)
      const store = yield* Store
      const waits = store.load(Job, [`callback:${order.orderid}-2`])
      yield* Effect.repeat(waits, { schedule: Schedule.spaced(0), until: (job) => job?.tries === 1 })
      assert.deepStrictEqual(sent, ["preauth"])
      yield* gate.open
      yield* World.settled
      assert.deepStrictEqual(sent, ["preauth", "capture"])
    }).pipe(
      Effect.provide(World.layer({ wall: "running", callbacks: Layer.succeed(CallbackSender, sender) }), {
        local: true
      })
    )
  })

  it.live("does not wait for another address of the order", () =>
    Effect.gen(function* () {
      const dead = yield* CallbackServer.open({ judge: () => 500 })
      const shop = yield* CallbackServer.open()
      yield* captured({ server_callback_url: dead.url(), notify_url: shop.url() })
      assert.deepStrictEqual(CallbackServer.report(shop), ["preauth approved", "capture approved"])
      assert.deepStrictEqual(CallbackServer.report(dead), ["preauth approved"])
    }).pipe(Effect.provide(SocketWorld.layer(), { local: true }))
  )

  it.live("does not wait for another order with the same address", () =>
    Effect.gen(function* () {
      const shop = yield* CallbackServer.open({ says: [500] })
      const stuck = yield* ClientMerchant.create("SALE", { server_callback_url: shop.url() })
      yield* World.settled
      const free = yield* ClientMerchant.create("SALE", { server_callback_url: shop.url() })
      yield* World.settled
      assert.deepInclude(yield* SocketWorld.event(stuck), { delivery: "pending" })
      assert.deepInclude(yield* SocketWorld.event(free), { delivery: "delivered" })
    }).pipe(Effect.provide(SocketWorld.layer(), { local: true }))
  )

  it.live("waits 14 days for an earlier event, and follows after that is dead-lettered", () =>
    Effect.gen(function* () {
      const aboutHold = ({ target }: CallbackServer.ReceivedRequest) => target.includes("type=preauth")
      const shop = yield* CallbackServer.open({ judge: (request) => (aboutHold(request) ? 503 : 200) })
      const order = yield* captured({ server_callback_url: shop.url() })
      yield* World.pass("1209599 seconds")
      assert.isTrue(shop.requests.every(aboutHold))
      assert.deepInclude(yield* SocketWorld.event(order), { delivery: "pending", tries: 30 })
      yield* World.pass("1 second")
      assert.deepInclude(yield* SocketWorld.event(order), { delivery: "dead-lettered", tries: 31 })
      assert.deepInclude(yield* SocketWorld.event(order, 2), { delivery: "delivered", tries: 1 })
      yield* ClientMerchant.act("RETURN", order)
      yield* World.settled
      assert.deepStrictEqual(CallbackServer.report(shop).slice(31), ["capture approved", "reversal approved"])
    }).pipe(Effect.provide(SocketWorld.layer(), { local: true }))
  )
})
