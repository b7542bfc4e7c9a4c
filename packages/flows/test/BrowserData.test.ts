/** Tests the fields that a browser reports with the checkout form. */
import * as PayApi from "@pay/schema/PayApi"
import * as Sample from "@pay/schema/Sample"
import { Result } from "effect"
import { describe, expect, it } from "vitest"
import * as FieldNames from "../src/engine/FieldNames.ts"
import * as FlowPayload from "../src/engine/FlowPayload.ts"
import * as BrowserData from "../src/order/BrowserData.ts"
import { CardSale } from "../src/payments/CardPayment.ts"

const { SALE } = PayApi.operations

const headers = { accept: "*/*", "accept-language": "en", "user-agent": "Firefox" }

const payment = Result.getOrThrow(FlowPayload.decode(CardSale, FieldNames.renamed(Sample.request(SALE))))

/** Fields of the payload that the flow would refuse. */
const invalidFields = (fields: ReturnType<typeof BrowserData.paymentFields>) =>
  Result.match(FlowPayload.fit(CardSale, { ...payment, ...fields }), {
    onFailure: (problems) => problems.map(({ field }) => field),
    onSuccess: () => []
  })

describe("the browser's fields of a card payment", () => {
  it.each([
    [
      "a browser that reports every value",
      { browserColorDepth: "24", browserScreenHeight: "900", browserScreenWidth: "1440", browserTZ: "-345" }
    ],
    [
      "a browser that reports invalid values",
      { browserColorDepth: "-1", browserScreenHeight: "900.5", browserScreenWidth: "1e9", browserTZ: "here" }
    ],
    ["a browser without JavaScript", {}]
  ])("are valid for %s", (_, form) => {
    const longHeaders = { ...headers, accept: "a".repeat(5000), "user-agent": "M".repeat(5000) }
    expect(invalidFields(BrowserData.paymentFields({ ...BrowserData.form, ...form }, longHeaders))).toEqual([])
  })

  it("contain the reported values, and omit an invalid screen size", () => {
    const report = (form: Readonly<Record<string, string>>) =>
      BrowserData.paymentFields({ ...BrowserData.form, ...form }, headers)
    expect(report({})).toMatchObject({
      customerBrowserJavascriptEnabled: false,
      customerBrowserAcceptHeader: "*/*",
      customerBrowserAcceptLanguage: "en",
      customerBrowserUserAgent: "Firefox"
    })
    const scripted = report({ browserJavascriptEnabled: "true", browserColorDepth: "24", browserScreenWidth: "wide" })
    expect(scripted).toMatchObject({ customerBrowserJavascriptEnabled: true, customerBrowserColorDepth: 24 })
    expect(scripted.customerBrowserScreenWidth).toBeUndefined()
  })

  it("have defaults for a browser that reports nothing", () => {
    const report = BrowserData.paymentFields({}, {})
    expect(report).toEqual({
      customerBrowserInfo: true,
      customerBrowserAcceptHeader: "*/*",
      customerBrowserAcceptLanguage: "en",
      customerBrowserJavaEnabled: false,
      customerBrowserUserAgent: "unknown"
    })
    expect(invalidFields(report)).toEqual([])
  })
})
