/** What people type and their browsers say becomes what the gateway takes. */

import * as BrowserData from "@pay/flows/BrowserData"
import * as PayApi from "@pay/schema/PayApi"
import * as Sample from "@pay/schema/Sample"
import { Result } from "effect"
import { describe, expect, it } from "vitest"
import * as CheckoutForm from "../src/checkout/CheckoutForm.ts"

const { SALE } = PayApi.operations

const headers = { accept: "*/*", "accept-language": "en", "user-agent": "Firefox" }

/** Fields that the gateway would refuse. */
const wrong = (fields: Readonly<Record<string, string>>) =>
  Result.match(SALE.decodeFields({ ...Sample.request(SALE), ...fields }), {
    onFailure: (problems) => problems.map(({ field }) => field),
    onSuccess: () => []
  })

describe("the checkout's form", () => {
  it.each(["+442079460000", "+44 20 7946 0000", "(020) 7946-0000", "020.7946.0000"])(
    "takes the phone number %s",
    (phone) => {
      expect(wrong({ phone: CheckoutForm.contactOf({ phone }).phone ?? "" })).toEqual([])
    }
  )

  it.each([
    ["12/30", "12", "30"],
    [" 1 / 2030 ", "1", "2030"],
    ["0130", "01", "30"],
    ["12/3", "", ""],
    ["12", "", ""],
    [`12${" ".repeat(50_000)}30x`, "", ""],
    [" ".repeat(50_000), "", ""]
  ])("reads the expiry %.20s", (expiry, month, year) =>
    expect(CheckoutForm.cardOf({ expiry })).toMatchObject({ expire_month: month, expire_year: year })
  )

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
    expect(wrong(CheckoutForm.browserOf({ ...BrowserData.form, ...form }, talkative))).toEqual([])
  })

  it("reports what the browser has said, and leaves out what is no screen", () => {
    const report = (form: Readonly<Record<string, string>>) =>
      CheckoutForm.browserOf({ ...BrowserData.form, ...form }, headers)
    expect(report({})).toMatchObject({
      customer_browser_javascript_enabled: "false",
      customer_browser_accept_header: "*/*",
      customer_browser_accept_language: "en",
      customer_browser_user_agent: "Firefox"
    })
    const scripted = report({ browserJavascriptEnabled: "true", browserColorDepth: "24", browserScreenWidth: "wide" })
    expect(scripted).toMatchObject({ customer_browser_javascript_enabled: "true", customer_browser_color_depth: "24" })
    expect(scripted).not.toHaveProperty("customer_browser_screen_width")
  })

  it.each([
    ["credit_card_number", { credit_card_number: " " }],
    ["expiry", { expiry: "12" }],
    ["expiry", { expiry: "01/20" }],
    ["cvv2", { cvv2: "" }],
    ["card_printed_name", { card_printed_name: "" }]
  ])("wants a card whole: %s", (field, typed) => {
    const card = { credit_card_number: "4444", expiry: "12/30", cvv2: "123", card_printed_name: "A" }
    const nowMs = Date.UTC(2026, 0)
    expect(Object.keys(CheckoutForm.cardFlawsOf({ ...card, ...typed }, nowMs))).toEqual([field])
    expect(CheckoutForm.cardFlawsOf(card, nowMs)).toEqual({})
  })

  it("says what it has no field for where the way to pay is chosen", () => {
    expect(Object.keys(CheckoutForm.flawsOf([{ field: "expire_month" }, { field: "ipaddress" }]))).toEqual([
      "expiry",
      "way"
    ])
  })
})
