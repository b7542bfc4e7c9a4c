import { assert, describe, it } from "@effect/vitest"
import type { BrowserInformation } from "@pay/gateway/ThreeDSServer"
import { Effect } from "effect"
import * as AReqRules from "../src/AReqRules.ts"
import * as SandboxThreeDS from "../src/SandboxThreeDS.ts"
import { authenticate, enrol } from "./Paying.ts"

const world = () => SandboxThreeDS.layer()

const browser: BrowserInformation = {
  acceptHeader: "*/*",
  userAgent: "Phone",
  language: "en-GB",
  javascriptEnabled: true,
  ip: undefined,
  javaEnabled: false,
  colorDepth: 24,
  screenHeight: 0,
  screenWidth: 390,
  timeZoneMinutes: -60
}
const url = "https://pay.example/3ds/token/challenge"

/** Changes of a valid message, its version, and the elements that are refused. */
const rows: ReadonlyArray<readonly [object, string, ReadonlyArray<string>]> = [
  [{}, "2.1.0", []],
  [{ colorDepth: 30 }, "2.2.0", ["browserColorDepth"]],
  [{ language: "en-GB-oxendict" }, "2.2.0", ["browserLanguage"]],
  [{ language: "en-GB-oxendict" }, "2.3.1", []],
  [{ language: "en-GB-ox" }, "2.2.0", []],
  [{ language: "*" }, "2.3.1", ["browserLanguage"]],
  [{ userAgent: "M".repeat(2049) }, "2.2.0", ["browserUserAgent"]],
  [{ language: "en-a" }, "2.3.1", ["browserLanguage"]],
  [{ language: `en${"-subtag".repeat(5)}` }, "2.3.1", ["browserLanguage"]],
  [{ acceptHeader: "" }, "2.2.0", ["browserAcceptHeader"]],
  [{ acceptHeader: "text/html\n" }, "2.2.0", ["browserAcceptHeader"]],
  [{ ip: "1".repeat(46) }, "2.2.0", ["browserIP"]],
  [{ javascriptEnabled: undefined }, "2.2.0", ["browserJavascriptEnabled"]],
  [{ javaEnabled: undefined }, "2.2.0", ["browserJavaEnabled"]],
  [{ screenHeight: 844.5, screenWidth: -1 }, "2.2.0", ["browserScreenHeight", "browserScreenWidth"]],
  [{ timeZoneMinutes: 900 }, "2.2.0", ["browserTZ"]],
  [{ timeZoneMinutes: 60.5 }, "2.2.0", ["browserTZ"]],
  [{ screenHeight: undefined }, "2.2.0", ["browserScreenHeight"]],
  [{ screenHeight: -1, javascriptEnabled: false }, "2.2.0", ["browserScreenHeight"]],
  [{ screenHeight: undefined, javascriptEnabled: false }, "2.2.0", []],
  [{ screenHeight: undefined, javascriptEnabled: false }, "2.1.0", ["browserScreenHeight"]]
]

describe("the simulated 3-D Secure server", () => {
  it.each(rows)("finds in a message with %j, version %s, the invalid elements %j", (changes, version, expected) =>
    assert.deepStrictEqual(
      AReqRules.invalidElements({ browser: { ...browser, ...changes }, notificationUrl: url }, version),
      expected
    )
  )

  it.effect.each(["", "/relative", `https://shop.example/${"x".repeat(236)}`])(
    "refuses the notification URL %j",
    (notificationUrl) =>
      Effect.gen(function* () {
        const enrolment = yield* enrol()
        assert(enrolment._tag === "Version2")
        const { message } = yield* Effect.flip(authenticate(enrolment.serverTransId, notificationUrl))
        assert.include(message, "notificationURL")
      }).pipe(Effect.provide(world()))
  )
})
