import { assert, describe, it } from "@effect/vitest"
import { OperatorListener, OperatorServer, Operators } from "@pay/gateway/Gateway"
import { Effect, Redacted } from "effect"
import * as OperatorServices from "../harness/OperatorServices.ts"

/** A process of the gateway on the store of the context. `token`: of the person who asks; without one, a program on the machine. */
const process = Effect.map(
  OperatorListener.answers().pipe(Effect.provide(OperatorServer.layer, { local: true })),
  (answer) => (token: string | undefined, path: string, input?: object) =>
    Effect.map(
      answer({
        method: input === undefined ? "GET" : "POST",
        path: `/operator/${path}`,
        query: "",
        body: JSON.stringify(input ?? {}),
        headers: { host: "127.0.0.1", ...(token && { authorization: `Bearer ${token}` }) },
        remoteAddress: "127.0.0.1",
        publicBaseUrl: "http://127.0.0.1:8081"
      }),
      ({ body, status }) => ({ status, body: String(body), json: JSON.parse(String(body)) })
    )
)

describe("the operators of a gateway", () => {
  it.effect("begin with one that a program on the machine adds; from then on each request needs a token", () =>
    Effect.gen(function* () {
      const ask = yield* process
      const first = { name: "ada", roles: "support" }
      assert.strictEqual((yield* ask(undefined, "operators/add", first)).status, 409, "nobody could add another")
      const added = yield* ask(undefined, "operators/add", { ...first, roles: "admin" })
      assert.strictEqual(added.status, 201)
      assert.strictEqual((yield* ask(undefined, "operators")).status, 401)
      const { body, json } = yield* ask(added.json.token, "operators")
      assert.deepInclude(json.operators[0], { name: "ada", roles: "admin", source: "operator" })
      assert.notInclude(body, added.json.token)
      assert.strictEqual((yield* ask(undefined, "operators/add", first)).status, 401)
    }).pipe(Effect.provide(OperatorServices.layer))
  )

  it.effect("are changed without a restart, in every process at once", () =>
    Effect.gen(function* () {
      const [one, other] = [yield* process, yield* process]
      const admin = "the token of the file"
      const bob = (yield* one(admin, "operators/add", { name: "bob", roles: "support" })).json.token
      const statuses = (token: string) =>
        Effect.all([other(token, "operators"), other(token, "merchants/reload", {})]).pipe(
          Effect.map((answers) => answers.map(({ status }) => ![401, 403].includes(status)))
        )
      const may = [yield* statuses(bob)]
      yield* one(admin, "operators/change", { name: "bob", roles: "admin" })
      may.push(yield* statuses(bob))
      const again = (yield* other(bob, "token", {})).json.token
      may.push(yield* statuses(bob), yield* statuses(again))
      const reset = (yield* one(admin, "operators/reset", { name: "bob" })).json.token
      may.push(yield* statuses(again), yield* statuses(reset))
      yield* one(admin, "operators/remove", { name: "bob" })
      may.push(yield* statuses(reset))
      const none = [false, false]
      assert.deepStrictEqual(may, [[true, false], [true, true], none, [true, true], none, [true, true], none])
      const audit = (yield* one(admin, "audit")).json.entries
      assert.deepStrictEqual(
        audit.map(({ action, detail }: { action: string; detail: object }) => [action, detail]),
        [
          ["operator.remove", { roles: "admin" }],
          ["operator.token", { from: "operator:bob", to: "operator:operator" }],
          ["operator.token", { from: "operator:operator", to: "operator:bob" }],
          ["operator.change", { from: "support", to: "admin" }],
          ["operator.add", { roles: "support" }]
        ]
      )
    }).pipe(
      Effect.provideService(Operators.Operators, [
        { name: Operators.unnamed, token: Redacted.make("the token of the file") }
      ]),
      Effect.provide(OperatorServices.layer)
    )
  )

  const refused: ReadonlyArray<readonly [string, object]> = [
    ["a role that is none", { name: "eve", roles: "root" }],
    ["no role", { name: "eve", roles: "" }],
    ["a name in capitals", { name: "Eve", roles: "look" }],
    ["a name with a line end", { name: "eve\n", roles: "look" }],
    ["a name that is too long", { name: "e".repeat(33), roles: "look" }],
    ["a field that is none", { name: "eve", roles: "look", token: "chosen" }]
  ]
  for (const [what, input] of refused)
    it.effect(`are refused by 400: ${what}`, () =>
      Effect.gen(function* () {
        const ask = yield* process
        assert.strictEqual((yield* ask(undefined, "operators/add", input)).status, 400)
      }).pipe(Effect.provide(OperatorServices.layer))
    )
})
