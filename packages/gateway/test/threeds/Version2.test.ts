import { assert, describe, it } from "@effect/vitest"
import * as ThreeDS from "@pay/schema/ThreeDS"
import { Effect, Redacted, Result } from "effect"
import { Agenda } from "../../src/Agenda.ts"

import * as Issuer from "./Issuer.ts"
import * as World from "./World.ts"

const { endpoints } = World

const outcome = (endpointId: string) =>
  Effect.map(World.status(endpointId), (status) => [
    status["status"],
    status["verified-3d-status"] ?? "-",
    status["error-code"] ?? "-"
  ])

const noMethod = {
  enrolment: { _tag: "Version2", version: "2.2.0", serverTransId: Issuer.transId, methodUrl: undefined }
} as const

describe("without a challenge", () => {
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
    it.effect.each(cases)(`${endpoint} mode, %s: %s`, ([transStatus, status, verified, code]) => {
      const world = World.make({ ...noMethod, answer: Issuer.finished(transStatus) })
      return Effect.gen(function* () {
        yield* World.sale(endpoints[endpoint])
        assert.deepStrictEqual(yield* outcome(endpoints[endpoint]), [status, verified, code])
        assert.lengthOf(world.authorized, status === "approved" ? 1 : 0)
        assert.lengthOf(world.callbacks, 1)
        assert.include(world.callbacks[0] ?? "", `status=${status}`)
        assert.strictEqual(world.issuer.requests[0]?.completionIndicator, "U")
      }).pipe(Effect.provide(World.layer(world)))
    })
  }

  it.effect.each(["U", "?"])("%s proceeds where the endpoint says so, without a proof", (transStatus) => {
    const world = World.make({ ...noMethod, answer: Issuer.finished(transStatus) })
    return Effect.gen(function* () {
      yield* World.sale(endpoints.proceed)
      assert.deepStrictEqual(yield* outcome(endpoints.proceed), ["approved", "UNSUPPORTED", "-"])
      assert.lengthOf(world.authorized, 1)
    }).pipe(Effect.provide(World.layer(world)))
  })

  it.effect.each(["N", "R"])("%s declines whatever the endpoint says", (transStatus) => {
    const world = World.make({ ...noMethod, answer: Issuer.finished(transStatus) })
    return Effect.gen(function* () {
      yield* World.sale(endpoints.proceed)
      assert.strictEqual((yield* outcome(endpoints.proceed))[0], "declined")
      assert.lengthOf(world.authorized, 0)
    }).pipe(Effect.provide(World.layer(world)))
  })
})

describe("the bank", () => {
  it.effect("is told what the issuer said", () => {
    const world = World.make({ ...noMethod, answer: Issuer.finished("A") })
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

  it.effect("is told nothing where 3-D Secure is off", () => {
    const world = World.make()
    return Effect.gen(function* () {
      yield* World.sale(endpoints.off)
      assert.lengthOf(world.issuer.lookups, 0)
      assert.lengthOf(world.authorized, 1)
      assert.isUndefined(world.authorized[0]?.authentication)
    }).pipe(Effect.provide(World.layer(world)))
  })
})

describe("a card that cannot be looked up counts as U", () => {
  const cases: ReadonlyArray<readonly [string, Partial<Issuer.Script>]> = [
    ["not enrolled", { enrolment: { _tag: "NotEnrolled" } }],
    ["the server is out of order", { enrolment: "error" }],
    ["the server is silent", { enrolment: "silence" }],
    ["the issuer cannot be asked", { ...noMethod, answer: "error" }],
    ["the issuer is silent", { ...noMethod, answer: "silence" }]
  ]
  for (const [name, script] of cases) {
    it.effect(name, () => {
      const world = World.make(script)
      return Effect.gen(function* () {
        const done = yield* Effect.forkChild(World.sale(endpoints.merchant))
        yield* Effect.yieldNow
        yield* World.elapse(Issuer.deadlineMs)
        yield* World.joined(done)
        assert.deepStrictEqual(yield* outcome(endpoints.merchant), ["declined", "UNSUPPORTED", "90"])
        assert.lengthOf(world.authorized, 0)
      }).pipe(Effect.provide(World.layer(world)))
    })
    it.effect(`${name}, and the endpoint proceeds`, () => {
      const world = World.make(script)
      return Effect.gen(function* () {
        const done = yield* Effect.forkChild(World.sale(endpoints.proceed))
        yield* Effect.yieldNow
        yield* World.elapse(Issuer.deadlineMs)
        yield* World.joined(done)
        assert.deepStrictEqual(yield* outcome(endpoints.proceed), ["approved", "UNSUPPORTED", "-"])
      }).pipe(Effect.provide(World.layer(world)))
    })
  }
})

describe("the method step", () => {
  it.effect("is offered to the merchant with its parts and a page", () => {
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
        Result.succeed({ threeDSServerTransID: Issuer.transId, threeDSMethodNotificationURL: World.back })
      )
      assert.include(String(status["html"]), `action="${Issuer.methodUrl}" target="issuer"`)
      assert.lengthOf(world.issuer.requests, 0)
    }).pipe(Effect.provide(World.layer(world)))
  })

  it.effect.each(["Y", "N"] as const)(
    "ends with %s, and the issuer is told what is known of the browser",
    (indicator) => {
      const world = World.make({ answer: Issuer.finished("Y") })
      return Effect.gen(function* () {
        const orderid = yield* World.sale(endpoints.merchant, { customer_browser_color_depth: "24" })
        const reply = yield* World.uploadMethod({ orderid }, { threeDSCompInd: indicator })
        assert.strictEqual(reply.status, 200)
        assert.deepInclude(world.issuer.requests[0], {
          reference: `${orderid}-threeds-1`,
          serverTransId: Issuer.transId,
          completionIndicator: indicator,
          notificationUrl: World.back
        })
        assert.deepInclude(world.issuer.requests[0]?.browser, {
          userAgent: "Test",
          colorDepth: "24",
          ip: "203.0.113.7"
        })
        assert.strictEqual((yield* outcome(endpoints.merchant))[0], "approved")
      }).pipe(Effect.provide(World.layer(world)))
    }
  )

  it.effect("counts as N after 10 seconds, and not a moment earlier", () => {
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

/** A merchant's sale that waits for the customer at the issuer. */
const challenged = Effect.gen(function* () {
  const orderid = yield* World.sale(endpoints.merchant)
  yield* World.uploadMethod({ orderid })
  return orderid
})

describe("the challenge", () => {
  it.effect("is offered to the merchant with its parts and a page", () => {
    const world = World.make()
    return Effect.gen(function* () {
      yield* challenged
      const status = yield* World.status(endpoints.merchant)
      assert.deepInclude(status, { "threeds-stage": "challenge", "acs-url": Issuer.acsUrl, creq: Issuer.creq })
      assert.include(String(status["html"]), `<input type="hidden" name="creq" value="${Issuer.creq}">`)
      assert.notInclude(String(status["html"]), "<iframe")
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
  it.effect.each(reports)(
    "ended, and the issuer reports %s: %s, whatever the CRes says",
    ([letter, status, verified]) => {
      const world = World.make({ report: Issuer.verdict(letter) })
      return Effect.gen(function* () {
        const orderid = yield* challenged
        yield* World.uploadCres({ orderid }, World.cres({ transStatus: letter === "Y" ? "N" : "Y" }))
        assert.deepStrictEqual((yield* outcome(endpoints.merchant)).slice(0, 2), [status, verified])
        assert.lengthOf(world.authorized, status === "approved" ? 1 : 0)
      }).pipe(Effect.provide(World.layer(world)))
    }
  )

  it.effect("ended, and no report comes: asked again for half a minute, then declined", () => {
    const world = World.make({ report: undefined })
    return Effect.gen(function* () {
      const orderid = yield* challenged
      yield* World.uploadCres({ orderid })
      assert.strictEqual(world.issuer.reports, 1)
      for (const seconds of [1, 2, 4, 8]) yield* World.pass(`${seconds} seconds`)
      assert.strictEqual(world.issuer.reports, 5)
      assert.strictEqual((yield* outcome(endpoints.merchant))[0], "processing")
      yield* World.pass("15 seconds")
      assert.deepStrictEqual(yield* outcome(endpoints.merchant), ["declined", "UNKNOWN", "90"])
      assert.strictEqual(world.issuer.reports, 6)
      assert.lengthOf(world.authorized, 0)
    }).pipe(Effect.provide(World.layer(world)))
  })

  it.effect("ended, and the report comes late, but in time", () => {
    const world = World.make({ report: undefined })
    return Effect.gen(function* () {
      const orderid = yield* challenged
      yield* World.uploadCres({ orderid })
      yield* World.pass("1 seconds")
      world.issuer.report = "error"
      yield* World.pass("2 seconds")
      world.issuer.report = Issuer.verdict("Y")
      yield* World.pass("4 seconds")
      assert.deepStrictEqual(yield* outcome(endpoints.merchant), ["approved", "AUTHENTICATED", "-"])
    }).pipe(Effect.provide(World.layer(world)))
  })

  it.effect("not finished in 10 minutes, and not reported: declined", () => {
    const world = World.make({ report: undefined })
    return Effect.gen(function* () {
      yield* challenged
      yield* World.pass("599999 millis")
      assert.strictEqual(world.issuer.reports, 0)
      yield* World.pass("1 millis")
      for (const seconds of [1, 2, 4, 8, 15]) yield* World.pass(`${seconds} seconds`)
      assert.deepStrictEqual(yield* outcome(endpoints.merchant), ["declined", "UNKNOWN", "90"])
      assert.lengthOf(world.authorized, 0)
    }).pipe(Effect.provide(World.layer(world)))
  })

  it.effect("whose browser never came back, but which the issuer reported", () => {
    const world = World.make()
    return Effect.gen(function* () {
      yield* challenged
      yield* World.pass("10 minutes")
      assert.deepStrictEqual(yield* outcome(endpoints.merchant), ["approved", "AUTHENTICATED", "-"])
    }).pipe(Effect.provide(World.layer(world)))
  })
})

describe("while it waits", () => {
  it.effect("an order costs this process nothing", () => {
    const world = World.make()
    return Effect.gen(function* () {
      const agenda = yield* Agenda
      for (let n = 0; n < 50; n += 1) yield* World.sale(endpoints.gateway, { client_orderid: `sale-${n}` })
      assert.strictEqual(agenda.load(), 0)
      assert.strictEqual(yield* agenda.nextDueMs, World.startMs + 10_000)
    }).pipe(Effect.provide(World.layer(world)))
  })
})

describe("creation", () => {
  it.effect("needs somewhere for the browser to come back to", () => {
    const world = World.make()
    return Effect.gen(function* () {
      const { redirect_url: _, ...fields } = World.saleFields()
      const reply = yield* World.post(World.SALE, fields, endpoints.gateway)
      assert.strictEqual(reply.status, 400)
      assert.deepInclude(reply.body, { "error-code": "1", "error-message": "Parameter redirect_url is required" })
      assert.strictEqual((yield* World.post(World.SALE, fields, endpoints.off)).status, 200)
    }).pipe(Effect.provide(World.layer(world)))
  })

  it.effect("on an endpoint that says nothing: on the gateway's pages where there is a server", () => {
    const world = World.make()
    return Effect.gen(function* () {
      yield* World.sale(endpoints.silent)
      assert.match(
        String((yield* World.status(endpoints.silent))["redirect-to"]),
        /^https:\/\/gateway\.example\/3ds\/[\w-]{32}$/
      )
    }).pipe(Effect.provide(World.layer(world)))
  })

  it.effect("on an endpoint that says nothing: without 3-D Secure where there is no server", () => {
    const world = World.make()
    return Effect.gen(function* () {
      yield* World.sale(endpoints.silent)
      assert.strictEqual((yield* World.status(endpoints.silent))["status"], "approved")
    }).pipe(Effect.provide(World.layer(world, { server: false })))
  })

  it.effect("on an endpoint that asks for it where there is no server: never past it", () => {
    const world = World.make()
    return Effect.gen(function* () {
      yield* World.sale(endpoints.gateway)
      assert.deepStrictEqual(yield* outcome(endpoints.gateway), ["declined", "UNSUPPORTED", "90"])
      assert.lengthOf(world.authorized, 0)
    }).pipe(Effect.provide(World.layer(world, { server: false })))
  })

  it.effect("asks the directory with what it needs, once", () => {
    const world = World.make()
    return Effect.gen(function* () {
      const orderid = yield* World.sale(endpoints.gateway)
      const [lookup] = world.issuer.lookups
      assert.lengthOf(world.issuer.lookups, 1)
      assert.deepInclude(lookup, {
        reference: `${orderid}-threeds-1`,
        amountMinor: 1042,
        currency: "USD",
        merchantName: "Example Shop",
        expireMonth: 12
      })
      assert.strictEqual(
        lookup === undefined ? "" : Redacted.value(lookup.pan),
        World.saleFields()["credit_card_number"]
      )
    }).pipe(Effect.provide(World.layer(world)))
  })
})
