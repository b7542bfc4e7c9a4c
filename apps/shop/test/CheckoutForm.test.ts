/** Tests the values that the checkout reads from its form. */
import { Redacted, Result } from "effect"
import { describe, expect, it } from "vitest"
import * as CheckoutForm from "../src/checkout/CheckoutForm.ts"

const nowMs = Date.UTC(2026, 0)
const address = { address1: "1 St James's Square", zipCode: "SW1Y 4JH", city: "London", country: "gb" }
const contact = { email: "ada@example.com", ...address }
const card = {
  creditCardNumber: "4444 3333-2222 1111",
  expiry: "12/30",
  cvv2: " 123 ",
  cardPrintedName: "ADA LOVELACE"
}

/** The names of the wrong fields, or none. */
const wrong = (read: Result.Result<object, CheckoutForm.Errors>) =>
  Result.isFailure(read) ? Object.keys(read.failure) : []

describe("the checkout's form", () => {
  it.each(["+442079460000", "+44 20 7946 0000", "(020) 7946-0000", "020.7946.0000 ext. 7", "0475/12.34.56", "x", ""])(
    "accepts the phone number %s",
    (phone) => expect(wrong(CheckoutForm.contactOf({ ...contact, phone }))).toEqual([])
  )

  it("becomes typed values, without fields that are empty or that belong to the page", () => {
    const form = { ...contact, ...card, phone: "", token: "t", order: "o" }
    expect(Result.getOrThrow(CheckoutForm.contactOf(form))).toEqual({ ...contact, country: "GB" })
    const { creditCardNumber, cvv2, ...others } = Result.getOrThrow(CheckoutForm.cardOf(form, nowMs))
    expect(others).toEqual({ cardPrintedName: "ADA LOVELACE", expireMonth: 12, expireYear: 2030 })
    expect([creditCardNumber, cvv2].map((secret) => secret && Redacted.value(secret))).toEqual([
      "4444333322221111",
      "123"
    ])
  })

  it.each([
    ["12/30", [12, 2030]],
    [" 1 / 2030 ", [1, 2030]],
    ["0130", [1, 2030]],
    ["12/3", undefined],
    ["12", undefined],
    [`12${" ".repeat(50_000)}30x`, [12, 2030]],
    [" ".repeat(50_000), undefined]
  ])("reads the expiry %.20s", (expiry, expected) => {
    const read = CheckoutForm.cardOf({ ...card, expiry }, nowMs)
    expect(wrong(read)).toEqual(expected === undefined ? ["expiry"] : [])
    const date = Result.isSuccess(read) ? [read.success.expireMonth, read.success.expireYear] : undefined
    expect(date).toEqual(expected)
  })

  it.each([
    ["creditCardNumber", { creditCardNumber: " " }],
    ["creditCardNumber", { creditCardNumber: "4444" }],
    ["expiry", { expiry: "12" }],
    ["expiry", { expiry: "01/20" }],
    ["cvv2", { cvv2: "" }],
    ["cvv2", { cvv2: "12" }],
    ["cardPrintedName", { cardPrintedName: "" }]
  ])("requires every field of the card: %s", (field, typed) =>
    expect(wrong(CheckoutForm.cardOf({ ...card, ...typed }, nowMs))).toEqual([field])
  )

  it("names every wrong field at once", () => {
    expect(wrong(CheckoutForm.contactOf({})).sort()).toEqual(["address1", "city", "country", "email"])
    expect(wrong(CheckoutForm.cardOf({ expiry: "01/20" }, nowMs)).sort()).toEqual([
      "cardPrintedName",
      "creditCardNumber",
      "cvv2",
      "expiry"
    ])
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
