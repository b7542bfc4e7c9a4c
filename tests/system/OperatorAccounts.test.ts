import { assert, describe, it } from "@effect/vitest"
import { Operators } from "@pay/gateway/Gateway"
import { Effect, Redacted } from "effect"
import * as OperatorServices from "../harness/OperatorServices.ts"

describe("the operators of a gateway", () => {
  const file = Effect.provideService(Operators.Operators, [
    { name: Operators.unnamed, token: Redacted.make("the token of the file") }
  ])

  it.effect("begin with one that a program on the machine adds; from then on each request needs a token", () =>
    Effect.gen(function* () {
      const ask = yield* OperatorServices.process
      const first = { name: "ada", roles: "support" }
      assert.strictEqual(
        (yield* ask(undefined, "/operator/operators/add", first)).status,
        409,
        "nobody could add another"
      )
      const added = yield* ask(undefined, "/operator/operators/add", { ...first, roles: "admin" })
      assert.strictEqual(added.status, 201)
      assert.strictEqual((yield* ask(undefined, "/operator/operators")).status, 401)
      const { body, json } = yield* ask(added.json.token, "/operator/operators")
      assert.deepInclude(json.operators[0], { name: "ada", roles: "admin", source: "operator" })
      assert.notInclude(body, added.json.token)
      assert.strictEqual((yield* ask(undefined, "/operator/operators/add", first)).status, 401)
    }).pipe(Effect.provide(OperatorServices.layer))
  )

  it.effect("are changed without a restart, in every process at once", () =>
    Effect.gen(function* () {
      const [one, other] = [yield* OperatorServices.process, yield* OperatorServices.process]
      const admin = "the token of the file"
      const bob = (yield* one(admin, "/operator/operators/add", { name: "bob", roles: "support" })).json.token
      const statuses = (token: string) =>
        Effect.all([other(token, "/operator/operators"), other(token, "/operator/merchants/reload", {})]).pipe(
          Effect.map((answers) => answers.map(({ status }) => ![401, 403].includes(status)))
        )
      const may = [yield* statuses(bob)]
      yield* one(admin, "/operator/operators/change", { name: "bob", roles: "admin" })
      may.push(yield* statuses(bob))
      const again = (yield* other(bob, "/operator/token", {})).json.token
      may.push(yield* statuses(bob), yield* statuses(again))
      const reset = (yield* one(admin, "/operator/operators/reset", { name: "bob" })).json.token
      may.push(yield* statuses(again), yield* statuses(reset))
      yield* one(admin, "/operator/operators/remove", { name: "bob" })
      may.push(yield* statuses(reset))
      const none = [false, false]
      assert.deepStrictEqual(may, [[true, false], [true, true], none, [true, true], none, [true, true], none])
      const audit = (yield* one(admin, "/operator/audit")).json.entries
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
    }).pipe(file, Effect.provide(OperatorServices.layer))
  )

  it.effect("are asked again in spite of wrong tokens of others, which count by IPv6 network", () =>
    Effect.gen(function* () {
      const ask = yield* OperatorServices.process
      const from = (address: string, token = "a guess") =>
        Effect.map(ask(token, "/operator/operators", undefined, address), ({ status }) => status)
      assert.strictEqual(yield* from("2001:db8::1", "the token of the file"), 200)
      for (let host = 1; host <= 20; host += 1) assert.strictEqual(yield* from(`2001:db8::${host}`), 401)
      assert.strictEqual(yield* from("2001:db8::99"), 429)
      assert.strictEqual(yield* from("2001:db8:0:1::1"), 401)
      assert.strictEqual(yield* from("2001:db8::99", "the token of the file"), 200)
      const { token } = (yield* ask("the token of the file", "/operator/operators/add", { name: "bob", roles: "look" }))
        .json
      assert.strictEqual(yield* from("2001:db8::99", token), 429, "a token that was not used before")
    }).pipe(file, Effect.provide(OperatorServices.layer))
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
        const ask = yield* OperatorServices.process
        assert.strictEqual((yield* ask(undefined, "/operator/operators/add", input)).status, 400)
      }).pipe(Effect.provide(OperatorServices.layer))
    )
})
