/** What people type and their browsers say becomes what the gateway takes. */

import * as PayApi from "@pay/schema/PayApi"
import * as Sample from "@pay/schema/Sample"
import { Result } from "effect"
import { describe, expect, it } from "vitest"
import * as CheckoutForm from "../src/checkout/CheckoutForm.ts"

const { SALE } = PayApi.operations

const buyer = { visitor: "v", ipAddress: "203.0.113.7", accept: "*/*", userAgent: "Firefox" }

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
      expect(wrong(CheckoutForm.contactOf({ phone }))).toEqual([])
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
    ["30", "24"],
    ["24", "24"],
    ["64", "48"],
    ["", undefined],
    ["deep", undefined]
  ])("tells a screen of %s bits as %s", (colorDepth, report) => {
    const { customer_browser_color_depth } = CheckoutForm.browserOf({ colorDepth }, buyer)
    expect(customer_browser_color_depth).toBe(report)
  })

  it.each([
    [
      "a browser that says everything",
      { colorDepth: "30", screenHeight: "900", screenWidth: "1440", timeZone: "-345" }
    ],
    ["a browser that says nonsense", { colorDepth: "-1", screenHeight: "900.5", screenWidth: "1e9", timeZone: "here" }],
    ["a browser without JavaScript", { colorDepth: "", screenHeight: "", screenWidth: "", timeZone: "" }]
  ])("lets %s pay", (_, form) => {
    const talkative = { ...buyer, accept: "a".repeat(5000), userAgent: "M".repeat(5000) }
    expect(wrong(CheckoutForm.browserOf(form, talkative))).toEqual([])
  })

  it("knows a browser without JavaScript by its silence", () => {
    const report = (colorDepth: string) =>
      CheckoutForm.browserOf({ colorDepth }, buyer).customer_browser_javascript_enabled
    expect([report(""), report("24")]).toEqual(["false", "true"])
  })

  it("says what it has no field for where the way to pay is chosen", () => {
    expect(Object.keys(CheckoutForm.flawsOf([{ field: "expire_month" }, { field: "ipaddress" }]))).toEqual([
      "expiry",
      "way"
    ])
  })
})
