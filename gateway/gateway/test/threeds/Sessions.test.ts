/** A 3-D Secure server that keeps nothing itself, or that sends the authentication request at once. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Issuer from "./Issuer.ts"
import * as ScriptedGateway from "./ScriptedGateway.ts"

const { endpoints } = ScriptedGateway
const transaction = { version: "2.2.0", serverTransId: Issuer.transId }
const { acsTransId, acsUrl, creq } = Issuer

describe("the session of a 3-D Secure server", () => {
  it.effect("comes back with the next call, and is forgotten when the authentication ends", () => {
    const scripted = ScriptedGateway.make({
      enrolment: { ...Issuer.withMethod, session: "of the enrolment" },
      answer: { _tag: "Challenge", acsUrl, creq, acsTransId, session: "of the challenge" }
    })
    return Effect.gen(function* () {
      const orderid = yield* ScriptedGateway.sale(endpoints.merchant)
      yield* ScriptedGateway.uploadMethod({ orderid })
      assert.strictEqual(scripted.issuer.requests[0]?.session, "of the enrolment")
      yield* ScriptedGateway.uploadCres({ orderid })
      assert.deepStrictEqual(scripted.issuer.sessions, ["of the challenge"])
      assert.strictEqual((yield* ScriptedGateway.outcome(endpoints.merchant))[0], "approved")
      assert.isNull((yield* ScriptedGateway.authenticationOf(orderid))?.session)
    }).pipe(Effect.provide(ScriptedGateway.layer(scripted)))
  })

  it.effect("is not sent by a server that gave none", () => {
    const scripted = ScriptedGateway.make()
    return Effect.gen(function* () {
      const orderid = yield* ScriptedGateway.sale(endpoints.merchant)
      yield* ScriptedGateway.uploadMethod({ orderid })
      yield* ScriptedGateway.uploadCres({ orderid })
      assert.isUndefined(scripted.issuer.requests[0]?.session)
      assert.deepStrictEqual(scripted.issuer.sessions, [undefined])
    }).pipe(Effect.provide(ScriptedGateway.layer(scripted)))
  })
})

describe("a look-up", () => {
  it.effect("names the browser as far as it is known, and the address of the result", () => {
    const scripted = ScriptedGateway.make()
    return Effect.gen(function* () {
      yield* ScriptedGateway.sale(endpoints.merchant, { customer_browser_color_depth: "24" })
      const [lookup] = scripted.issuer.lookups
      assert.strictEqual(lookup?.notificationUrl, ScriptedGateway.returnUrl)
      assert.strictEqual(lookup?.browser.colorDepth, 24)
    }).pipe(Effect.provide(ScriptedGateway.layer(scripted)))
  })

  it.effect.each([
    ["Y", "approved"],
    ["N", "declined"]
  ] as const)("that is at once a verdict %s ends the authentication: %s", ([transStatus, status]) => {
    const enrolment = { _tag: "Finished" as const, ...transaction, verdict: Issuer.verdict(transStatus) }
    const scripted = ScriptedGateway.make({ enrolment })
    return Effect.gen(function* () {
      yield* ScriptedGateway.sale(endpoints.merchant)
      assert.strictEqual((yield* ScriptedGateway.outcome(endpoints.merchant))[0], status)
      assert.lengthOf(scripted.issuer.requests, 0)
      assert.lengthOf(scripted.authorized, status === "approved" ? 1 : 0)
      if (status === "declined") return
      assert.deepInclude(scripted.authorized[0]?.authentication, {
        ...{ protocol: "2.2.0", transStatus: "Y", transactionId: Issuer.transId }
      })
    }).pipe(Effect.provide(ScriptedGateway.layer(scripted)))
  })

  it.effect("that is at once a challenge leads the customer to the issuer", () => {
    const enrolment = { _tag: "Challenge" as const, ...transaction, acsUrl, creq, acsTransId, session: "kept" }
    const scripted = ScriptedGateway.make({ enrolment })
    return Effect.gen(function* () {
      const orderid = yield* ScriptedGateway.sale(endpoints.merchant)
      assert.deepInclude(yield* ScriptedGateway.status(endpoints.merchant), {
        ...{ "threeds-stage": "challenge", "acs-url": acsUrl, creq, "threeds-server-trans-id": Issuer.transId }
      })
      yield* ScriptedGateway.uploadCres({ orderid })
      assert.deepStrictEqual(scripted.issuer.sessions, ["kept"])
      assert.lengthOf(scripted.issuer.requests, 0)
      assert.strictEqual((yield* ScriptedGateway.outcome(endpoints.merchant))[0], "approved")
    }).pipe(Effect.provide(ScriptedGateway.layer(scripted)))
  })
})
