/** Tests the conversion of the form's values to fields of the gateway. */

import * as PayApi from "@pay/schema/PayApi"
import * as Sample from "@pay/schema/Sample"
import { Result } from "effect"
import { describe, expect, it } from "vitest"
import * as CheckoutForm from "../src/checkout/CheckoutForm.ts"

const { SALE } = PayApi.operations

/** Fields that the gateway would refuse. */
const wrong = (fields: Readonly<Record<string, string>>) =>
  Result.match(SALE.decodeFields({ ...Sample.request(SALE), ...fields }), {
    onFailure: (problems) => problems.map(({ field }) => field),
    onSuccess: () => []
  })

describe("the checkout's form", () => {
  it.each(["+442079460000", "+44 20 7946 0000", "(020) 7946-0000", "020.7946.0000 ext. 7", "0475/12.34.56", "x"])(
    "accepts the phone number %s",
    (phone) => {
      expect(wrong({ phone: CheckoutForm.contactOf({ phone }).phone ?? "" })).toEqual([])
    }
  )

  it.each([
    ["12/30", "12", "2030"],
    [" 1 / 2030 ", "1", "2030"],
    ["0130", "1", "2030"],
    ["12/3", "", ""],
    ["12", "", ""],
    [`12${" ".repeat(50_000)}30x`, "12", "2030"],
    [" ".repeat(50_000), "", ""]
  ])("reads the expiry %.20s", (expiry, month, year) =>
    expect(CheckoutForm.cardOf({ expiry })).toMatchObject({ expireMonth: month, expireYear: year })
  )

  it.each([
    ["creditCardNumber", { creditCardNumber: " " }],
    ["expiry", { expiry: "12" }],
    ["expiry", { expiry: "01/20" }],
    ["cvv2", { cvv2: "" }],
    ["cardPrintedName", { cardPrintedName: "" }]
  ])("requires every field of the card: %s", (field, typed) => {
    const card = { creditCardNumber: "4444", expiry: "12/30", cvv2: "123", cardPrintedName: "A" }
    const nowMs = Date.UTC(2026, 0)
    expect(Object.keys(CheckoutForm.cardErrorsOf({ ...card, ...typed }, nowMs))).toEqual([field])
    expect(CheckoutForm.cardErrorsOf(card, nowMs)).toEqual({})
  })

  it("has a hint for each field", () => {
    const inputs = [...CheckoutForm.contactInputs, ...CheckoutForm.cardInputs].map(({ name: field }) => ({ field }))
    const hints = CheckoutForm.errorsOf(inputs)
    expect(Object.keys(hints)).toEqual(inputs.map(({ field }) => field))
    expect(new Set(Object.values(hints)).size).toBe(inputs.length)
  })

  it("shows a problem with a field that it lacks at the choice of the payment method", () => {
    expect(Object.keys(CheckoutForm.errorsOf([{ field: "expireMonth" }, { field: "ipaddress" }]))).toEqual([
      "expiry",
      "way"
    ])
  })
})
