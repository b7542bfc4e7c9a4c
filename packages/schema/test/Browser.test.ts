import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import * as Browser from "../src/Browser.ts"
import * as BrowserForm from "../src/BrowserForm.ts"
import * as Canonical from "../src/Canonical.ts"
import * as PayApi from "../src/PayApi.ts"
import * as Sample from "../src/Sample.ts"

const { SALE } = PayApi.operations

const long = (length: number) => "M".repeat(length)

/** A reader, a text, and the fact in it. */
const rows = [
  ["colorDepth", "24", 24],
  ["colorDepth", "30", 24],
  ["colorDepth", "64", 48],
  ["colorDepth", "3", 1],
  ["colorDepth", "0", undefined],
  ["colorDepth", "-24", undefined],
  ["colorDepth", "deep", undefined],
  ["language", "en-GB", "en-GB"],
  ["language", "en-GB-oxendict", "en-GB-oxendict"],
  ["language", "en_us", "en-US"],
  ["language", "ZH-hant-tw", "zh-Hant-TW"],
  ["language", "*", undefined],
  ["language", "*, de;q=0.5", "de"],
  ["language", "de;q=0.5, fr-CH", "fr-CH"],
  ["language", "de;q=0", undefined],
  ["language", "en-GB@posix", "en"],
  ["language", "123", undefined],
  ["language", "", undefined],
  ["pixels", "1080", 1080],
  ["pixels", "1536.5", 1537],
  ["pixels", "۱۹۲۰", 1920],
  ["pixels", "0", 0],
  ["pixels", "999999", 999_999],
  ["pixels", "1000000", undefined],
  ["pixels", "-1", undefined],
  ["pixels", "1e9", undefined],
  ["pixels", "NaN", undefined],
  ["pixels", "Infinity", undefined],
  ["timeZone", "-60", -60],
  ["timeZone", "+300", 300],
  ["timeZone", "-840", -840],
  ["timeZone", "-841", undefined],
  ["timeZone", "-0", 0],
  ["timeZone", "Europe/Berlin", undefined],
  ["flag", "TRUE", true],
  ["flag", "0", false],
  ["flag", "maybe", undefined],
  ["header", long(5000), long(2048)],
  ["header", " a\u0000\r\nb ", "a b"],
  ["header", "\u0007", undefined],
  ["header", `${long(2047)}😀`, `${long(2047)}\ufffd`],
  ["ip", "2001:db8::1", "2001:db8::1"],
  ["ip", "[2001:db8::1]", "2001:db8::1"],
  ["ip", "fe80::1%eth0", undefined],
  ["ip", "here", undefined]
] as const

describe("a fact about a customer's browser", () => {
  it.each(rows)("%s of %j", (reader, text, expected) => assert.deepStrictEqual(Browser[reader](text), expected))

  it.each([
    ["en-GB-oxendict", 8, "en-GB"],
    ["zh-Hant-TW", 8, "zh-Hant"],
    ["de-u-co", 6, "de"],
    ["abcdefgh-IJ", 4, undefined]
  ])("is cut between two subtags: %s to %i", (tag, longest, expected) =>
    assert.strictEqual(Browser.cut(tag, longest), expected)
  )
})

/** Values that a browser or a merchant's code may send, and that no reader can use. */
const unusable = {
  customer_browser_info: "perhaps",
  customer_browser_accept_header: "\u0000",
  customer_browser_user_agent: "\u0000",
  customer_browser_accept_language: "*",
  customer_browser_javascript_enabled: "perhaps",
  customer_browser_java_enabled: "undefined",
  customer_browser_color_depth: "x".repeat(5000),
  customer_browser_screen_height: "NaN",
  customer_browser_screen_width: "-1",
  customer_browser_time_zone: "undefined"
}

describe("a sale with facts about the browser", () => {
  const sale = Sample.request(SALE)
  const bare = Object.fromEntries(Object.entries(sale).filter(([name]) => !name.startsWith("customer_browser_")))

  it("is never refused for them: each counts as absent", () => {
    const decoded = Result.getOrThrow(SALE.decodeFields({ ...bare, ...unusable }))
    assert.deepStrictEqual(
      JSON.parse(JSON.stringify(decoded)),
      JSON.parse(JSON.stringify(Result.getOrThrow(SALE.decodeFields(bare))))
    )
    for (const dialect of ["json", "pairs"] as const)
      assert.isTrue(Result.isSuccess(SALE.decodeFields({ ...bare, ...unusable }, dialect)))
  })

  it.each([
    [unusable, {}],
    [{ customer_browser_color_depth: "30" }, { customer_browser_color_depth: "24" }],
    [{ customer_browser_accept_language: "en-gb-oxendict" }, { customer_browser_accept_language: "en-GB" }],
    [{ customer_browser_screen_width: "1536.5" }, { customer_browser_screen_width: "1537" }],
    [{ customer_browser_user_agent: long(3000) }, { customer_browser_user_agent: long(2048) }]
  ])("is a repetition with another spelling of the same fact: %j", (one, other) =>
    assert.strictEqual(Canonical.content(SALE, { ...bare, ...one }), Canonical.content(SALE, { ...bare, ...other }))
  )

  it("is sent with the facts in their normal form, which every gateway accepts", () => {
    const texts = SALE.encodeRequest({
      ...Result.getOrThrow(SALE.decodeFields(bare)),
      customer_browser_color_depth: 30,
      customer_browser_screen_width: 1536.5,
      customer_browser_accept_language: "en-GB-oxendict",
      customer_browser_user_agent: long(3000)
    })
    assert.deepInclude(texts, {
      customer_browser_color_depth: "24",
      customer_browser_screen_width: "1537",
      customer_browser_accept_language: "en-GB",
      customer_browser_user_agent: long(2048)
    })
  })
})

describe("the form of a browser", () => {
  it("is completed with the headers, which replace what a script reported", () => {
    const posted = { ...BrowserForm.form, browserLanguage: "fr", browserColorDepth: "30", browserTZ: "later" }
    const headers = { accept: "text/html", "accept-language": "*", "user-agent": ["Fire", "fox"] }
    assert.deepStrictEqual(BrowserForm.read(BrowserForm.withHeaders(posted, headers)), {
      browserAcceptHeader: "text/html",
      browserColorDepth: 24,
      browserJavascriptEnabled: false,
      browserLanguage: "fr",
      browserUserAgent: "Fire,fox"
    })
  })
})
