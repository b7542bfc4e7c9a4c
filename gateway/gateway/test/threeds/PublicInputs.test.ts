/** Reports about browsers whose facts no 3-D Secure server takes (docs/decisions/public-reports-inputs.md). */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Issuer from "./Issuer.ts"
import * as ScriptedGateway from "./ScriptedGateway.ts"

const { endpoints } = ScriptedGateway
const long = (length: number) => "x".repeat(length)

/** The name of the fact in the fields of a payment and in an upload, what is sent, and what the 3-D Secure server gets for it. */
const rows: ReadonlyArray<readonly [field: string, upload: string, text: string, fact: string, sent: unknown]> = [
  ["color_depth", "browserColorDepth", "30", "colorDepth", 24],
  ["color_depth", "browserColorDepth", "0", "colorDepth", 24],
  ["color_depth", "browserColorDepth", "64", "colorDepth", 48],
  ["color_depth", "browserColorDepth", "24.0", "colorDepth", 24],
  ["screen_width", "browserScreenWidth", "0", "screenWidth", 0],
  ["screen_width", "browserScreenWidth", "1707.33", "screenWidth", 1707],
  ["screen_height", "browserScreenHeight", "99999", "screenHeight", 99_999],
  ["time_zone", "browserTZ", "-345", "timeZoneMinutes", -345],
  ["time_zone", "browserTZ", "-840", "timeZoneMinutes", -840],
  ["time_zone", "browserTZ", "+60", "timeZoneMinutes", 60],
  ["time_zone", "browserTZ", "NaN", "timeZoneMinutes", 0],
  ["java_enabled", "browserJavaEnabled", "TRUE", "javaEnabled", true],
  ["java_enabled", "browserJavaEnabled", "1", "javaEnabled", true],
  ["accept_language", "browserLanguage", "en-GB-oxendict", "language", "en-GB"],
  ["accept_language", "browserLanguage", "zh-Hans-CN", "language", "zh-Hans"],
  ["accept_language", "browserLanguage", "es-419", "language", "es-419"],
  ["accept_language", "browserLanguage", "ca-ES-valencia", "language", "ca-ES"],
  ["accept_language", "browserLanguage", "en_US", "language", "en-US"],
  ["accept_language", "browserLanguage", "*", "language", "en"],
  ["accept_language", "browserLanguage", "de-DE,de;q=0.9", "language", "de-DE"],
  ["user_agent", "browserUserAgent", long(3000), "userAgent", long(2048)],
  ["accept_header", "browserAcceptHeader", long(4000), "acceptHeader", long(2048)]
]

const enrolment = { _tag: "Version2", serverTransId: Issuer.transId, methodUrl: undefined, version: "2.2.0" } as const

const scripted = {
  threeDSCompInd: "U",
  browserAcceptHeader: "text/html",
  browserUserAgent: "Phone",
  browserLanguage: "de",
  browserJavascriptEnabled: "true",
  browserJavaEnabled: "false",
  browserColorDepth: "24",
  browserScreenHeight: "844",
  browserScreenWidth: "390",
  browserTZ: "-60"
}

describe("a payment goes on, and the 3-D Secure server gets a value of its standard", () => {
  for (const [field, upload, text, fact, sent] of rows) {
    const what = `${field} ${text.slice(0, 20)}`
    it.effect(`for ${what} in the payment's fields`, () => {
      const gateway = ScriptedGateway.make({ enrolment })
      return Effect.gen(function* () {
        yield* ScriptedGateway.sale(endpoints.gateway, {
          customer_browser_javascript_enabled: "true",
          [`customer_browser_${field}`]: text
        })
        assert.deepInclude(gateway.issuer.requests[0]?.browser, { [fact]: sent })
      }).pipe(Effect.provide(ScriptedGateway.layer(gateway)))
    })

    it.effect(`for ${what} in an upload`, () => {
      const gateway = ScriptedGateway.make({ enrolment })
      return Effect.gen(function* () {
        const orderid = yield* ScriptedGateway.sale(endpoints.merchant, ScriptedGateway.withoutBrowser)
        const answer = yield* ScriptedGateway.uploadMethod({ orderid }, { ...scripted, [upload]: text })
        assert.strictEqual(answer.status, 200)
        assert.deepInclude(gateway.issuer.requests[0]?.browser, { [fact]: sent })
      }).pipe(Effect.provide(ScriptedGateway.layer(gateway)))
    })
  }
})
