import { assert, layer } from "@effect/vitest"
import * as Decision from "@pay/gateway/Decision"
import { AuditEntry } from "@pay/gateway/Entities"
import { Scheduler } from "@pay/gateway/Scheduler"
import { Audit, Store } from "@pay/gateway/Store"
import * as PayApi from "@pay/schema/PayApi"
import { Effect, Redacted, Schema } from "effect"
import * as Operating from "../harness/Operating.ts"
import * as TestGateway from "../harness/TestGateway.ts"

const { SALE } = PayApi.operations

const Page = Schema.Struct({
  entries: Schema.Array(
    Schema.Struct({
      id: Schema.String,
      at: Schema.String,
      actor: Schema.String,
      action: Schema.String,
      subject: Schema.String,
      detail: Schema.Record(Schema.String, Schema.Unknown)
    })
  ),
  next: Schema.optionalKey(Schema.String)
})
const read = Schema.decodeUnknownSync(Page)

const alice = Operating.as("alice-has-this-token")
const operators = [{ name: "alice", token: Redacted.make("alice-has-this-token") }]

layer(TestGateway.layer({ operators }), { excludeTestServices: true })("the audit", (it) => {
  it.effect("records who started a key rotation, and nothing for a refused resend", () =>
    Effect.gen(function* () {
      const scheduler = yield* Scheduler
      const { body } = yield* TestGateway.post(SALE, {
        ...TestGateway.saleFields,
        client_orderid: "audited",
        server_callback_url: "http://127.0.0.1:1/nobody"
      })
      const order = String(body["paynet-order-id"])
      yield* scheduler.settled
      assert.strictEqual((yield* alice("POST", `/operator/callbacks/${order}-1/resend`)).status, 409)
      assert.deepStrictEqual(read((yield* alice("GET", `/operator/audit?subject=order:${order}`)).body).entries, [])
      assert.strictEqual((yield* alice("POST", "/operator/keys/rotation")).status, 202)
      const { entries } = read((yield* alice("GET", "/operator/audit")).body)
      assert.deepStrictEqual(
        entries.map(({ action, actor, subject }) => [actor, action, subject]),
        [["operator:alice", "master-key.rotate", "keys:master"]]
      )
    })
  )

  it.effect("is paged from the newest entry to the oldest, also over entries of one millisecond", () =>
    Effect.gen(function* () {
      const store = yield* Store
      for (const [auditId, atMs] of [
        ["a1", 1000],
        ["a2", 1000],
        ["a3", 1000],
        ["a4", 2000]
      ] as const)
        yield* store.commit({
          guards: [],
          writes: [Audit.entry({ auditId, atMs, actor: "gateway", action: "x.y", subject: { kind: "x", id: "1" } })]
        })
      const values: Array<string> = []
      let after = ""
      while (true) {
        const page = read((yield* alice("GET", `/operator/audit?subject=x:1&limit=1${after}`)).body)
        values.push(...page.entries.map(({ id }) => id))
        if (page.next === undefined) break
        after = `&after=${page.next}`
      }
      assert.deepStrictEqual(values, ["a4", "a3", "a2", "a1"])
      const between = "/operator/audit?subject=x:1&from=1970-01-01T00:00:02Z&to=1970-01-01T00:00:02Z"
      assert.deepStrictEqual(
        read((yield* alice("GET", between)).body).entries.map(({ id }) => id),
        ["a4"]
      )
    })
  )

  it.effect("refuses a change of an entry", () =>
    Effect.gen(function* () {
      const store = yield* Store
      const entry = Audit.entry({
        auditId: "kept",
        atMs: 1,
        actor: "gateway",
        action: "x.y",
        subject: { kind: "kept", id: "1" }
      })
      yield* store.commit({ guards: [], writes: [entry] })
      const row = yield* store.load(AuditEntry, ["kept"])
      assert.isDefined(row)
      const change = Decision.put(AuditEntry, { ...row, actor: "operator:mallory" })
      const exit = yield* Effect.exit(store.commit({ guards: [], writes: [change] }))
      assert.strictEqual(exit._tag, "Failure")
    })
  )

  it.effect.each([
    ["/operator/audit?subject=order", 400],
    ["/operator/audit?from=yesterday", 400],
    ["/operator/audit?limit=1001", 400],
    ["/operator/audit?after=x", 400]
  ] as const)("answers %s with %i", ([target, status]) =>
    Effect.map(alice("GET", target), (reply) => assert.strictEqual(reply.status, status))
  )

  it.effect("answers 401 without a token", () =>
    Effect.map(Operating.ask("GET", "/operator/audit"), (reply) => assert.strictEqual(reply.status, 401))
  )
})
