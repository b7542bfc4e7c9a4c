/** Faults on connections that a shop keeps: each meets the request that was planned, and no other. */
import * as Http from "node:http"
import * as Net from "node:net"
import { assert, layer } from "@effect/vitest"
import { Deferred, Effect, Layer } from "effect"
import type { Fault } from "../src/plan/Faults.ts"
import type { FaultAt, Order } from "../src/plan/Payment.ts"
import { type Together, World } from "../src/world/World.ts"
import * as WorldLive from "../src/world/WorldLive.ts"
import * as WorldShop from "./WorldShop.ts"

const world = Layer.provideMerge(
  WorldShop.layer("json"),
  WorldLive.layer({ lateMs: 50, callbackBehindMs: 1, settling: "1 hour" })
)

const keptBy = (maxSockets: number) =>
  Effect.acquireRelease(
    Effect.sync(() => new Http.Agent({ keepAlive: true, maxSockets })),
    (agent) => Effect.sync(() => agent.destroy())
  )

/** Sells an order whose sale meets the fault, and returns what the shop sees. */
const sell = Effect.fnUntraced(function* (agent: Http.Agent, fault?: Fault) {
  const world = yield* World
  const shop = yield* WorldShop.WorldShop
  const faults: ReadonlyArray<FaultAt> = fault === undefined ? [] : [{ fault, moment: { of: "request", index: 1 } }]
  const order = WorldShop.order(faults)
  const isOver = yield* Deferred.make<void>()
  const refusing = Effect.andThen(world.refusing(Effect.sleep("20 millis")), Deferred.succeed(isOver, undefined))
  const acts: Together = {
    reached: () => (fault === "gatewayRestarts" ? world.restartGateway : fault === "refused" ? refusing : Effect.void)
  }
  yield* world.open(order, acts)
  const { text } = yield* shop.send("SALE", WorldShop.saleOf(shop, order), { agent })
  if (fault === "refused") yield* Deferred.await(isOver)
  assert.deepStrictEqual((yield* world.observation(order)).met, faults)
  yield* world.close(order)
  return text
})

/** What the shop gets for each fault, on a connection on which it sold before. */
const rows: ReadonlyArray<readonly [fault: Fault, sees: RegExp]> = [
  ["refused", /^(refused|reset)$/],
  ["lostRequest", /^reset$/],
  ["cutRequest", /^reset$/],
  ["lostAnswer", /^reset$/],
  ["cutAnswer", /^cut$/],
  ["lateAnswer", /^200 accepted$/],
  ["repeatedRequest", /^200 accepted$/],
  ["otherAnswer", /^200 accepted$/],
  ["errorAfter", /^500 error$/],
  ["tooMany", /^429 validation-error$/],
  ["htmlBefore", /^502 text\/html$/],
  ["htmlAfter", /^504 text\/html$/],
  ["gatewayRestarts", /^reset$/]
]

/** Sends sales, which the gateway refuses because they are unsigned, at once on one connection. It returns everything that is answered until there is an answer to each. */
const pipelined = (baseUrl: string, orders: ReadonlyArray<Order>): Effect.Effect<string> =>
  Effect.callback((resume) => {
    const { host, pathname, port } = new URL(`${baseUrl}/api/v2/sale/1001`)
    const socket = Net.connect(Number(port), "127.0.0.1")
    let answers = ""
    socket.on("data", (chunk: Buffer) => {
      answers += chunk.toString()
      if (answers.split("HTTP/1.1 ").length > orders.length) resume(Effect.succeed(answers))
    })
    for (const { amountMinor, currency } of orders) {
      const body = `amount=${(amountMinor / 100).toFixed(2)}&currency=${currency}`
      socket.write(
        `POST ${pathname} HTTP/1.1\r\nhost: ${host}\r\ncontent-type: application/x-www-form-urlencoded\r\ncontent-length: ${body.length}\r\n\r\n${body}`
      )
    }
    return Effect.sync(() => socket.destroy())
  })

layer(world, { excludeTestServices: true })("on a kept connection", (it) => {
  it.effect.each(rows)("%s meets its own sale, and neither the one before nor the next", ([fault, sees]) =>
    Effect.gen(function* () {
      const agent = yield* keptBy(1)
      assert.strictEqual(yield* sell(agent), "200 accepted")
      assert.match(yield* sell(agent, fault), sees)
      assert.strictEqual(yield* sell(agent), "200 accepted")
    })
  )

  it.effect("a request that is sent before the late answer to another is answered after it", () =>
    Effect.gen(function* () {
      const world = yield* World
      const late = WorldShop.order([{ fault: "lateAnswer", moment: { of: "request", index: 1 } }])
      const next = WorldShop.order([])
      for (const order of [late, next]) yield* world.open(order, { reached: () => Effect.void })
      const answers = yield* pipelined(world.baseUrl, [late, next])
      assert.match(answers, /^HTTP\/1\.1 400 .*HTTP\/1\.1 400 /s)
    })
  )

  it.effect("200 sales without a fault are all answered", () =>
    Effect.gen(function* () {
      const agent = yield* keptBy(32)
      const answers = yield* Effect.forEach(Array.from({ length: 200 }), () => sell(agent), { concurrency: 64 })
      assert.deepStrictEqual([...new Set(answers)], ["200 accepted"])
    })
  )
})
