import { createServer } from "node:http"
import { NodeHttpServer } from "@effect/platform-node"
import { assert, it } from "@effect/vitest"
import * as CallbackInbox from "@pay/flows/CallbackInbox"
import * as CallbackRoute from "@pay/flows/CallbackRoute"
import * as Sandbox from "@pay/sandbox/Sandbox"
import * as CallbackSignature from "@pay/signing/Callback"
import * as Form from "@pay/signing/Form"
import * as PayClient from "@pay/transport/PayClient"
import { Effect, Layer } from "effect"
import { HttpRouter, HttpServer } from "effect/http"
import { TestClock } from "effect/testing"
import { request } from "undici"
import { callbackRequest, counted, inbox, inSandbox, keys, ShopClosed, saleWithCallback, signed } from "./Callbacks.ts"

const isKnown = Effect.succeed(true)

it.effect("a genuine callback reaches the shop once, however often it is sent", () =>
  inSandbox(
    Effect.gen(function* () {
      const callback = yield* callbackRequest
      const { received, receive } = yield* inbox({ isKnown: () => isKnown })
      const replies = yield* Effect.all([receive(callback), receive(callback), receive(callback)], {
        concurrency: "unbounded"
      })
      assert.deepStrictEqual(
        replies.map(({ status }) => status),
        [200, 200, 200]
      )
      assert.strictEqual((yield* receive(callback)).status, 200)
      assert.deepStrictEqual(received, ["o-1 approved"])
    })
  )
)

it.effect("a callback that is not genuine is refused, and does not reach the shop", () =>
  inSandbox(
    Effect.gen(function* () {
      const callback = yield* callbackRequest
      const { received, receive } = yield* inbox({ isKnown: () => isKnown })
      const changed = (change: Partial<CallbackInbox.Request>) =>
        Effect.map(receive({ ...callback, ...change }), ({ status }) => status)
      for (const method of ["POST", "HEAD", "PUT", "DELETE", "OPTIONS", "get"]) {
        assert.strictEqual(yield* changed({ method }), 405)
      }
      for (const body of ["", "status=approved", callback.url.slice(callback.url.indexOf("?") + 1)])
        assert.strictEqual(yield* changed({ method: "POST", body }), 405)
      assert.strictEqual(yield* changed({ url: "/told" }), 400)
      assert.strictEqual(yield* changed({ url: callback.url.replace("status=approved", "status=declined") }), 403)
      assert.strictEqual(yield* changed({ url: callback.url.replace("amount=10.42", "amount=99.99") }), 403)
      assert.strictEqual(yield* changed({ url: callback.url.replace(/control=[^&]*/, "control=0") }), 403)
      const headers = callback.headers
      assert.strictEqual(yield* changed({ headers: { ...headers, "webhook-timestamp": "1000000000" } }), 403)
      assert.strictEqual(yield* changed({ headers: { ...headers, "webhook-id": "another" } }), 403)
      assert.strictEqual(yield* changed({ headers: { ...headers, "webhook-signature": "v1,AAAA" } }), 403)
      assert.strictEqual(yield* changed({ headers: { ...headers, "webhook-signature": undefined } }), 403)
      assert.deepStrictEqual(received, [])
    })
  )
)

it.effect("a callback that was posted as JSON is handled like one with a query, and refused if it is not genuine", () =>
  inSandbox(
    Effect.gen(function* () {
      const { jsonCallbacks } = Sandbox.merchant.endpoints
      const { body = "", ...callback } = yield* saleWithCallback("o-2", { endpointId: jsonCallbacks })
      const { received, receive } = yield* inbox({ isKnown: () => isKnown })
      const posted = { ...callback, method: "POST" }
      const answers = [
        yield* receive({ ...posted, body: body.replace("approved", "declined") }),
        yield* receive({ ...posted, body: body.slice(0, -1) }),
        yield* receive({ ...posted, body, headers: {} }),
        yield* receive({ ...posted, body }),
        yield* receive({ ...posted, body })
      ]
      assert.deepStrictEqual(
        answers.map(({ status }) => status),
        [403, 400, 403, 200, 200]
      )
      assert.deepStrictEqual(received, ["o-2 approved"])
    })
  )
)

it.effect("an unsigned parameter of a callback is ignored, and the shop gets the value of status", () =>
  inSandbox(
    Effect.gen(function* () {
      const callback = yield* callbackRequest
      const amounts: Array<string | undefined> = []
      const { receive } = yield* inbox({
        isKnown: () => isKnown,
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

it.effect("a signed outcome in a callback is ignored, and the shop gets the outcome of status", () =>
  inSandbox(
    Effect.gen(function* () {
      const { orderid } = yield* callbackRequest
      const { received, receive } = yield* inbox({ isKnown: () => isKnown })
      const lie = yield* signed({ status: "declined", orderid, client_orderid: "o-1" })
      assert.strictEqual((yield* receive(lie)).status, 200)
      assert.deepStrictEqual(received, ["o-1 approved"])
    })
  )
)

it.effect("a callback signed by another merchant is refused, and one for an unknown order causes no request", () =>
  inSandbox(
    Effect.gen(function* () {
      const { orderid } = yield* callbackRequest
      const { client, sent } = yield* counted
      const { expect, received, receive } = yield* inbox().pipe(Effect.provideService(PayClient.PayClient, client))
      yield* expect({ clientOrderId: "o-1" })
      const values = { status: "approved", orderid, client_orderid: "o-1" }
      const foreign = yield* signed(values, { key: "0".repeat(36) })
      assert.strictEqual((yield* receive(foreign)).status, 403)
      const unknown = yield* signed({ ...values, client_orderid: "o-2" })
      assert.strictEqual((yield* receive(unknown)).status, 503)
      assert.deepStrictEqual([received, sent.requests], [[], 0])
    })
  )
)

it.effect("a control that a customer has seen cannot suppress the callback of another order", () =>
  inSandbox(
    Effect.gen(function* () {
      yield* callbackRequest
      const { expect, received, receive } = yield* inbox()
      const own = { status: "approved", orderid: "1", client_orderid: "2o-1" }
      const shifted = { status: "approved", orderid: "12", client_orderid: "o-1" }
      const control = CallbackSignature.sign(own, Sandbox.merchant.controlKey)
      assert.strictEqual(control, CallbackSignature.sign(shifted, Sandbox.merchant.controlKey))
      const url = `/told?${Form.write([...Object.entries(shifted), ["control", control]])}`
      assert.strictEqual((yield* receive({ method: "GET", url, headers: {} })).status, 503)
      yield* expect({ clientOrderId: "o-1" })
      assert.deepStrictEqual(received, ["o-1 approved"])
    })
  )
)

it.effect("a callback that arrives before its order is expected reaches the shop afterwards", () =>
  inSandbox(
    Effect.gen(function* () {
      const callback = yield* callbackRequest
      const { expect, received, receive } = yield* inbox()
      assert.strictEqual((yield* receive(callback)).status, 503)
      assert.deepStrictEqual(received, [])
      yield* expect({ clientOrderId: "o-1" })
      assert.deepStrictEqual(received, ["o-1 approved"])
      assert.strictEqual((yield* receive(callback)).status, 200)
      assert.deepStrictEqual(received, ["o-1 approved"])
    })
  )
)

it.effect("a callback that arrives while its order is written reaches the shop", () =>
  inSandbox(
    Effect.gen(function* () {
      const callback = yield* callbackRequest
      let looks = 0
      // The order is unknown at the first look; the shop writes it before the callback is stored.
      const isKnown = () =>
        Effect.sync(() => {
          looks += 1
          return looks > 1
        })
      const { received, receive } = yield* inbox({ isKnown })
      assert.strictEqual((yield* receive(callback)).status, 200)
      assert.deepStrictEqual(received, ["o-1 approved"])
    })
  )
)

it.effect("a sweep delivers a callback of an order that became known without expect", () =>
  inSandbox(
    Effect.gen(function* () {
      const callback = yield* callbackRequest
      let isThere = false
      const { received, receive, sweep } = yield* inbox({ isKnown: () => Effect.sync(() => isThere) })
      // A callback of an order that the gateway does not know delays no other.
      yield* receive(yield* signed({ status: "approved", orderid: "1", client_orderid: "nobody's" }))
      yield* receive(callback)
      yield* sweep
      assert.deepStrictEqual(received, [])
      isThere = true
      yield* sweep
      yield* sweep
      assert.deepStrictEqual(received, ["o-1 approved"])
      assert.strictEqual((yield* receive(callback)).status, 200)
      assert.deepStrictEqual(received, ["o-1 approved"])
    })
  )
)

it.effect("a callback that the shop fails to process is answered 503, so that it is sent again", () =>
  inSandbox(
    Effect.gen(function* () {
      const callback = yield* callbackRequest
      let closed = true
      const answer = Effect.suspend(() => (closed ? Effect.fail(new ShopClosed()) : Effect.void))
      const { received, receive } = yield* inbox({ isKnown: () => isKnown }, answer)
      assert.strictEqual((yield* receive(callback)).status, 503)
      closed = false
      assert.strictEqual((yield* receive(callback)).status, 200)
      assert.deepStrictEqual(received, ["o-1 approved", "o-1 approved"])
    })
  )
)

it.effect("a callback whose status request fails is answered 503, so that it is sent again", () =>
  inSandbox(
    Effect.gen(function* () {
      const callback = yield* callbackRequest
      const { received, receive } = yield* inbox({ isKnown: () => isKnown })
      const line = yield* Sandbox.SimulatedNetwork
      yield* line.next("requestLost")
      assert.strictEqual((yield* receive(callback)).status, 503)
      assert.strictEqual((yield* receive(callback)).status, 200)
      assert.deepStrictEqual(received, ["o-1 approved"])
    })
  )
)

it.effect("a sweep finds an expected order without a callback, once", () =>
  inSandbox(
    Effect.gen(function* () {
      const { expect, received, sweep } = yield* inbox({ silence: "10 minutes" })
      yield* expect({ clientOrderId: "o-1" })
      yield* callbackRequest
      assert.strictEqual(yield* sweep, 0)
      yield* TestClock.adjust("10 minutes")
      assert.strictEqual(yield* sweep, 1)
      assert.strictEqual(yield* sweep, 0)
      assert.deepStrictEqual(received, ["o-1 approved"])
    })
  )
)

it.live("an HttpRouter serves the callback inbox as a route", () =>
  inSandbox(
    Effect.gen(function* () {
      const callback = yield* callbackRequest
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
