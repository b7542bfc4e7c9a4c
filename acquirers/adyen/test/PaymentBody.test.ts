import { describe, expect, it } from "@effect/vitest"
import { Redacted } from "effect"
import { paymentBody } from "../src/PaymentBody.ts"
import * as Judge from "./Judge.ts"
import { authorization, settings } from "./Sample.ts"

const body = (changes: Parameters<typeof authorization>[0] = {}) =>
  paymentBody(authorization(changes), settings, Redacted.value)

const { card } = authorization()
const proof = {
  protocol: "2.2.0",
  transStatus: "Y",
  transactionId: "8a880dc0-d2d2-4067-bcb1-b08d1690b26e",
  eci: "05",
  authenticationValue: Redacted.make("AAABBJkZUQAAAABjRWWZEEFgFz8=")
}

const later = { use: "use", series: "unscheduled", schemeReference: { id: "481048839682954" } } as const
const terminal = { mid: "CoffeeEU", categoryCode: "5411", name: "Coffee" }
const customer = {
  email: "jane@example.com",
  phone: "+31612345678",
  ipAddress: "192.0.2.1",
  billing: {
    firstName: "Jane",
    lastName: "Doe",
    street: "Singel 7",
    city: "Amsterdam",
    postalCode: "1012VC",
    country: "NL"
  }
}

describe("the body of a payment", () => {
  it.each([
    ["a hold", {}],
    ["a sale", { capture: true }],
    ["a charge without the customer", { card: { ...card, cvv: undefined } }],
    ["a verification", { amountMinor: 0 }],
    ["an authentication of version 2", { authentication: proof }],
    [
      "an attempt of the issuer without a value",
      { authentication: { ...proof, transStatus: "A", authenticationValue: undefined } }
    ],
    [
      "an authentication of version 1",
      { authentication: { ...proof, protocol: "1.0.2", transactionId: "MDAwMDAwMDAwMDAwMDAwMDEyMzQ=" } }
    ],
    ["a payment that stores the card", { credential: { use: "store", series: "recurring" }, initiator: "cardholder" }],
    ["a charge of a series", { card: { ...card, cvv: undefined }, credential: later, initiator: "merchant" }],
    ["a terminal", { terminal, descriptor: "TEA & SONS" }],
    ["a customer", { customer }],
    [
      "a customer of whom only the e-mail is known",
      { customer: { ...customer, phone: undefined, ipAddress: undefined, billing: { city: "Delft" } } }
    ],
    ["an order number of 128 characters", { clientOrderId: "n".repeat(128) }]
  ] satisfies ReadonlyArray<readonly [string, Parameters<typeof authorization>[0]]>)(
    "of %s is one that Adyen describes",
    (_, changes) => {
      expect(Judge.checkout("PaymentRequest", body(changes))).toEqual([])
    }
  )

  it("that lacks a mandatory field is refused by the judge", () => {
    const { returnUrl, ...rest } = body() ?? {}
    expect(returnUrl).toBeDefined()
    expect(Judge.checkout("PaymentRequest", rest)).toHaveLength(1)
    expect(Judge.checkout("PaymentRequest", { ...rest, returnUrl, acount: "x" })).toHaveLength(1)
  })

  it("has the card, the amount and our reference", () =>
    expect(body()).toMatchObject({
      reference: "123-authorize-0",
      amount: { currency: "EUR", value: 1042 },
      paymentMethod: {
        number: "4111111111111111",
        expiryMonth: "03",
        expiryYear: "2030",
        cvc: "737",
        holderName: "Jane Doe"
      },
      shopperInteraction: "Ecommerce"
    }))

  it.each([
    ["a hold", false, { additionalData: { manualCapture: "true" } }],
    ["a sale", true, { captureDelayHours: 0 }]
  ])("says when Adyen captures %s", (_, capture, part) => expect(body({ capture })).toMatchObject(part))

  it("names who starts the payment, and the scheme's reference of the first one", () => {
    expect(body({ credential: { use: "store", series: "recurring" }, initiator: "cardholder" })).toMatchObject({
      shopperInteraction: "Ecommerce",
      recurringProcessingModel: "Subscription"
    })
    expect(body({ card: { ...card, cvv: undefined }, credential: later, initiator: "merchant" })).toMatchObject({
      shopperInteraction: "ContAuth",
      recurringProcessingModel: "UnscheduledCardOnFile",
      paymentMethod: { networkPaymentReference: "481048839682954" }
    })
  })

  it("has the merchant account and the category of the terminal", () =>
    expect(body({ terminal })).toMatchObject({ merchantAccount: "CoffeeEU", mcc: "5411" }))

  it("is none for an amount that Adyen does not take", () =>
    expect(body({ currency: "IDR", amountMinor: 10_50 })).toBeUndefined())
})
