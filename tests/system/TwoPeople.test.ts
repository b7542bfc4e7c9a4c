import { assert, describe, it } from "@effect/vitest"
import * as Decision from "@pay/gateway/Decision"
import { Order } from "@pay/gateway/Entities"
import { Operators, SecondPerson } from "@pay/gateway/Gateway"
import { Store } from "@pay/gateway/Store"
import { Effect, Redacted } from "effect"
import * as TestClock from "effect/testing/TestClock"
import * as Row from "../../gateway/gateway/test/Row.ts"
import { endpoints, login } from "../harness/Credentials.ts"
import * as OperatorServices from "../harness/OperatorServices.ts"

const people = [
  { name: "ada", roles: ["finance", "admin"] },
  { name: "bob", roles: ["finance", "admin"] },
  { name: "eve", roles: ["support"] }
] as const
type Name = (typeof people)[number]["name"]

const operators = people.map(({ name, roles }) => ({ name, roles, token: Redacted.make(`the token of ${name}`) }))

const asking = Effect.map(
  OperatorServices.process,
  (ask) => (who: Name, target: string, input?: object) => ask(`the token of ${who}`, target, input, "203.0.113.7")
)

const posting = (amount: string) => ({
  reference: `wire-${amount}`,
  merchant: login,
  endpoint: endpoints.usd,
  currency: "USD",
  amount
})

const gateway = <A, E, R>(
  limits: Readonly<Record<string, Readonly<Record<string, number>>>>,
  effect: Effect.Effect<A, E, R>
) =>
  effect.pipe(
    Effect.provideService(Operators.Operators, operators),
    Effect.provideService(SecondPerson, limits),
    Effect.provide(OperatorServices.layer)
  )

describe("a change for which the configuration requires a second person", () => {
  it.effect("is made once, when another person with its role confirms it", () =>
    gateway(
      { "balance add": { USD: 10_000 } },
      Effect.gen(function* () {
        const ask = yield* asking
        const available = Effect.map(ask("ada", `/operator/balances?merchant=${login}`), ({ json }) =>
          Number(json.balances[0]?.available)
        )
        const before = yield* available
        assert.strictEqual(
          (yield* ask("ada", "/operator/balances", posting("100.00"))).status,
          201,
          "up to the limit at once"
        )
        const kept = yield* ask("ada", "/operator/balances", posting("100.01"))
        assert.strictEqual(kept.status, 409)
        const confirm = (who: Name) => ask(who, `/operator/proposals/${kept.json.proposal}/confirm`, {})
        assert.strictEqual(yield* available, before + 100)
        assert.strictEqual((yield* confirm("ada")).status, 409, "who proposed it")
        assert.strictEqual((yield* confirm("eve")).status, 403, "who lacks the role")
        const listed = (yield* ask("eve", `/operator/proposals?state=open`)).json.proposals
        assert.deepInclude(listed[0], { command: "balance add", proposedBy: "operator:ada", state: "open" })
        assert.deepInclude((yield* confirm("bob")).json, { command: "balance add", status: 201 })
        assert.deepInclude((yield* confirm("bob")).json, { status: 200 }, "a repeat changes nothing")
        assert.strictEqual(yield* available, before + 200.01)
        assert.strictEqual((yield* ask("ada", `/operator/proposals/${kept.json.proposal}/withdraw`, {})).status, 409)
        const audit = (yield* ask("ada", "/operator/audit")).json.entries.map(
          ({ action }: { action: string }) => action
        )
        assert.deepStrictEqual(audit, ["balance.add", "proposal.confirm", "proposal.make", "balance.add"])
      })
    )
  )

  it.effect.each([
    [{ EUR: 50_000, JPY: 50_000 }, "500.00", "EUR", "at once"],
    [{ EUR: 50_000, JPY: 50_000 }, "500.01", "EUR", "second person"],
    [{ EUR: 50_000, JPY: 50_000 }, "50000", "JPY", "at once"],
    [{ EUR: 50_000, JPY: 50_000 }, "50001", "JPY", "second person"],
    [{ EUR: 50_000 }, "1", "JPY", "second person"],
    [{ KWD: 500 }, "0.500", "KWD", "at once"],
    [{ KWD: 500 }, "0.501", "KWD", "second person"],
    [{ KWD: 500 }, "0.5001", "KWD", "second person"],
    [{ EUR: 50_000 }, undefined, "EUR", "second person"],
    [{}, "0.01", "EUR", "second person"]
  ] as const)("is judged by the limit of its order's currency: %j, %s %s: %s", ([limits, amount, currency, expected]) =>
    gateway(
      { "orders refund": limits },
      Effect.gen(function* () {
        const store = yield* Store
        yield* store.commit({
          guards: [],
          writes: [Decision.append(Order, Row.row(Order, { orderId: "7", currency }))]
        })
        const input = { comment: "late", ...(amount !== undefined && { amount }) }
        const { json } = yield* (yield* asking)("eve", "/operator/orders/7/refund", input)
        assert.strictEqual(json.proposal === undefined ? "at once" : "second person", expected, JSON.stringify(json))
      })
    )
  )

  it.effect("is judged in the only currency of its endpoint, if it names none", () =>
    gateway(
      { "balance add": { USD: 10_000 } },
      Effect.gen(function* () {
        const ask = yield* asking
        for (const [amount, status] of [
          ["100.00", 201],
          ["100.01", 409]
        ] as const) {
          const { currency: _, ...input } = posting(amount)
          assert.strictEqual((yield* ask("ada", "/operator/balances", input)).status, status, amount)
        }
      })
    )
  )

  it.effect.each([
    ["withdrawn by who proposed it", "withdraw", 0],
    ["a week old", "wait", 8]
  ] as const)("is not made any more: %s", ([, how, days]) =>
    gateway(
      { "keys add": {} },
      Effect.gen(function* () {
        const ask = yield* asking
        const { json, status } = yield* ask("ada", "/operator/keys/add", { merchant: login, kind: "control" })
        assert.strictEqual(status, 409)
        if (how === "withdraw")
          assert.strictEqual((yield* ask("ada", `/operator/proposals/${json.proposal}/withdraw`, {})).status, 200)
        yield* TestClock.adjust(`${days} days`)
        assert.strictEqual((yield* ask("bob", `/operator/proposals/${json.proposal}/confirm`, {})).status, 409)
        assert.strictEqual((yield* ask("bob", "/operator/proposals/1/confirm", {})).status, 404)
      })
    )
  )

  it.effect("adds one key, however often it is confirmed", () =>
    gateway(
      { "keys add": {} },
      Effect.gen(function* () {
        const ask = yield* asking
        const keys = Effect.map(ask("ada", `/operator/keys?merchant=${login}`), ({ json }) => json.keys.length)
        const before = yield* keys
        const { json } = yield* ask("ada", "/operator/keys/add", { merchant: login, kind: "control" })
        const confirm = ask("bob", `/operator/proposals/${json.proposal}/confirm`, {})
        assert.deepStrictEqual([(yield* confirm).status, (yield* confirm).status], [200, 409])
        assert.strictEqual(yield* keys, before + 1)
      })
    )
  )

  it.effect("is kept without a card number that its reason has", () =>
    gateway(
      { "orders refund": {} },
      Effect.gen(function* () {
        const ask = yield* asking
        const comment = "of 4111 1111 1111 1111"
        assert.strictEqual((yield* ask("eve", "/operator/orders/1/refund", { comment, amount: "1.00" })).status, 409)
        const texts = [
          (yield* ask("eve", `/operator/proposals?state=open`)).json,
          (yield* ask("eve", "/operator/audit")).json
        ].map((body) => JSON.stringify(body))
        for (const text of texts) {
          assert.include(text, "[number]")
          assert.notInclude(text, "4111 1111")
        }
      })
    )
  )

  it.effect("is refused at once where it is wrong", () =>
    gateway(
      { "balance add": {} },
      Effect.gen(function* () {
        const ask = yield* asking
        assert.strictEqual((yield* ask("ada", "/operator/balances", { ...posting("1.00"), amount: 1 })).status, 400)
        assert.deepStrictEqual((yield* ask("ada", `/operator/proposals?state=open`)).json.proposals, [])
      })
    )
  )
})
