/** A shop that floods its gateway, or speaks something else than HTTP, does not disturb the others, and fills no memory. */
import * as Http from "node:http"
import * as Net from "node:net"
import { assert, describe, it, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import type { FaultAt } from "../src/plan/Payment.ts"
import { OpenOrders } from "../src/world/OpenOrders.ts"
import { type Together, World } from "../src/world/World.ts"
import * as WorldLive from "../src/world/WorldLive.ts"
import * as WorldShop from "./WorldShop.ts"

const alone: Together = { reached: () => Effect.void }

/** Begins a body of this size that never ends, and returns the status, or how the connection ended. */
const flood = (url: string, bytes: number): Effect.Effect<string> =>
  Effect.callback((resume) => {
    const end = (text: string) => resume(Effect.succeed(text))
    const headers = { "content-type": "application/x-www-form-urlencoded" }
    const request = Http.request(url, { method: "POST", agent: false, headers }, (answer) => {
      answer.resume()
      end(String(answer.statusCode))
      request.destroy()
    })
    request.once("error", ({ message }) => end(message))
    request.write(Buffer.alloc(bytes, "a"))
  })

/** Sends bytes that are no HTTP, and returns when the connection is closed. */
const speak = (url: string, bytes: string): Effect.Effect<string> =>
  Effect.callback((resume) => {
    const chunks: Array<Buffer> = []
    const socket = Net.connect(Number(new URL(url).port), "127.0.0.1")
    socket.on("data", (chunk: Buffer) => chunks.push(chunk))
    socket.once("error", () => socket.destroy())
    socket.once("close", () => resume(Effect.succeed(Buffer.concat(chunks).toString())))
    socket.write(bytes, "latin1")
  })

const world = Layer.provideMerge(WorldShop.layer("json"), WorldLive.layer({ callbackBehindMs: 1, settling: "1 hour" }))

layer(world, { excludeTestServices: true })("a shop that", (it) => {
  const stillSells = Effect.gen(function* () {
    const world = yield* World
    const shop = yield* WorldShop.WorldShop
    const order = WorldShop.order([])
    yield* world.open(order, alone)
    assert.strictEqual((yield* shop.send("SALE", WorldShop.saleOf(shop, order))).text, "200 accepted")
  })

  it.effect.each([
    [300_000, /^413$/],
    [20_000_000, /^413$|ECONNRESET|EPIPE/]
  ] as const)("sends %i bytes, and does not end, is refused by the gateway", ([bytes, end]) =>
    Effect.gen(function* () {
      const { baseUrl } = yield* World
      assert.match(yield* flood(`${baseUrl}/api/v2/sale/1001`, bytes), end)
      yield* stillSells
    })
  )

  it.effect.each([
    "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
    "hello\r\n\r\n",
    "POST / HTTP/1.1\r\nContent-Length: x\r\n\r\n"
  ])("says %j loses its connection", (bytes) =>
    Effect.gen(function* () {
      const { baseUrl } = yield* World
      yield* speak(baseUrl, bytes)
      yield* stillSells
    })
  )
})

it("an order whose shop floods the gateway has a short timeline, and few names", () => {
  const orders = new OpenOrders(() => 0)
  const watched = orders.open(WorldShop.order([]), alone)
  for (let index = 0; index < 10_000; index += 1) {
    watched.request("status")
    watched.callback(`event-${index}`)
    watched.tell("shop", "status -> processing")
    orders.learn(watched, { clientOrderId: `name-${index}`, numbers: [`${index}`] })
  }
  const { callbacks, requests, timeline } = watched.observation
  const kept = [callbacks, requests.length, timeline.length, watched.clientOrderIds.size, watched.numbers.size]
  assert.isBelow(Math.max(...kept), 2001)
  assert.include(timeline.at(-1)?.text, "leaves out")
})

it("days without another event are one line of a timeline", () => {
  const watched = new OpenOrders(() => 0).open(WorldShop.order([]), alone)
  watched.pass(30)
  watched.pass(30)
  watched.tell("shop", "status -> approved")
  watched.pass(30)
  assert.deepStrictEqual(
    watched.observation.timeline.map(({ text }) => text),
    ["60 hours pass", "status -> approved", "30 hours pass"]
  )
})

it("a name of a shop's own may look like that of a later charge", () => {
  const orders = new OpenOrders(() => 0)
  const order = WorldShop.order([])
  const facts = { clientOrderId: "2024:17", amountMinor: order.amountMinor, currency: order.currency }
  const watched = orders.open(order, alone)
  assert.isUndefined(orders.of(facts))
  assert.strictEqual(orders.ofCreation(facts), watched)
  orders.learn(watched, facts)
  assert.strictEqual(orders.of(facts), watched)
})

describe("an order that is closed", () => {
  it("leaves no name, number or amount behind", () => {
    const orders = new OpenOrders(() => 0)
    const fault: FaultAt = { fault: "lostAnswer", moment: { of: "request", index: 1 } }
    const order = WorldShop.order([fault])
    const facts = { clientOrderId: "first", numbers: ["4711"] }
    orders.learn(orders.open(order, alone), facts)
    for (const match of [
      orders.of(facts),
      orders.of({ numbers: ["4711"] }),
      orders.ofCreation(order),
      orders.find(order)
    ])
      assert.strictEqual(match?.order, order)
    orders.close(order)
    for (const match of [
      orders.of(facts),
      orders.of({ numbers: ["4711"] }),
      orders.ofCreation(order),
      orders.find(order)
    ])
      assert.isUndefined(match)
    assert.deepStrictEqual(orders.all(), [])
  })

  it("learns nothing more from an answer that comes late", () => {
    const orders = new OpenOrders(() => 0)
    const order = WorldShop.order([])
    const watched = orders.open(order, alone)
    orders.close(order)
    orders.learn(watched, { clientOrderId: "late", numbers: ["4712"] })
    assert.isUndefined(orders.of({ clientOrderId: "late", numbers: ["4712"] }))
  })
})
