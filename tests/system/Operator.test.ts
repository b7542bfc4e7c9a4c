import { assert, describe, it, layer } from "@effect/vitest"
import { OperatorServer, Operators, type PageRequest, SecureRandom } from "@pay/gateway/Gateway"
import { KeyRing, KeyVaultLocal } from "@pay/gateway/KeyVault"
import { NodeServer } from "@pay/gateway/NodeServer"
import { Scheduler } from "@pay/gateway/Scheduler"
import { Settings } from "@pay/gateway/Settings"
import { AuthClock, Ids } from "@pay/gateway/Store"
import * as Sandbox from "@pay/sandbox/Sandbox"
import { SandboxClock } from "@pay/sandbox/SandboxClock"
import * as PayApi from "@pay/schema/PayApi"
import * as Sample from "@pay/schema/Sample"
import * as PayClient from "@pay/transport/PayClient"
import { Effect, Layer, Redacted, Schema } from "effect"
import * as RequestLog from "../../gateway/gateway/src/http/RequestLog.ts"
import * as Continuations from "../../gateway/gateway/src/orders/Continuations.ts"
import * as OpenGate from "../../gateway/gateway/test/OpenGate.ts"
import { ask } from "../harness/Operating.ts"
import * as TestGateway from "../harness/TestGateway.ts"

const { PREAUTH, SALE } = PayApi.operations

const Line = Schema.Struct({ number: Schema.Int, what: Schema.String, at: Schema.String, result: Schema.String })
const ToldSchema = Schema.Struct({
  id: Schema.String,
  order: Schema.String,
  address: Schema.String,
  state: Schema.String,
  tries: Schema.Int,
  log: Schema.optionalKey(Schema.Array(Line))
})
const Reply = Schema.Struct({ callbacks: Schema.Array(ToldSchema) })
const readList = Schema.decodeUnknownSync(Reply)

const list = (query: string) =>
  Effect.map(ask("GET", `/operator/callbacks?${query}`), ({ body }) => readList(body).callbacks)

layer(TestGateway.layer(), { excludeTestServices: true })("an operator over a socket", (it) => {
  it.effect("sees the tries of a callback until it is dead-lettered, and sends it again", () =>
    Effect.gen(function* () {
      const { publicBaseUrl } = yield* NodeServer
      const scheduler = yield* Scheduler
      const clock = yield* SandboxClock
      const { body } = yield* TestGateway.post(SALE, {
        ...TestGateway.saleFields,
        client_orderid: "operator-1",
        server_callback_url: `${publicBaseUrl}/nobody-is-here?secret=1`
      })
      const order = String(body["paynet-order-id"])
      yield* scheduler.settled
      const [first] = yield* list(`order=${order}`)
      assert.deepInclude(first, { id: `${order}-1`, state: "pending", tries: 1 })
      assert.strictEqual(first?.address, `${publicBaseUrl}/nobody-is-here`)
      assert.deepStrictEqual(
        first?.log?.map(({ number, result, what }) => [number, what, result]),
        [[1, "attempt", "404"]]
      )
      assert.strictEqual((yield* ask("POST", `/operator/callbacks/${order}-1/resend`)).status, 409)

      yield* clock.advance("15 days", scheduler)
      const [deadLettered] = yield* list("state=dead-lettered")
      assert.deepInclude(deadLettered, { id: `${order}-1`, state: "dead-lettered", tries: 31 })
      assert.strictEqual((yield* ask("POST", `/operator/callbacks/${order}-1/resend`)).status, 202)
      yield* scheduler.settled
      const [again] = yield* list(`order=${order}&state=pending`)
      assert.deepStrictEqual(
        again?.log?.slice(-2).map(({ number, result, what }) => [number, what, result]),
        [
          [31, "resend", "dead-lettered"],
          [32, "attempt", "404"]
        ]
      )
      assert.deepStrictEqual(yield* list("state=dead-lettered"), [])
    })
  )

  it.effect.each([
    ["GET", "/operator/callbacks", 400],
    ["GET", "/operator/callbacks?state=lost", 400],
    ["GET", "/operator/callbacks?state=dead-lettered&limit=1001", 400],
    ["GET", "/operator/callbacks?state=dead-lettered&limit=1000", 200],
    ["POST", "/operator/callbacks/1-1/resend", 404],
    ["GET", "/operator/callbacks/1-1/resend", 404],
    ["GET", "/operator/orders", 404]
  ] as const)("%s %s is answered %i", ([method, target, status]) =>
    Effect.map(ask(method, target), (reply) => assert.strictEqual(reply.status, status))
  )
})

const vault = Layer.unwrap(Effect.map(KeyRing.generate, (keyRing) => KeyVaultLocal.layer({ keyRing }))).pipe(
  Layer.provide(AuthClock.layer)
)

const ids = Layer.merge(Ids.layer, RequestLog.layer).pipe(Layer.provideMerge(AuthClock.layer))

/** Orders that stand alone. */
const { none } = Continuations
const orders = Layer.merge(
  OpenGate.layer,
  Layer.succeed(Continuations.Continuations, { api: none, hosted: none, recurring: none })
)

describe("access to the operator routes", () => {
  const direct = { host: "127.0.0.1:8080" }
  const token = "a token of the operator"
  const bearer = { ...direct, authorization: `Bearer ${token}` }
  const proxied = "https://pay.example"
  it.effect.each([
    ["a peer on the loopback interface", "127.0.0.1", direct, undefined, undefined, 200],
    ["a peer on the IPv6 loopback interface", "::1", { host: "[::1]:8080" }, undefined, undefined, 200],
    [
      "a peer on the loopback interface in IPv4-mapped notation",
      "::ffff:127.0.0.1",
      { host: "localhost" },
      undefined,
      undefined,
      200
    ],
    ["a remote peer", "203.0.113.7", direct, undefined, undefined, undefined],
    [
      "a peer whose address only starts like the loopback interface",
      "1270.0.0.1",
      direct,
      undefined,
      undefined,
      undefined
    ],
    ["a remote peer with the token", "203.0.113.7", bearer, token, undefined, undefined],
    ["behind a proxy", "127.0.0.1", direct, undefined, proxied, undefined],
    ["at a public address of this machine", "127.0.0.1", direct, undefined, "http://127.0.0.1:8080/paynet", 200],
    [
      "at a public address that only starts like this machine's",
      "127.0.0.1",
      direct,
      undefined,
      "http://127.0.0.1.evil.example",
      undefined
    ],
    [
      "with a proxy's header",
      "127.0.0.1",
      { ...direct, "x-forwarded-for": "203.0.113.7" },
      undefined,
      undefined,
      undefined
    ],
    [
      "from a page in a browser",
      "127.0.0.1",
      { ...direct, origin: "https://evil.example" },
      undefined,
      undefined,
      undefined
    ],
    [
      "under another host name that resolves to this machine",
      "127.0.0.1",
      { host: "evil.example:8080" },
      undefined,
      undefined,
      undefined
    ],
    ["behind a proxy with the token", "127.0.0.1", { ...bearer, host: "pay.example" }, token, proxied, 200],
    ["behind a proxy without the token", "127.0.0.1", direct, token, proxied, 401],
    ["with a wrong token", "127.0.0.1", { authorization: "Bearer another" }, token, proxied, 401]
  ] as const)("%s", ([, remoteAddress, headers, given, publicBaseUrl, status]) => {
    const request: PageRequest = {
      method: "GET",
      path: "/operator/callbacks",
      query: "state=dead-lettered",
      headers,
      body: "",
      remoteAddress,
      publicBaseUrl: "http://127.0.0.1:8080"
    }
    return Effect.gen(function* () {
      const settings = { ...(yield* Settings), publicBaseUrl }
      const handler = yield* Effect.provideService(OperatorServer.make, Settings, settings)
      assert.strictEqual((yield* handler(request))?.status, status)
    }).pipe(
      Effect.provideService(
        Operators.Operators,
        given === undefined ? [] : [{ name: "alice", token: Redacted.make(given) }]
      ),
      Effect.provide(Layer.mergeAll(Sandbox.layer(), vault, ids, SecureRandom.layer, orders))
    )
  })
})

describe("callbacks of an order", () => {
  const hold = Effect.fnUntraced(function* (endpointId: string) {
    const pay = yield* PayClient.PayClient
    const fields = yield* Effect.fromResult(PREAUTH.decodeFields(Sample.request(PREAUTH)))
    const { "paynet-order-id": orderid } = yield* pay.preauth(
      {
        ...fields,
        client_orderid: "INV-1",
        server_callback_url: "http://shop.test/callback",
        notify_url: "http://shop.test/notify"
      },
      { endpointId }
    )
    return { client_orderid: "INV-1", orderid }
  })
  const { jsonCallbacks, usd } = Sandbox.merchant.endpoints
  it.live.each([
    ["query", usd],
    ["json", jsonCallbacks]
  ] as const)(
    "keep webhook-id and content when they are sent again, and delay no other callback: as %s",
    ([format, endpointId]) =>
      Effect.gen(function* () {
        const pay = yield* PayClient.PayClient
        const inbox = yield* Sandbox.Inbox
        const operator = yield* OperatorServer.make
        const order = yield* hold(endpointId)
        yield* Sandbox.settled
        const resend: PageRequest = {
          method: "POST",
          path: `/operator/callbacks/${order.orderid}-1/resend`,
          query: "",
          headers: { host: "localhost" },
          body: "",
          remoteAddress: "127.0.0.1",
          publicBaseUrl: "http://localhost"
        }
        yield* inbox.answerWith(({ callback }) => Effect.succeed(callback.webhookId?.endsWith("-1") ? 500 : 200))
        assert.strictEqual((yield* operator(resend))?.status, 202)
        yield* Sandbox.settled
        yield* pay.void({ ...order, comment: "changed their mind" })
        yield* Sandbox.settled
        const arrived = yield* inbox.arrived
        const [first, , again] = arrived
        assert.strictEqual(first?.body === undefined, format === "query")
        assert.deepStrictEqual([again?.url, again?.body, again?.callback], [first?.url, first?.body, first?.callback])
        const ids = arrived.map(({ callback }) => callback.webhookId?.slice(order.orderid.length))
        assert.deepStrictEqual(ids, ["-1", "-2", "-1", "-3", "-4"])
      }).pipe(Effect.provide(Layer.mergeAll(Sandbox.layer(), vault, ids, SecureRandom.layer, orders)))
  )
})
