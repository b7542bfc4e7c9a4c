import { createServer } from "node:http"
import { NodeHttpServer } from "@effect/platform-node"
import { assert, it } from "@effect/vitest"
import * as CallbackInbox from "@pay/flows/CallbackInbox"
import * as CallbackRoute from "@pay/flows/CallbackRoute"
import type { OrderStatus } from "@pay/flows/OrderStatus"
import * as Steps from "@pay/flows/Steps"
import * as Sandbox from "@pay/sandbox/Sandbox"
import * as PayApi from "@pay/schema/PayApi"
import * as Sample from "@pay/schema/Sample"
import { PayClient } from "@pay/transport/PayClient"
import { Data, Effect, Layer, Logger, Redacted } from "effect"
import { HttpRouter, HttpServer } from "effect/http"
import { TestClock } from "effect/testing"
import { request } from "undici"
import { inWallTime } from "./BusinessTime.ts"

const { SALE } = PayApi.operations
const keys = { controlKeys: [Redacted.make(Sandbox.merchant.controlKey)] }
const known = Effect.succeed(true)

class ShopClosed extends Data.TaggedError("ShopClosed") {}

/** A sale whose callback has arrived at the sandbox's inbox, as the shop's own server would get it. */
const told = Effect.gen(function* () {
  const client = yield* PayClient
  const payment = yield* Effect.fromResult(SALE.decodeFields(Sample.request(SALE)))
  yield* client.sale({ ...payment, client_orderid: "o-1", server_callback_url: "http://shop.test/told" })
  yield* Sandbox.settled
  const [arrived] = yield* Effect.flatMap(Sandbox.Inbox, ({ arrived }) => arrived)
  assert(arrived !== undefined)
  const { headers, url } = arrived
  return { method: "GET", url, headers }
})

/** An inbox, and what it has told the shop. */
const inbox = Effect.fnUntraced(function* (
  options: Partial<CallbackInbox.Options<ShopClosed, never>> = {},
  answer: Effect.Effect<void, ShopClosed> = Effect.void
) {
  const heard: Array<string> = []
  const onOrder = ({ clientOrderId, status }: OrderStatus) =>
    Effect.andThen(
      Effect.sync(() => {
        heard.push(`${clientOrderId} ${status}`)
      }),
      answer
    )
  const made = yield* CallbackInbox.make<ShopClosed, never>({ keys, onOrder, ...options })
  return { ...made, receive: (asked: CallbackInbox.Request) => inWallTime(made.receive(asked)), heard }
})

const inSandbox = <A, E>(program: Effect.Effect<A, E, Sandbox.Services>) =>
  program.pipe(
    Effect.provideService(Steps.Steps, Steps.makeMemory()),
    Effect.provide(Layer.merge(Sandbox.layer(), Logger.layer([])))
  )

it.effect("a genuine callback is told to the shop once, however often it comes", () =>
  inSandbox(
    Effect.gen(function* () {
      const callback = yield* told
      const { heard, receive } = yield* inbox({ isKnown: () => known })
      const replies = yield* Effect.all([receive(callback), receive(callback), receive(callback)], {
        concurrency: "unbounded"
      })
      assert.deepStrictEqual(
        replies.map(({ status }) => status),
        [200, 200, 200]
      )
      assert.strictEqual((yield* receive(callback)).status, 200)
      assert.deepStrictEqual(heard, ["o-1 approved"])
    })
  )
)

it.effect("whatever is not genuine is refused, and the shop hears nothing", () =>
  inSandbox(
    Effect.gen(function* () {
      const callback = yield* told
      const { heard, receive } = yield* inbox({ isKnown: () => known })
      const changed = (change: Partial<CallbackInbox.Request>) =>
        Effect.map(receive({ ...callback, ...change }), ({ status }) => status)
      assert.strictEqual(yield* changed({ method: "POST" }), 405)
      assert.strictEqual(yield* changed({ url: "/told" }), 400)
      assert.strictEqual(yield* changed({ url: callback.url.replace("status=approved", "status=declined") }), 403)
      assert.strictEqual(yield* changed({ url: callback.url.replace("amount=10.42", "amount=99.99") }), 403)
      assert.strictEqual(yield* changed({ headers: { ...callback.headers, "webhook-timestamp": "1000000000" } }), 403)
      assert.deepStrictEqual(heard, [])
    })
  )
)

it.effect("an unsigned part of it is not believed: the shop hears what status says", () =>
  inSandbox(
    Effect.gen(function* () {
      const callback = yield* told
      const amounts: Array<string | undefined> = []
      const { receive } = yield* inbox({
        isKnown: () => known,
        onOrder: ({ amount }) =>
          Effect.sync(() => {
            amounts.push(amount)
          })
      })
      yield* receive({ method: "GET", url: callback.url.replace("amount=10.42", "amount=99.99"), headers: {} })
      assert.deepStrictEqual(amounts, ["10.42"])
    })
  )
)

it.effect("one that comes before its order is known waits for it", () =>
  inSandbox(
    Effect.gen(function* () {
      const callback = yield* told
      const { expect, heard, receive } = yield* inbox()
      assert.strictEqual((yield* receive(callback)).status, 200)
      assert.deepStrictEqual(heard, [])
      yield* expect({ clientOrderId: "o-1" })
      assert.deepStrictEqual(heard, ["o-1 approved"])
    })
  )
)

it.effect("one that the shop could not take is asked for again", () =>
  inSandbox(
    Effect.gen(function* () {
      const callback = yield* told
      let closed = true
      const answer = Effect.suspend(() => (closed ? Effect.fail(new ShopClosed()) : Effect.void))
      const { heard, receive } = yield* inbox({ isKnown: () => known }, answer)
      assert.strictEqual((yield* receive(callback)).status, 503)
      closed = false
      assert.strictEqual((yield* receive(callback)).status, 200)
      assert.deepStrictEqual(heard, ["o-1 approved", "o-1 approved"])
    })
  )
)

it.effect("one that cannot be asked about is asked for again", () =>
  inSandbox(
    Effect.gen(function* () {
      const callback = yield* told
      const { heard, receive } = yield* inbox({ isKnown: () => known })
      const line = yield* Sandbox.Line
      yield* line.next("requestLost")
      assert.strictEqual((yield* receive(callback)).status, 503)
      assert.strictEqual((yield* receive(callback)).status, 200)
      assert.deepStrictEqual(heard, ["o-1 approved"])
    })
  )
)

it.effect("an order that fell silent is found by the sweep, once", () =>
  inSandbox(
    Effect.gen(function* () {
      const { expect, heard, sweep } = yield* inbox({ silence: "10 minutes" })
      yield* expect({ clientOrderId: "o-1" })
      yield* told
      assert.strictEqual(yield* sweep, 0)
      yield* TestClock.adjust("10 minutes")
      assert.strictEqual(yield* sweep, 1)
      assert.strictEqual(yield* sweep, 0)
      assert.deepStrictEqual(heard, ["o-1 approved"])
    })
  )
)

it.live("as a route of an HttpRouter", () =>
  inSandbox(
    Effect.gen(function* () {
      const callback = yield* told
      const { address } = yield* HttpServer.HttpServer
      assert(address._tag === "InetAddressV4")
      const base = `http://127.0.0.1:${address.port}`
      const { search } = new URL(callback.url)
      const send = (target: string) =>
        Effect.promise(async () => {
          const { body, statusCode } = await request(base + target, { headers: callback.headers })
          await body.text()
          return statusCode
        })
      assert.strictEqual(yield* send(`/told${search}`), 200)
      assert.strictEqual(yield* send(`/told${search.replace("approved", "declined")}`), 403)
    }).pipe(
      Effect.provide(
        HttpRouter.serve(CallbackRoute.layer("/told"), { disableListenLog: true, disableLogger: true }).pipe(
          Layer.provide(CallbackInbox.layer({ keys })),
          Layer.provideMerge(NodeHttpServer.layer(createServer, { port: 0, host: "127.0.0.1" }))
        )
      )
    )
  )
)
