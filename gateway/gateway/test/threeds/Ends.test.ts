import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Decision from "../../src/kernel/Decision.ts"
import { Evidence } from "../../src/kernel/Evidence.ts"
import { Job } from "../../src/kernel/Job.ts"
import { Store } from "../../src/kernel/Store.ts"
import { Cvv } from "../../src/orders/record/Card.ts"
import { Order } from "../../src/orders/record/Order.ts"
import * as Issuer from "./Issuer.ts"
import * as ScriptedGateway from "./ScriptedGateway.ts"

const { endpoints } = ScriptedGateway

describe("an order that becomes final while its customer authenticates", () => {
  it.effect("stays as it is, and its 3-D Secure job is removed", () => {
    const scripted = ScriptedGateway.make()
    return Effect.gen(function* () {
      const store = yield* Store
      const orderid = yield* ScriptedGateway.sale(endpoints.gateway)
      const order = yield* store.load(Order, [orderid])
      assert.isDefined(order)
      if (order === undefined) return
      const ended: Order = { ...order, state: "declined", version: order.version + 1 }
      yield* store.commit({ guards: [], writes: [Decision.put(Order, ended)] })
      yield* ScriptedGateway.pass("10 seconds")
      assert.deepStrictEqual(yield* store.load(Order, [orderid]), ended)
      assert.isUndefined(yield* store.load(Job, [`threeds:${orderid}`]))
      assert.lengthOf(scripted.issuer.requests, 0)
    }).pipe(Effect.provide(ScriptedGateway.layer(scripted)))
  })
})

describe("a security code", () => {
  it.effect.each([
    ["Y", "approved"],
    ["N", "declined"]
  ] as const)("is stored while the customer authenticates, and deleted after the issuer's %s", ([letter, status]) => {
    const scripted = ScriptedGateway.make({ report: Issuer.verdict(letter) })
    return Effect.gen(function* () {
      const store = yield* Store
      const orderid = yield* ScriptedGateway.sale(endpoints.merchant)
      yield* ScriptedGateway.uploadMethod({ orderid })
      assert.isDefined(yield* store.load(Cvv, [orderid]))
      yield* ScriptedGateway.uploadCres({ orderid })
      assert.strictEqual((yield* ScriptedGateway.status(endpoints.merchant)).status, status)
      assert.isUndefined(yield* store.load(Cvv, [orderid]))
    }).pipe(Effect.provide(ScriptedGateway.layer(scripted)))
  })
})

describe("an answer of the 3-D Secure server that cannot be read", () => {
  it.effect.each([
    ["look-up", { enrolment: { ...Issuer.withoutMethod, serverTransId: " " } }, "serverTransId: Expected text"],
    [
      "method URL",
      { enrolment: { ...Issuer.withMethod, methodUrl: "javascript:alert(1)" } },
      "methodUrl: Expected an address"
    ],
    ["NUL", { enrolment: { ...Issuer.withoutMethod, version: "2.2\0" } }, "version: Expected text without NUL"],
    [
      "challenge",
      { enrolment: Issuer.withoutMethod, answer: { ...Issuer.challenge, acsTransId: "" } },
      "acsTransId: Expected text"
    ],
    ["verdict", { enrolment: Issuer.withoutMethod, answer: Issuer.finished("") }, "verdict.transStatus: Expected text"]
  ] as const)("ends without a verdict, and is kept as evidence: %s", ([, issuer, problem]) => {
    const scripted = ScriptedGateway.make(issuer)
    return Effect.gen(function* () {
      yield* ScriptedGateway.sale(ScriptedGateway.endpoints.merchant)
      const store = yield* Store
      const [evidence] = yield* store.find(Evidence, "key", { limit: 10 })
      assert.include(evidence?.answer, problem)
      assert.strictEqual(evidence?.reference, `${evidence?.orderId}-threeds-1`)
      assert.notInclude(evidence?.answer, "AAABBZEEBgAAAAAAAAQGAAAAAAA=")
      assert.lengthOf(scripted.authorized, 0)
      const [order] = yield* store.find(Order, "key", { limit: 10 })
      assert.strictEqual(order?.state, "declined")
    }).pipe(Effect.provide(ScriptedGateway.layer(scripted)))
  })
})

describe("an authentication whose process dies during a request to the issuer", () => {
  it.effect("is requested again under the same reference when the lease ends", () => {
    const scripted = ScriptedGateway.make({ answer: Issuer.finished("Y") })
    return Effect.gen(function* () {
      const store = yield* Store
      const orderid = yield* ScriptedGateway.sale(endpoints.merchant)
      const job = yield* store.load(Job, [`threeds:${orderid}`])
      assert.isDefined(job)
      if (job === undefined) return
      // Less than half of a lease is left, so no process runs the job under it any more.
      const context: Job = { ...job, token: "dead", openAttempts: 1, leaseUntilMs: ScriptedGateway.startMs + 10_000 }
      yield* store.commit({ guards: [], writes: [Decision.put(Job, context)] })
      yield* ScriptedGateway.pass("9 seconds")
      assert.lengthOf(scripted.issuer.requests, 0)
      yield* ScriptedGateway.pass("2 seconds")
      assert.deepStrictEqual(
        scripted.issuer.requests.map(({ reference }) => reference),
        [`${orderid}-threeds-1`]
      )
      assert.strictEqual((yield* ScriptedGateway.status(endpoints.merchant)).status, "approved")
    }).pipe(Effect.provide(ScriptedGateway.layer(scripted)))
  })
})
