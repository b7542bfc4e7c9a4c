import { assert, describe, it } from "@effect/vitest"
import * as ThreeDS from "@pay/schema/ThreeDS"
import { Effect, Redacted, Result } from "effect"
import * as CustomerAddress from "../../src/network/CustomerAddress.ts"
import * as Issuer from "./Issuer.ts"
import * as World from "./World.ts"

const { endpoints } = World

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
        const world = World.make({ enrolment: Issuer.withoutMethod, answer: Issuer.finished(transStatus) })
        return Effect.gen(function* () {
          yield* World.sale(endpoints[endpoint])
          assert.deepStrictEqual(yield* World.outcome(endpoints[endpoint]), [status, verified, code])
          assert.lengthOf(world.authorized, status === "approved" ? 1 : 0)
          assert.lengthOf(world.callbacks, 1)
          assert.include(world.callbacks[0] ?? "", `status=${status}`)
          assert.strictEqual(world.issuer.requests[0]?.completionIndicator, "U")
        }).pipe(Effect.provide(World.layer(world)))
      }
    )
  }

  it.effect.each(["U", "?"])("is charged with transStatus %s if the endpoint proceeds on U", (transStatus) => {
    const world = World.make({ enrolment: Issuer.withoutMethod, answer: Issuer.finished(transStatus) })
    return Effect.gen(function* () {
      yield* World.sale(endpoints.proceed)
      assert.deepStrictEqual(yield* World.outcome(endpoints.proceed), ["approved", "UNSUPPORTED", "-"])
      assert.lengthOf(world.authorized, 1)
    }).pipe(Effect.provide(World.layer(world)))
  })

  it.effect.each(["N", "R"])("is declined with transStatus %s even if the endpoint proceeds on U", (transStatus) => {
    const world = World.make({ enrolment: Issuer.withoutMethod, answer: Issuer.finished(transStatus) })
    return Effect.gen(function* () {
      yield* World.sale(endpoints.proceed)
      assert.strictEqual((yield* World.outcome(endpoints.proceed))[0], "declined")
      assert.lengthOf(world.authorized, 0)
    }).pipe(Effect.provide(World.layer(world)))
  })
})

describe("the authorisation at the bank", () => {
  it.effect("contains the issuer's authentication result", () => {
    const world = World.make({ enrolment: Issuer.withoutMethod, answer: Issuer.finished("A") })
    return Effect.gen(function* () {
      yield* World.sale(endpoints.merchant)
      const proof = world.authorized[0]?.authentication
      assert.deepInclude(proof, { protocol: "2.2.0", transStatus: "A", transactionId: Issuer.transId, eci: "05" })
      assert.strictEqual(
        proof?.authenticationValue === undefined ? undefined : Redacted.value(proof.authenticationValue),
        "AAABBZEEBgAAAAAAAAQGAAAAAAA="
      )
    }).pipe(Effect.provide(World.layer(world)))
  })

  it.effect("contains no authentication result if 3-D Secure is off", () => {
    const world = World.make()
    return Effect.gen(function* () {
      yield* World.sale(endpoints.off)
      assert.lengthOf(world.issuer.lookups, 0)
      assert.lengthOf(world.authorized, 1)
      assert.isUndefined(world.authorized[0]?.authentication)
    }).pipe(Effect.provide(World.layer(world)))
  })
})

describe("the method step", () => {
  it.effect("is given to the merchant as fields and as a page", () => {
    const world = World.make()
    return Effect.gen(function* () {
      yield* World.sale(endpoints.merchant)
      const status = yield* World.status(endpoints.merchant)
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
        Result.succeed({ threeDSServerTransID: Issuer.transId, threeDSMethodNotificationURL: World.returnUrl })
      )
      assert.include(String(status.html), `action="${Issuer.methodUrl}" target="issuer"`)
      assert.lengthOf(world.issuer.requests, 0)
    }).pipe(Effect.provide(World.layer(world)))
  })

  it.effect.each(["Y", "N"] as const)("ends with %s, and the issuer gets the browser's data", (indicator) => {
    const world = World.make({ answer: Issuer.finished("Y") })
    return Effect.gen(function* () {
      const orderid = yield* World.sale(endpoints.merchant, { customer_browser_color_depth: "24" })
      const reply = yield* World.uploadMethod({ orderid }, { threeDSCompInd: indicator })
      assert.strictEqual(reply.status, 200)
      assert.deepInclude(world.issuer.requests[0], {
        reference: `${orderid}-threeds-1`,
        serverTransId: Issuer.transId,
        completionIndicator: indicator,
        notificationUrl: World.returnUrl
      })
      assert.deepInclude(world.issuer.requests[0]?.browser, {
        userAgent: "Test",
        colorDepth: "24",
        ip: CustomerAddress.of("203.0.113.7")
      })
      assert.strictEqual((yield* World.outcome(endpoints.merchant))[0], "approved")
    }).pipe(Effect.provide(World.layer(world)))
  })

  it.effect("counts as N if the merchant uploads U although there is a method URL", () => {
    const world = World.make()
    return Effect.gen(function* () {
      const orderid = yield* World.sale(endpoints.merchant)
      assert.strictEqual((yield* World.uploadMethod({ orderid }, { threeDSCompInd: "U" })).status, 200)
      assert.deepInclude(world.issuer.requests[0], { completionIndicator: "N" })
    }).pipe(Effect.provide(World.layer(world)))
  })

  it.effect("counts as N after exactly 10 seconds", () => {
    const world = World.make()
    return Effect.gen(function* () {
      yield* World.sale(endpoints.merchant)
      yield* World.pass("9999 millis")
      assert.lengthOf(world.issuer.requests, 0)
      yield* World.pass("1 millis")
      assert.strictEqual(world.issuer.requests[0]?.completionIndicator, "N")
      assert.strictEqual((yield* World.status(endpoints.merchant))["threeds-stage"], "challenge")
    }).pipe(Effect.provide(World.layer(world)))
  })
})

/** Starts a merchant's sale and takes it to the challenge. */
const challenged = Effect.gen(function* () {
  const orderid = yield* World.sale(endpoints.merchant)
  yield* World.uploadMethod({ orderid })
  return orderid
})

describe("the challenge", () => {
  it.effect("is given to the merchant as fields and as a page", () => {
    const world = World.make()
    return Effect.gen(function* () {
      yield* challenged
      const status = yield* World.status(endpoints.merchant)
      assert.deepInclude(status, { "threeds-stage": "challenge", "acs-url": Issuer.acsUrl, creq: Issuer.creq })
      assert.include(String(status.html), `<input type="hidden" name="creq" value="${Issuer.creq}">`)
      assert.notInclude(String(status.html), "<iframe")
    }).pipe(Effect.provide(World.layer(world)))
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
    const world = World.make({ report: Issuer.verdict(letter) })
    return Effect.gen(function* () {
      const orderid = yield* challenged
      yield* World.uploadCres({ orderid }, World.cres({ transStatus: letter === "Y" ? "N" : "Y" }))
      assert.deepStrictEqual((yield* World.outcome(endpoints.merchant)).slice(0, 2), [status, verified])
      assert.lengthOf(world.authorized, status === "approved" ? 1 : 0)
    }).pipe(Effect.provide(World.layer(world)))
  })

  it.effect("is declined if the issuer has no report for half a minute after the CRes", () => {
    const world = World.make({ report: undefined })
    return Effect.gen(function* () {
      const orderid = yield* challenged
      yield* World.uploadCres({ orderid })
      assert.strictEqual(world.issuer.reports, 1)
      for (const seconds of [1, 2, 4, 8]) yield* World.pass(`${seconds} seconds`)
      assert.strictEqual(world.issuer.reports, 5)
      assert.strictEqual((yield* World.outcome(endpoints.merchant))[0], "processing")
      yield* World.pass("15 seconds")
      assert.deepStrictEqual(yield* World.outcome(endpoints.merchant), ["declined", "UNKNOWN", "90"])
      assert.strictEqual(world.issuer.reports, 6)
      assert.lengthOf(world.authorized, 0)
    }).pipe(Effect.provide(World.layer(world)))
  })

  it.effect("is approved by a report that comes some seconds after the CRes", () => {
    const world = World.make({ report: undefined })
    return Effect.gen(function* () {
      const orderid = yield* challenged
      yield* World.uploadCres({ orderid })
      yield* World.pass("1 seconds")
      world.issuer.report = "error"
      yield* World.pass("2 seconds")
      world.issuer.report = Issuer.verdict("Y")
      yield* World.pass("4 seconds")
      assert.deepStrictEqual(yield* World.outcome(endpoints.merchant), ["approved", "AUTHENTICATED", "-"])
    }).pipe(Effect.provide(World.layer(world)))
  })

  it.effect("is declined after 10 minutes without a CRes and without a report", () => {
    const world = World.make({ report: undefined })
    return Effect.gen(function* () {
      yield* challenged
      yield* World.pass("599999 millis")
      assert.strictEqual(world.issuer.reports, 0)
      yield* World.pass("1 millis")
      for (const seconds of [1, 2, 4, 8, 15]) yield* World.pass(`${seconds} seconds`)
      assert.deepStrictEqual(yield* World.outcome(endpoints.merchant), ["declined", "UNKNOWN", "90"])
      assert.lengthOf(world.authorized, 0)
    }).pipe(Effect.provide(World.layer(world)))
  })

  it.effect("is approved after 10 minutes without a CRes if the issuer reports success", () => {
    const world = World.make()
    return Effect.gen(function* () {
      yield* challenged
      yield* World.pass("10 minutes")
      assert.deepStrictEqual(yield* World.outcome(endpoints.merchant), ["approved", "AUTHENTICATED", "-"])
    }).pipe(Effect.provide(World.layer(world)))
  })
})
