/** A callback that is not answered with 200 comes again: when, how often, and what of it stays the same. */
import { afterEach, assert, describe, it, vi } from "@effect/vitest"
import * as Sandbox from "@pay/server/Sandbox"
import * as CallbackReceiver from "@pay/transport/CallbackReceiver"
import { Clock, Effect, Redacted } from "effect"
import { freePort } from "../../packages/schema/test/Loopback.ts"
import * as CallbackServer from "../harness/CallbackServer.ts"
import * as ClientMerchant from "../harness/ClientMerchant.ts"
import * as World from "../harness/World.ts"
import * as SocketWorld from "./SocketWorld.ts"

const minuteMs = 60_000
const unitMs: Readonly<Record<string, number>> = { min: minuteMs, h: 60 * minuteMs, d: 24 * 60 * minuteMs }

/** The published times of the retries, counted from the first try, which is at once. */
const published = [
  "2min 5min 10min 20min 30min 1h 2h 3h 6h 12h 18h",
  "1d 2d 3d 4d 5d 6d 7d 8d 9d 10d 11d 11.25d 12d 12.25d 12.5d 13d 13.25d 13.5d 14d"
]
  .flatMap((line) => line.split(" "))
  .map((text) => {
    const [, number, unit = ""] = /^([\d.]+)(\w+)$/.exec(text) ?? []
    return Number(number) * (unitMs[unit] ?? Number.NaN)
  })

/** Wall time stands where the test puts it. */
const wallMs = Date.UTC(2026, 5, 1)
afterEach(() => void vi.useRealTimers())

describe("a callback that is never accepted", () => {
  it.live("is sent at once and at the 30 published times of 14 days, and is then dead-lettered", () =>
    Effect.gen(function* () {
      const shop = yield* CallbackServer.open({ judge: () => 503 })
      const startMs = yield* Clock.currentTimeMillis
      const order = yield* ClientMerchant.create("SALE", { server_callback_url: shop.url() })
      yield* World.settled
      yield* World.pass("13 days")
      assert.deepInclude(yield* SocketWorld.event(order), { delivery: "pending", lastResult: "503" })
      yield* World.pass("20 days")
      assert.strictEqual(published.length, 30)
      assert.deepStrictEqual(
        shop.requests.map(({ atMs }) => atMs - startMs),
        [0, ...published]
      )
      assert.deepInclude(yield* SocketWorld.event(order), { delivery: "dead-lettered", tries: 31, lastResult: "503" })
      assert.strictEqual(
        (yield* ClientMerchant.status(order)).status,
        "approved",
        "what is told of it is not the payment"
      )
      yield* ClientMerchant.allIsWell
    }).pipe(Effect.provide(SocketWorld.layer(), { local: true }))
  )

  it.live("is the same event at each try, with the time of the try", () =>
    Effect.gen(function* () {
      const shop = yield* CallbackServer.open({ says: [500, 500, 500] })
      vi.setSystemTime(wallMs)
      const { orderid } = yield* ClientMerchant.create("SALE", { server_callback_url: shop.url() })
      yield* World.settled
      for (const seconds of [7, 1000, 100_000]) {
        vi.setSystemTime(wallMs + seconds * 1000)
        yield* World.pass("5 minutes")
      }
      const wallSeconds = [0, 7, 7, 1000].map((seconds) => wallMs / 1000 + seconds)
      assert.strictEqual(shop.requests.length, wallSeconds.length)
      assert.strictEqual(new Set(shop.requests.map(({ target }) => target)).size, 1)
      for (const [index, { headers, target }] of shop.requests.entries()) {
        const proved = CallbackReceiver.verifyAt(
          { url: target, headers },
          {
            controlKeys: [Redacted.make(Sandbox.merchant.controlKey)],
            requireWebhookHeaders: true,
            toleranceSeconds: 0
          },
          wallSeconds[index] ?? Number.NaN
        )
        assert.deepInclude(yield* Effect.fromResult(proved), { orderid, webhookId: `${orderid}-1` })
      }
    }).pipe(Effect.provide(SocketWorld.layer(), { local: true }))
  )
})

describe("only status 200 accepts a callback", () => {
  const two = "2 minutes"
  it.live.each([
    [200, "1 try"],
    [201, "2 tries"],
    [204, "2 tries"],
    [301, "2 tries"],
    [307, "2 tries"],
    [404, "2 tries"],
    [500, "2 tries"],
    ["hangUp", "2 tries"]
  ] as const)("an answer of %s leads to %s", ([answer, tries]) =>
    Effect.gen(function* () {
      const elsewhere = yield* CallbackServer.open()
      const shop = yield* CallbackServer.open({ says: [answer], location: elsewhere.url() })
      const order = yield* ClientMerchant.create("SALE", { server_callback_url: shop.url() })
      yield* World.settled
      const first = answer === 200 ? "delivered" : "pending"
      const lastResult = answer === "hangUp" ? "answer UND_ERR_SOCKET" : String(answer)
      assert.deepInclude(yield* SocketWorld.event(order), { delivery: first, lastResult })
      yield* World.pass(two)
      assert.deepInclude(yield* SocketWorld.event(order), { delivery: "delivered", lastResult: "200" })
      yield* World.pass("20 days")
      assert.strictEqual(shop.requests.length, Number(tries.slice(0, 1)))
      assert.strictEqual(elsewhere.requests.length, 0, "a redirect is not followed")
    }).pipe(Effect.provide(SocketWorld.layer(), { local: true }))
  )

  it.live("a server that does not answer in time gets another try", () =>
    Effect.gen(function* () {
      const shop = yield* CallbackServer.open({ says: ["silence"] })
      const order = yield* ClientMerchant.create("SALE", { server_callback_url: shop.url() })
      yield* World.settled
      assert.deepInclude(yield* SocketWorld.event(order), {
        delivery: "pending",
        lastResult: "no answer within 500 ms"
      })
      yield* World.pass("1 hour")
      assert.deepInclude(yield* SocketWorld.event(order), { delivery: "delivered", lastResult: "200" })
    }).pipe(Effect.provide(SocketWorld.layer({ timeoutMs: 500 }), { local: true }))
  )

  it.live("a server that is not reachable gets another try", () =>
    Effect.gen(function* () {
      const port = yield* freePort
      const order = yield* ClientMerchant.create("SALE", { server_callback_url: `http://127.0.0.1:${port}/callback` })
      yield* World.settled
      assert.deepInclude(yield* SocketWorld.event(order), { delivery: "pending", lastResult: "connect ECONNREFUSED" })
      const shop = yield* CallbackServer.open({ port })
      yield* World.pass(two)
      assert.deepInclude(yield* SocketWorld.event(order), { delivery: "delivered", lastResult: "200" })
      assert.deepStrictEqual(CallbackServer.report(shop), ["sale approved"])
    }).pipe(Effect.provide(SocketWorld.layer(), { local: true }))
  )

  it.live("notify_url has its own tries, like server_callback_url", () =>
    Effect.gen(function* () {
      const shop = yield* CallbackServer.open({ judge: ({ target }) => (target.startsWith("/notify") ? 500 : 200) })
      const urls = { server_callback_url: shop.url("/callback"), notify_url: shop.url("/notify") }
      yield* ClientMerchant.create("SALE", urls)
      yield* World.settled
      yield* World.pass("10 minutes")
      const paths = shop.requests.map(({ target }) => target.slice(0, target.indexOf("?")))
      assert.sameMembers(paths, ["/callback", "/notify", "/notify", "/notify", "/notify"])
    }).pipe(Effect.provide(SocketWorld.layer(), { local: true }))
  )
})
