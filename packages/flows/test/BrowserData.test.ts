/** What a browser reports with the checkout form becomes what the gateway takes. */
import * as PayApi from "@pay/schema/PayApi"
import * as Sample from "@pay/schema/Sample"
import { Result } from "effect"
import { describe, expect, it } from "vitest"
import * as BrowserData from "../src/BrowserData.ts"

const { SALE } = PayApi.operations

const headers = { accept: "*/*", "accept-language": "en", "user-agent": "Firefox" }

/** Fields that the gateway would refuse. */
const wrong = (fields: Readonly<Record<string, string>>) =>
  Result.match(SALE.decodeFields({ ...Sample.request(SALE), ...fields }), {
    onFailure: (problems) => problems.map(({ field }) => field),
    onSuccess: () => []
  })

describe("the browser's fields of a card payment", () => {
  it.each([
    [
      "a browser that says everything",
      { browserColorDepth: "24", browserScreenHeight: "900", browserScreenWidth: "1440", browserTZ: "-345" }
    ],
    [
      "a browser that says nonsense",
      { browserColorDepth: "-1", browserScreenHeight: "900.5", browserScreenWidth: "1e9", browserTZ: "here" }
    ],
    ["a browser without JavaScript", {}]
  ])("lets %s pay", (_, form) => {
    const talkative = { ...headers, accept: "a".repeat(5000), "user-agent": "M".repeat(5000) }
    expect(wrong(BrowserData.requestFields({ ...BrowserData.form, ...form }, talkative))).toEqual([])
  })

  it("reports what the browser has said, and leaves out what is no screen", () => {
    const report = (form: Readonly<Record<string, string>>) =>
      BrowserData.requestFields({ ...BrowserData.form, ...form }, headers)
    expect(report({})).toMatchObject({
      customerBrowserJavascriptEnabled: "false",
      customerBrowserAcceptHeader: "*/*",
      customerBrowserAcceptLanguage: "en",
      customerBrowserUserAgent: "Firefox"
    })
    const scripted = report({ browserJavascriptEnabled: "true", browserColorDepth: "24", browserScreenWidth: "wide" })
    expect(scripted).toMatchObject({ customerBrowserJavascriptEnabled: "true", customerBrowserColorDepth: "24" })
    expect(scripted).not.toHaveProperty("customerBrowserScreenWidth")
  })

  it("has defaults for a browser that reports nothing", () => {
    const report = BrowserData.requestFields({}, {})
    expect(report).toEqual({
      customerBrowserInfo: "true",
      customerBrowserAcceptHeader: "*/*",
      customerBrowserAcceptLanguage: "en",
      customerBrowserJavaEnabled: "false",
      customerBrowserUserAgent: "unknown"
    })
    expect(wrong(report)).toEqual([])
  })
})
