/** The browser's data on its way to the issuer: from each request that has it, within the limits of the message's version. */
import { assert, describe, it } from "@effect/vitest"
import * as PayApi from "@pay/schema/PayApi"
import * as Sample from "@pay/schema/Sample"
import { Effect } from "effect"
import * as BrowserFacts from "../../src/threeds/decide/BrowserFacts.ts"
import type { Browser } from "../../src/threeds/ThreeDSServer.ts"
import * as Issuer from "./Issuer.ts"
import * as ScriptedGateway from "./ScriptedGateway.ts"

const { endpoints } = ScriptedGateway
const { ACCOUNT_VERIFICATION, PREAUTH, SALE } = PayApi.operations

const phone: Browser = {
  acceptHeader: "text/html",
  ip: undefined,
  javaEnabled: false,
  javascriptEnabled: true,
  language: "en-GB-oxendict",
  colorDepth: 24,
  screenHeight: 844,
  screenWidth: 390,
  timeZoneMinutes: -60,
  userAgent: "Phone"
}
const nothing = BrowserFacts.none
const unmeasured = {
  javaEnabled: undefined,
  colorDepth: undefined,
  screenHeight: undefined,
  screenWidth: undefined,
  timeZoneMinutes: undefined
}
const zeros = { javaEnabled: false, colorDepth: 24, screenHeight: 0, screenWidth: 0, timeZoneMinutes: 0 }

/** What is known of a browser, the version, and the part of the message that depends on it. */
const messages: ReadonlyArray<readonly [string, Browser, string, Partial<Browser>]> = [
  ["a long language", phone, "2.1.0", { ...phone, language: "en-GB" }],
  ["a long language", phone, "2.2.0", { ...phone, language: "en-GB" }],
  ["a long language", phone, "2.3.1", phone],
  ["nothing", nothing, "2.1.0", { acceptHeader: "*/*", language: "en", userAgent: "unknown", ...zeros }],
  ["nothing", nothing, "2.2.0", { javascriptEnabled: false, language: "en", ...unmeasured }],
  ["scripts and no screen", { ...nothing, javascriptEnabled: true }, "2.2.0", { javascriptEnabled: true, ...zeros }],
  ["no scripts", { ...nothing, javascriptEnabled: false }, "2.3.1", { javascriptEnabled: false, ...unmeasured }],
  ["all but whether scripts run", { ...phone, javascriptEnabled: undefined }, "2.2.0", { javascriptEnabled: true }]
]

describe("the browser's data in a message", () => {
  it.each(messages)("of %s: %j in version %s", (_, browser, version, expected) =>
    assert.deepInclude(BrowserFacts.inMessage(browser, version), expected)
  )
})

const wide = {
  customer_browser_color_depth: "30",
  customer_browser_accept_language: "en-GB-oxendict",
  customer_browser_user_agent: "M".repeat(5000),
  customer_browser_screen_width: "1536.5",
  customer_browser_screen_height: "-1",
  customer_browser_time_zone: "local",
  customer_browser_java_enabled: "maybe"
}
const sent = { colorDepth: 24, userAgent: "M".repeat(2048), screenWidth: 1537, screenHeight: 0, timeZoneMinutes: 0 }

describe("a payment with facts that 3-D Secure does not take", () => {
  it.effect.each([
    ["2.2.0", "en-GB"],
    ["2.3.1", "en-GB-oxendict"]
  ] as const)("is accepted, and the issuer gets their normal form: version %s", ([version, language]) => {
    const gateway = ScriptedGateway.make({
      enrolment: { _tag: "Version2", serverTransId: Issuer.transId, methodUrl: undefined, version }
    })
    return Effect.gen(function* () {
      yield* ScriptedGateway.sale(endpoints.gateway, { customer_browser_javascript_enabled: "true", ...wide })
      assert.deepInclude(gateway.issuer.requests[0]?.browser, { ...sent, language })
    }).pipe(Effect.provide(ScriptedGateway.layer(gateway)))
  })

  it.effect("is accepted with an upload of them", () => {
    const gateway = ScriptedGateway.make()
    return Effect.gen(function* () {
      const orderid = yield* ScriptedGateway.sale(endpoints.merchant, ScriptedGateway.withoutBrowser)
      const upload = yield* ScriptedGateway.uploadMethod(
        { orderid },
        {
          threeDSCompInd: "Y",
          browserIP: "unknown",
          browserJavascriptEnabled: "true",
          browserColorDepth: "30",
          browserLanguage: "en-GB-oxendict",
          browserUserAgent: "M".repeat(5000),
          browserScreenWidth: "1536.5",
          browserScreenHeight: "-1",
          browserTZ: "local"
        }
      )
      assert.strictEqual(upload.status, 200)
      assert.deepInclude(gateway.issuer.requests[0]?.browser, { ...sent, language: "en-GB" })
    }).pipe(Effect.provide(ScriptedGateway.layer(gateway)))
  })
})

describe("a long return address", () => {
  const ofLength = (length: number): string => "https://shop.example/back?".padEnd(length, "x")

  it.effect("is accepted if the gateway's pages run 3-D Secure, and is not sent to the issuer", () => {
    const gateway = ScriptedGateway.make({ enrolment: Issuer.withoutMethod })
    return Effect.gen(function* () {
      yield* ScriptedGateway.sale(endpoints.gateway, { redirect_url: ofLength(328) })
      const { notificationUrl = "" } = gateway.issuer.requests[0] ?? {}
      assert.isTrue(notificationUrl.startsWith(ScriptedGateway.baseUrl) && notificationUrl.length <= 256)
    }).pipe(Effect.provide(ScriptedGateway.layer(gateway)))
  })

  const message = "Parameter redirect_url is longer than 256 characters, the limit of the notificationURL of 3-D Secure"
  it.effect.each([SALE, PREAUTH, ACCOUNT_VERIFICATION])(
    "is refused if the merchant sends it to the issuer as notificationURL, from 257 characters on: $name",
    (operation) =>
      Effect.gen(function* () {
        const observed: Array<unknown> = []
        for (const length of [256, 257, 328]) {
          const fields = { ...Sample.request(operation), client_orderid: `o-${length}`, redirect_url: ofLength(length) }
          const { body, status } = yield* ScriptedGateway.post(operation, fields, endpoints.merchant)
          observed.push([length, status, body["error-code"], body["error-message"]])
        }
        assert.deepStrictEqual(observed, [
          [256, 200, undefined, undefined],
          [257, 400, "3", message],
          [328, 400, "3", message]
        ])
      }).pipe(Effect.provide(ScriptedGateway.layer(ScriptedGateway.make())))
  )
})
