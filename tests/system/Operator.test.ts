import { assert, describe, it, layer } from "@effect/vitest"
import { OperatorListener, OperatorServer, Operators, type Pages } from "@pay/gateway/Gateway"
import { NodeServer } from "@pay/gateway/NodeServer"
import * as OperatorApi from "@pay/gateway/OperatorApi"
import { Scheduler } from "@pay/gateway/Scheduler"
import * as Sandbox from "@pay/sandbox/Sandbox"
import { SandboxClock } from "@pay/sandbox/SandboxClock"
import * as PayApi from "@pay/schema/PayApi"
import * as Sample from "@pay/schema/Sample"
import * as PayClient from "@pay/transport/PayClient"
import { Effect, Redacted, Schema } from "effect"
import * as Http from "../harness/Http.ts"
import { ask } from "../harness/Operating.ts"
import * as OperatorServices from "../harness/OperatorServices.ts"
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

describe("access to the operators' address", () => {
  const direct = { host: "127.0.0.1:8081" }
  const token = "a token of the operator"
  const bearer = { host: "pay.example", authorization: `Bearer ${token}` }
  const wrong = { ...direct, authorization: "Bearer another" }
  const behindProxy = { ...direct, "x-forwarded-for": "203.0.113.7" }
  const inBrowser = { ...direct, origin: "https://evil.example" }
  const ways = [
    ["a program on this machine", "127.0.0.1", direct, 200, 401],
    ["a program on this machine by IPv6", "::1", { host: "[::1]:8081" }, 200, 401],
    ["a program on this machine in IPv4-mapped notation", "::ffff:127.0.0.1", { host: "localhost" }, 200, 401],
    ["a remote peer", "203.0.113.7", direct, 403, 401],
    ["a peer whose address only starts like this machine's", "1270.0.0.1", direct, 403, 401],
    ["a proxy on this machine", "127.0.0.1", behindProxy, 403, 401],
    ["a page in a browser", "127.0.0.1", inBrowser, 403, 401],
    ["a host name that resolves to this machine", "127.0.0.1", { host: "evil.example:8081" }, 403, 401],
    ["a wrong token", "127.0.0.1", wrong, 200, 401],
    ["the token", "127.0.0.1", bearer, 403, 200],
    ["the token of a remote peer", "203.0.113.7", bearer, 403, 200],
    ["the token behind a proxy", "127.0.0.1", { ...bearer, via: "1.1 proxy" }, 403, 200]
  ] as const
  const ofEach = ways.flatMap(([who, remoteAddress, headers, withoutTokens, withTokens]) => [
    { who, remoteAddress, headers, tokens: "no tokens", status: withoutTokens },
    { who, remoteAddress, headers, tokens: "tokens", status: withTokens }
  ])
  const question = { method: "GET", path: "/operator/callbacks", query: "state=dead-lettered", body: "" }
  const answers = OperatorListener.answers().pipe(Effect.provide(OperatorServer.layer, { local: true }))
  const holding = (tokens: string) =>
    Effect.provideService(
      Operators.Operators,
      tokens === "tokens" ? [{ name: "alice", token: Redacted.make(token) }] : []
    )

  it.effect.each(ofEach)("of $who, at a gateway with $tokens: $status", ({ headers, remoteAddress, status, tokens }) =>
    Effect.gen(function* () {
      const answer = yield* answers
      const reply = yield* answer({ ...question, headers, remoteAddress, publicBaseUrl: "http://127.0.0.1:8081" })
      assert.strictEqual(reply.status, status)
    }).pipe(holding(tokens), Effect.provide(OperatorServices.layer))
  )

  it.effect("is limited, logged and counted for wrong tokens of one address, not for others", () =>
    Effect.gen(function* () {
      const answer = yield* answers
      const ask = (remoteAddress: string, headers: Readonly<Record<string, string>>) =>
        answer({ ...question, headers, remoteAddress, publicBaseUrl: "http://127.0.0.1:8081" })
      const guesses = yield* Effect.forEach(Array.from({ length: 200 }), () => ask("203.0.113.7", wrong))
      const statuses = guesses.map(({ status }) => status)
      assert.deepStrictEqual([statuses.indexOf(429), statuses.lastIndexOf(401)], [20, 19])
      assert.match(guesses.at(-1)?.headers["retry-after"] ?? "", /^\d+$/)
      assert.strictEqual((yield* ask("203.0.113.7", bearer)).status, 429, "no guess is compared meanwhile")
      assert.strictEqual((yield* ask("203.0.113.8", bearer)).status, 200)
      const { body } = yield* ask("203.0.113.8", { ...bearer, host: "x" }).pipe(
        Effect.andThen(
          answer({ ...question, path: "/metrics", headers: direct, remoteAddress: "127.0.0.1", publicBaseUrl: "" })
        )
      )
      assert.match(body, /^pay_operator_sign_ins_refused_total 2\d\d$/m)
    }).pipe(holding("tokens"), Effect.provide(OperatorServices.layer))
  )
})

describe("the role of an operator", () => {
  const people = [
    { name: "looks", roles: [] },
    ...OperatorApi.OperatorOperation.roles.map((role) => ({ name: role, roles: [role] })),
    { name: "everything", roles: undefined }
  ]
  const operators = people.map(({ name, roles }) => ({ name, roles, token: Redacted.make(`the token of ${name}`) }))

  it.effect("opens each operation that changes something to its own role only, and reading to all", () =>
    Effect.gen(function* () {
      const answer = yield* OperatorListener.answers().pipe(Effect.provide(OperatorServer.layer, { local: true }))
      for (const operation of Object.values(OperatorApi.operations))
        for (const { name, roles } of people) {
          const { status } = yield* answer({
            ...{
              method: operation.method,
              path: OperatorApi.OperatorOperation.pathOf(operation, { order: 1, task: 1, key: 1 })
            },
            ...{ query: "", body: "{}", remoteAddress: "203.0.113.7", publicBaseUrl: "http://127.0.0.1:8081" },
            headers: { authorization: `Bearer the token of ${name}` }
          })
          const needed = operation.changes?.role
          const isOpen = needed === undefined || roles === undefined || roles.some((role) => role === needed)
          assert.strictEqual(status === 403, !isOpen, `${name} asks for ${operation.name}: ${status}`)
        }
    }).pipe(Effect.provideService(Operators.Operators, operators), Effect.provide(OperatorServices.layer))
  )
})

layer(TestGateway.layer(), { excludeTestServices: true })("the merchants' address", (it) => {
  it.effect.each(["/operator/orders", "/operator/callbacks", "/metrics"])("serves nothing of operators: %s", (path) =>
    Effect.gen(function* () {
      const { host, operatorUrl, port } = yield* NodeServer
      assert.strictEqual((yield* Http.send(`http://${host}:${port}${path}?state=pending`)).status, 404)
      assert.notStrictEqual((yield* Http.send(`${operatorUrl}${path}?state=pending`)).status, 403)
    })
  )
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
        const resend: Pages.OperatorRequest = {
          method: "POST",
          path: `/operator/callbacks/${order.orderid}-1/resend`,
          query: "",
          headers: { host: "localhost" },
          body: "",
          remoteAddress: "127.0.0.1",
          publicBaseUrl: "http://localhost",
          operator: { name: "alice", roles: ["support"] }
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
      }).pipe(Effect.provide(OperatorServices.layer))
  )
})
