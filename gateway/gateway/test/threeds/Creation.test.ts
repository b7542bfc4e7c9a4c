import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { Scheduler } from "../../src/kernel/Scheduler.ts"
import * as Issuer from "./Issuer.ts"
import * as ScriptedGateway from "./ScriptedGateway.ts"

const { endpoints } = ScriptedGateway

describe("an order that waits for the customer's browser", () => {
  it.effect("occupies no worker of the process", () => {
    const scripted = ScriptedGateway.make()
    return Effect.gen(function* () {
      const scheduler = yield* Scheduler
      for (let n = 0; n < 50; n += 1) yield* ScriptedGateway.sale(endpoints.gateway, { client_orderid: `sale-${n}` })
      assert.strictEqual(scheduler.load(), 0)
      assert.strictEqual(yield* scheduler.nextDueMs, ScriptedGateway.startMs + 10_000)
    }).pipe(Effect.provide(ScriptedGateway.layer(scripted)))
  })
})

describe("a sale with 3-D Secure", () => {
  it.effect("requires redirect_url", () => {
    const scripted = ScriptedGateway.make()
    return Effect.gen(function* () {
      const { redirect_url: _, ...fields } = ScriptedGateway.saleFields()
      const reply = yield* ScriptedGateway.post(ScriptedGateway.SALE, fields, endpoints.gateway)
      assert.strictEqual(reply.status, 400)
      assert.deepInclude(reply.body, { "error-code": "1", "error-message": "Parameter redirect_url is required" })
      assert.strictEqual((yield* ScriptedGateway.post(ScriptedGateway.SALE, fields, endpoints.off)).status, 200)
    }).pipe(Effect.provide(ScriptedGateway.layer(scripted)))
  })

  it.effect("uses the gateway's pages by default if there is a 3-D Secure server", () => {
    const scripted = ScriptedGateway.make()
    return Effect.gen(function* () {
      yield* ScriptedGateway.sale(endpoints.silent)
      assert.match(
        String((yield* ScriptedGateway.status(endpoints.silent))["redirect-to"]),
        /^https:\/\/gateway\.example\/3ds\/[\w-]{32}$/
      )
    }).pipe(Effect.provide(ScriptedGateway.layer(scripted)))
  })

  it.effect("is declined without the bank if the endpoint requires 3-D Secure and there is no server", () => {
    const scripted = ScriptedGateway.make()
    return Effect.gen(function* () {
      yield* ScriptedGateway.sale(endpoints.gateway)
      assert.deepStrictEqual(yield* ScriptedGateway.outcome(endpoints.gateway), ["declined", "UNSUPPORTED", "90"])
      assert.lengthOf(scripted.authorized, 0)
    }).pipe(Effect.provide(ScriptedGateway.layer(scripted, { server: false })))
  })

  it.effect("calls the directory server once, with card, amount and merchant", () => {
    const scripted = ScriptedGateway.make()
    return Effect.gen(function* () {
      const orderid = yield* ScriptedGateway.sale(endpoints.gateway)
      const [lookup] = scripted.issuer.lookups
      assert.lengthOf(scripted.issuer.lookups, 1)
      assert.deepInclude(lookup, {
        reference: `${orderid}-threeds-1`,
        amountMinor: 1042,
        currency: "USD",
        merchantName: "Example Shop",
        expireMonth: 12
      })
      assert.strictEqual(
        lookup === undefined ? "" : Redacted.value(lookup.pan),
        ScriptedGateway.saleFields().credit_card_number
      )
    }).pipe(Effect.provide(ScriptedGateway.layer(scripted)))
  })
})

describe("a card without a result from 3-D Secure", () => {
  const cases: ReadonlyArray<readonly [string, Partial<Issuer.Script>]> = [
    ["it is not enrolled", { enrolment: { _tag: "NotEnrolled" } }],
    ["the 3-D Secure server fails", { enrolment: "error" }],
    ["the 3-D Secure server is silent", { enrolment: "silence" }],
    ["the issuer fails", { enrolment: Issuer.withoutMethod, answer: "error" }],
    ["the issuer is silent", { enrolment: Issuer.withoutMethod, answer: "silence" }]
  ]
  for (const [name, script] of cases) {
    it.effect(`counts as U and is declined: ${name}`, () => {
      const scripted = ScriptedGateway.make(script)
      return Effect.gen(function* () {
        const done = yield* Effect.forkChild(ScriptedGateway.sale(endpoints.merchant))
        yield* Effect.yieldNow
        yield* ScriptedGateway.elapse(Issuer.deadlineMs)
        yield* ScriptedGateway.joined(done)
        assert.deepStrictEqual(yield* ScriptedGateway.outcome(endpoints.merchant), ["declined", "UNSUPPORTED", "90"])
        assert.lengthOf(scripted.authorized, 0)
      }).pipe(Effect.provide(ScriptedGateway.layer(scripted)))
    })
    it.effect(`counts as U and is charged if the endpoint proceeds on U: ${name}`, () => {
      const scripted = ScriptedGateway.make(script)
      return Effect.gen(function* () {
        const done = yield* Effect.forkChild(ScriptedGateway.sale(endpoints.proceed))
        yield* Effect.yieldNow
        yield* ScriptedGateway.elapse(Issuer.deadlineMs)
        yield* ScriptedGateway.joined(done)
        assert.deepStrictEqual(yield* ScriptedGateway.outcome(endpoints.proceed), ["approved", "UNSUPPORTED", "-"])
      }).pipe(Effect.provide(ScriptedGateway.layer(scripted)))
    })
  }
})
