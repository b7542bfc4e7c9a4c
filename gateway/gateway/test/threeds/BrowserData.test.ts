import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as CustomerAddress from "../../src/network/CustomerAddress.ts"
import * as Issuer from "./Issuer.ts"
import * as ScriptedGateway from "./ScriptedGateway.ts"

const { endpoints } = ScriptedGateway

describe("3-D Secure without a method URL", () => {
  const scripted = {
    browserJavascriptEnabled: "true",
    browserJavaEnabled: "false",
    browserColorDepth: "24",
    browserScreenHeight: "844",
    browserScreenWidth: "390",
    browserTZ: "-60"
  }
  const headers = { browserAcceptHeader: "text/html", browserUserAgent: "Phone", browserLanguage: "de" }

  const complete: ReadonlyArray<readonly [string, Readonly<Record<string, string>>]> = [
    ["all of it", {}],
    ["all of it except whether scripts run", { customer_browser_javascript_enabled: "" }],
    [
      "no scripts, and therefore no screen",
      {
        ...ScriptedGateway.withoutBrowser,
        customer_browser_accept_header: "text/html",
        customer_browser_user_agent: "Test",
        customer_browser_accept_language: "en",
        customer_browser_javascript_enabled: "false"
      }
    ]
  ]
  it.effect.each(complete)("continues at once with U if the payment has the browser's data: %s", ([_, changes]) => {
    const gateway = ScriptedGateway.make({ enrolment: Issuer.withoutMethod })
    return Effect.gen(function* () {
      yield* ScriptedGateway.sale(endpoints.merchant, changes)
      assert.deepInclude(gateway.issuer.requests[0], { completionIndicator: "U" })
      assert.strictEqual((yield* ScriptedGateway.status(endpoints.merchant))["threeds-stage"], "challenge")
    }).pipe(Effect.provide(ScriptedGateway.layer(gateway)))
  })

  it.effect("calls the issuer only after the merchant uploads U with the browser's data", () => {
    const gateway = ScriptedGateway.make({ enrolment: Issuer.withoutMethod, answer: Issuer.finished("Y") })
    return Effect.gen(function* () {
      const orderid = yield* ScriptedGateway.sale(endpoints.merchant, ScriptedGateway.withoutBrowser)
      const status = yield* ScriptedGateway.status(endpoints.merchant)
      assert.deepInclude(status, {
        status: "processing",
        "threeds-stage": "method",
        "threeds-server-trans-id": Issuer.transId
      })
      for (const absent of ["threeds-method-url", "threeds-method-data", "html"]) assert.notProperty(status, absent)
      assert.lengthOf(gateway.issuer.requests, 0)

      const fields = { threeDSCompInd: "U", ...headers, ...scripted }
      const first = yield* ScriptedGateway.uploadMethod({ orderid }, fields)
      const again = yield* ScriptedGateway.uploadMethod({ orderid }, fields)
      assert.deepStrictEqual([first.status, again.status], [200, 200])
      assert.lengthOf(gateway.issuer.requests, 1)
      assert.deepInclude(gateway.issuer.requests[0], {
        completionIndicator: "U",
        browser: {
          acceptHeader: "text/html",
          ip: CustomerAddress.of("203.0.113.7"),
          javaEnabled: false,
          javascriptEnabled: true,
          language: "de",
          colorDepth: 24,
          screenHeight: 844,
          screenWidth: 390,
          timeZoneMinutes: -60,
          userAgent: "Phone"
        }
      })
      assert.strictEqual((yield* ScriptedGateway.outcome(endpoints.merchant))[0], "approved")
    }).pipe(Effect.provide(ScriptedGateway.layer(gateway)))
  })

  it.effect.each(["Y", "N"])("sends U to the issuer although the merchant uploads %s", (threeDSCompInd) => {
    const gateway = ScriptedGateway.make({ enrolment: Issuer.withoutMethod })
    return Effect.gen(function* () {
      const orderid = yield* ScriptedGateway.sale(endpoints.merchant, ScriptedGateway.withoutBrowser)
      assert.strictEqual((yield* ScriptedGateway.uploadMethod({ orderid }, { threeDSCompInd })).status, 200)
      assert.deepInclude(gateway.issuer.requests[0], { completionIndicator: "U" })
    }).pipe(Effect.provide(ScriptedGateway.layer(gateway)))
  })

  it.effect("waits 30 seconds for the merchant's upload, and then continues without it", () => {
    const gateway = ScriptedGateway.make({ enrolment: Issuer.withoutMethod })
    return Effect.gen(function* () {
      yield* ScriptedGateway.sale(endpoints.merchant, { customer_browser_user_agent: "" })
      yield* ScriptedGateway.pass("29999 millis")
      assert.lengthOf(gateway.issuer.requests, 0)
      yield* ScriptedGateway.pass("1 millis")
      assert.deepInclude(gateway.issuer.requests[0], { completionIndicator: "U" })
      assert.deepInclude(gateway.issuer.requests[0]?.browser, { userAgent: "unknown", language: "en-US" })
    }).pipe(Effect.provide(ScriptedGateway.layer(gateway)))
  })

  it.effect("does not wait for an upload in gateway mode", () => {
    const gateway = ScriptedGateway.make({ enrolment: Issuer.withoutMethod })
    return Effect.gen(function* () {
      yield* ScriptedGateway.sale(endpoints.gateway, ScriptedGateway.withoutBrowser)
      assert.deepInclude(gateway.issuer.requests[0], { completionIndicator: "U" })
    }).pipe(Effect.provide(ScriptedGateway.layer(gateway)))
  })
})
