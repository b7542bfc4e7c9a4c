import { assert, describe, it } from "@effect/vitest"
import * as ThreeDS from "@pay/schema/ThreeDS"
import { Effect, Redacted, Result } from "effect"
import * as CustomerAddress from "../../src/network/CustomerAddress.ts"
import * as Issuer from "./Issuer.ts"
import * as ScriptedGateway from "./ScriptedGateway.ts"

const { endpoints } = ScriptedGateway

describe("3-D Secure 2 without a challenge", () => {
  const cases: ReadonlyArray<readonly [string, string, string, string]> = [
    ["Y", "approved", "AUTHENTICATED", "-"],
    ["A", "approved", "AUTHENTICATED", "-"],
    ["N", "declined", "NOT_AUTHENTICATED", "90"],
    ["R", "declined", "NOT_AUTHENTICATED", "90"],
    ["U", "declined", "UNSUPPORTED", "90"],
    ["C", "declined", "UNSUPPORTED", "90"],
    ["?", "declined", "UNSUPPORTED", "90"]
  ]
  for (const endpoint of ["gateway", "merchant"] as const) {
    it.effect.each(cases)(
      `ends in ${endpoint} mode with transStatus %s as %s`,
      ([transStatus, status, verified, code]) => {
        const scripted = ScriptedGateway.make({ enrolment: Issuer.withoutMethod, answer: Issuer.finished(transStatus) })
        return Effect.gen(function* () {
          yield* ScriptedGateway.sale(endpoints[endpoint])
          assert.deepStrictEqual(yield* ScriptedGateway.outcome(endpoints[endpoint]), [status, verified, code])
          assert.lengthOf(scripted.authorized, status === "approved" ? 1 : 0)
          assert.lengthOf(scripted.callbacks, 1)
          assert.include(scripted.callbacks[0] ?? "", `status=${status}`)
          assert.strictEqual(scripted.issuer.requests[0]?.completionIndicator, "U")
        }).pipe(Effect.provide(ScriptedGateway.layer(scripted)))
      }
    )
  }

  it.effect.each(["U", "?"])("is charged with transStatus %s if the endpoint proceeds on U", (transStatus) => {
    const scripted = ScriptedGateway.make({ enrolment: Issuer.withoutMethod, answer: Issuer.finished(transStatus) })
    return Effect.gen(function* () {
      yield* ScriptedGateway.sale(endpoints.proceed)
      assert.deepStrictEqual(yield* ScriptedGateway.outcome(endpoints.proceed), ["approved", "UNSUPPORTED", "-"])
      assert.lengthOf(scripted.authorized, 1)
    }).pipe(Effect.provide(ScriptedGateway.layer(scripted)))
  })

  it.effect.each(["N", "R"])("is declined with transStatus %s even if the endpoint proceeds on U", (transStatus) => {
    const scripted = ScriptedGateway.make({ enrolment: Issuer.withoutMethod, answer: Issuer.finished(transStatus) })
    return Effect.gen(function* () {
      yield* ScriptedGateway.sale(endpoints.proceed)
      assert.strictEqual((yield* ScriptedGateway.outcome(endpoints.proceed))[0], "declined")
      assert.lengthOf(scripted.authorized, 0)
    }).pipe(Effect.provide(ScriptedGateway.layer(scripted)))
  })
})

describe("the authorisation at the bank", () => {
  it.effect("contains the issuer's authentication result", () => {
    const scripted = ScriptedGateway.make({ enrolment: Issuer.withoutMethod, answer: Issuer.finished("A") })
    return Effect.gen(function* () {
      yield* ScriptedGateway.sale(endpoints.merchant)
      const proof = scripted.authorized[0]?.authentication
      assert.deepInclude(proof, { protocol: "2.2.0", transStatus: "A", transactionId: Issuer.transId, eci: "05" })
      assert.strictEqual(
        proof?.authenticationValue === undefined ? undefined : Redacted.value(proof.authenticationValue),
        "AAABBZEEBgAAAAAAAAQGAAAAAAA="
      )
    }).pipe(Effect.provide(ScriptedGateway.layer(scripted)))
  })

  it.effect("contains no authentication result if 3-D Secure is off", () => {
    const scripted = ScriptedGateway.make()
    return Effect.gen(function* () {
      yield* ScriptedGateway.sale(endpoints.off)
      assert.lengthOf(scripted.issuer.lookups, 0)
      assert.lengthOf(scripted.authorized, 1)
      assert.isUndefined(scripted.authorized[0]?.authentication)
    }).pipe(Effect.provide(ScriptedGateway.layer(scripted)))
  })
})

describe("the method step", () => {
  it.effect("is given to the merchant as fields and as a page", () => {
    const scripted = ScriptedGateway.make()
    return Effect.gen(function* () {
      yield* ScriptedGateway.sale(endpoints.merchant)
      const status = yield* ScriptedGateway.status(endpoints.merchant)
      assert.deepInclude(status, {
        status: "processing",
        "order-stage": "sale_3d_validating",
        "threeds-stage": "method",
        "threeds-version": "2.2.0",
        "threeds-server-trans-id": Issuer.transId,
        "threeds-method-url": Issuer.methodUrl
      })
      assert.notProperty(status, "redirect-to")
      assert.deepStrictEqual(
        ThreeDS.methodData.decode(String(status["threeds-method-data"])),
        Result.succeed({
          threeDSServerTransID: Issuer.transId,
          threeDSMethodNotificationURL: ScriptedGateway.returnUrl
        })
      )
      assert.include(String(status.html), `action="${Issuer.methodUrl}" target="issuer"`)
      assert.lengthOf(scripted.issuer.requests, 0)
    }).pipe(Effect.provide(ScriptedGateway.layer(scripted)))
  })

  it.effect.each(["Y", "N"] as const)("ends with %s, and the issuer gets the browser's data", (indicator) => {
    const scripted = ScriptedGateway.make({ answer: Issuer.finished("Y") })
    return Effect.gen(function* () {
      const orderid = yield* ScriptedGateway.sale(endpoints.merchant, { customer_browser_color_depth: "24" })
      const reply = yield* ScriptedGateway.uploadMethod({ orderid }, { threeDSCompInd: indicator })
      assert.strictEqual(reply.status, 200)
      assert.deepInclude(scripted.issuer.requests[0], {
        reference: `${orderid}-threeds-1`,
        serverTransId: Issuer.transId,
        completionIndicator: indicator,
        notificationUrl: ScriptedGateway.returnUrl
      })
      assert.deepInclude(scripted.issuer.requests[0]?.browser, {
        userAgent: "Test",
        colorDepth: 24,
        ip: CustomerAddress.of("203.0.113.7")
      })
      assert.strictEqual((yield* ScriptedGateway.outcome(endpoints.merchant))[0], "approved")
    }).pipe(Effect.provide(ScriptedGateway.layer(scripted)))
  })

  it.effect("counts as N if the merchant uploads U although there is a method URL", () => {
    const scripted = ScriptedGateway.make()
    return Effect.gen(function* () {
      const orderid = yield* ScriptedGateway.sale(endpoints.merchant)
      assert.strictEqual((yield* ScriptedGateway.uploadMethod({ orderid }, { threeDSCompInd: "U" })).status, 200)
      assert.deepInclude(scripted.issuer.requests[0], { completionIndicator: "N" })
    }).pipe(Effect.provide(ScriptedGateway.layer(scripted)))
  })

  it.effect("counts as N after exactly 10 seconds", () => {
    const scripted = ScriptedGateway.make()
    return Effect.gen(function* () {
      yield* ScriptedGateway.sale(endpoints.merchant)
      yield* ScriptedGateway.pass("9999 millis")
      assert.lengthOf(scripted.issuer.requests, 0)
      yield* ScriptedGateway.pass("1 millis")
      assert.strictEqual(scripted.issuer.requests[0]?.completionIndicator, "N")
      assert.strictEqual((yield* ScriptedGateway.status(endpoints.merchant))["threeds-stage"], "challenge")
    }).pipe(Effect.provide(ScriptedGateway.layer(scripted)))
  })
})

/** Starts a merchant's sale and takes it to the challenge. */
const challenged = Effect.gen(function* () {
  const orderid = yield* ScriptedGateway.sale(endpoints.merchant)
  yield* ScriptedGateway.uploadMethod({ orderid })
  return orderid
})

describe("the challenge", () => {
  it.effect("is given to the merchant as fields and as a page", () => {
    const scripted = ScriptedGateway.make()
    return Effect.gen(function* () {
      yield* challenged
      const status = yield* ScriptedGateway.status(endpoints.merchant)
      assert.deepInclude(status, { "threeds-stage": "challenge", "acs-url": Issuer.acsUrl, creq: Issuer.creq })
      assert.include(String(status.html), `<input type="hidden" name="creq" value="${Issuer.creq}">`)
      assert.notInclude(String(status.html), "<iframe")
    }).pipe(Effect.provide(ScriptedGateway.layer(scripted)))
  })

  const reports: ReadonlyArray<readonly [string, string, string]> = [
    ["Y", "approved", "AUTHENTICATED"],
    ["A", "approved", "AUTHENTICATED"],
    ["N", "declined", "NOT_AUTHENTICATED"],
    ["R", "declined", "NOT_AUTHENTICATED"],
    ["U", "declined", "UNSUPPORTED"],
    ["C", "declined", "UNSUPPORTED"]
  ]
  it.effect.each(reports)("ends by the issuer's report and not by the CRes: %s: %s", ([letter, status, verified]) => {
    const scripted = ScriptedGateway.make({ report: Issuer.verdict(letter) })
    return Effect.gen(function* () {
      const orderid = yield* challenged
      yield* ScriptedGateway.uploadCres({ orderid }, ScriptedGateway.cres({ transStatus: letter === "Y" ? "N" : "Y" }))
      assert.deepStrictEqual((yield* ScriptedGateway.outcome(endpoints.merchant)).slice(0, 2), [status, verified])
      assert.lengthOf(scripted.authorized, status === "approved" ? 1 : 0)
    }).pipe(Effect.provide(ScriptedGateway.layer(scripted)))
  })

  it.effect("is declined if the issuer has no report for half a minute after the CRes", () => {
    const scripted = ScriptedGateway.make({ report: undefined })
    return Effect.gen(function* () {
      const orderid = yield* challenged
      yield* ScriptedGateway.uploadCres({ orderid })
      assert.strictEqual(scripted.issuer.reports, 1)
      for (const seconds of [1, 2, 4, 8]) yield* ScriptedGateway.pass(`${seconds} seconds`)
      assert.strictEqual(scripted.issuer.reports, 5)
      assert.strictEqual((yield* ScriptedGateway.outcome(endpoints.merchant))[0], "processing")
      yield* ScriptedGateway.pass("15 seconds")
      assert.deepStrictEqual(yield* ScriptedGateway.outcome(endpoints.merchant), ["declined", "UNKNOWN", "90"])
      assert.strictEqual(scripted.issuer.reports, 6)
      assert.lengthOf(scripted.authorized, 0)
    }).pipe(Effect.provide(ScriptedGateway.layer(scripted)))
  })

  it.effect("is approved by a report that comes some seconds after the CRes", () => {
    const scripted = ScriptedGateway.make({ report: undefined })
    return Effect.gen(function* () {
      const orderid = yield* challenged
      yield* ScriptedGateway.uploadCres({ orderid })
      yield* ScriptedGateway.pass("1 seconds")
      scripted.issuer.report = "error"
      yield* ScriptedGateway.pass("2 seconds")
      scripted.issuer.report = Issuer.verdict("Y")
      yield* ScriptedGateway.pass("4 seconds")
      assert.deepStrictEqual(yield* ScriptedGateway.outcome(endpoints.merchant), ["approved", "AUTHENTICATED", "-"])
    }).pipe(Effect.provide(ScriptedGateway.layer(scripted)))
  })

  it.effect("is declined after 10 minutes without a CRes and without a report", () => {
    const scripted = ScriptedGateway.make({ report: undefined })
    return Effect.gen(function* () {
      yield* challenged
      yield* ScriptedGateway.pass("599999 millis")
      assert.strictEqual(scripted.issuer.reports, 0)
      yield* ScriptedGateway.pass("1 millis")
      for (const seconds of [1, 2, 4, 8, 15]) yield* ScriptedGateway.pass(`${seconds} seconds`)
      assert.deepStrictEqual(yield* ScriptedGateway.outcome(endpoints.merchant), ["declined", "UNKNOWN", "90"])
      assert.lengthOf(scripted.authorized, 0)
    }).pipe(Effect.provide(ScriptedGateway.layer(scripted)))
  })

  it.effect("is approved after 10 minutes without a CRes if the issuer reports success", () => {
    const scripted = ScriptedGateway.make()
    return Effect.gen(function* () {
      yield* challenged
      yield* ScriptedGateway.pass("10 minutes")
      assert.deepStrictEqual(yield* ScriptedGateway.outcome(endpoints.merchant), ["approved", "AUTHENTICATED", "-"])
    }).pipe(Effect.provide(ScriptedGateway.layer(scripted)))
  })
})
