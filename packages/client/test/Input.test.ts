/** Wrong input and wrong settings: each message names the field and the remedy, and nothing is sent. */
import { assert, describe, it } from "@effect/vitest"
import { type ClientOptions, InvalidInputError, InvalidSettingError, Pay } from "../src/main.ts"
import { card, customer } from "./Samples.ts"

const options = { baseUrl: "https://gateway.example", login: "shop", controlKey: "key", endpointId: "1" }

const unused: typeof fetch = () => {
  throw new Error("nothing may be sent")
}
const pay = Pay.client({ ...options, fetch: unused })

const order = { clientOrderId: "INV-1", amount: "10.42", currency: "USD", card, customer }

/** Inputs as plain JavaScript may give them. */
const plainly = <T extends object>(fields: T, changes: object): T => Object.assign({}, fields, changes)

describe("wrong input", () => {
  const rows: ReadonlyArray<readonly [what: string, changes: object, message: string]> = [
    [
      "an amount as a number",
      { amount: 10.42 },
      'Parameter amount must be text, like "10.00", because a number is not exact'
    ],
    ["no name of the order", { clientOrderId: undefined }, "Parameter clientOrderId is required"],
    [
      "a card number with a wrong digit",
      { card: { ...card, number: "4444555566661112" } },
      "Parameter card.number is not a card number"
    ],
    ["no card", { card: undefined }, "Parameter card.number is required"],
    ["a card that is text", { card: "4444555566661111" }, "Parameter card is no field of CardSale"],
    ["a misspelt field of a group", { card: { ...card, cvc: "123" } }, "Parameter card.cvc is no field of CardSale"],
    [
      "a flat field",
      { creditCardNumber: card.number },
      "Parameter creditCardNumber has another name: write card.number"
    ],
    ["the specification's name", { order_desc: "x" }, "Parameter order_desc has another name: write orderDesc"],
    ["a country that is none", { customer: { ...customer, country: "England" } }, "Parameter customer.country"],
    ["a month that is none", { card: { ...card, expireMonth: 13 } }, "Parameter card.expireMonth"],
    ["too many decimals", { amount: "10.421" }, "Parameter amount"]
  ]
  it.each(rows)("is refused by its name: %s", async (_, changes, message) => {
    const result = await pay.cardSale(plainly(order, changes))
    assert(!result.ok && result.error instanceof InvalidInputError)
    assert.include(result.error.message, message)
    assert.isFalse(result.error.retryable)
    assert.isNotEmpty(result.error.problems)
    assert.notInclude(JSON.stringify(result.error) + result.error.message, card.number)
  })

  it("takes blanks in a card number away from nobody", async () => {
    const result = await pay.api.sale(
      plainly({ ...order, orderDesc: "x" }, { card: { ...card, number: " 4444555566661112 " } })
    )
    assert(!result.ok && result.error instanceof InvalidInputError)
    assert.include(result.error.message, "card.number")
  })

  it("names the fields of a payout without groups", async () => {
    const result = await pay.payOut({ clientOrderId: "P-1", amount: "x", currency: "USD", accountNumber: "1" })
    assert(!result.ok && result.error instanceof InvalidInputError)
    assert.include(result.error.message, "Parameter amount")
  })
})

describe("wrong settings", () => {
  const rows: ReadonlyArray<readonly [what: string, changes: object, message: string]> = [
    ["no address", { baseUrl: undefined }, "baseUrl is missing"],
    ["an address that is none", { baseUrl: "gateway" }, "baseUrl must be an absolute http(s) URL"],
    ["plain http to another machine", { baseUrl: "http://gateway.example" }, "baseUrl must be https"],
    ["no login", { login: "" }, "login is empty"],
    ["no key", { controlKey: undefined }, "controlKey is missing"],
    ["a key that is a number", { controlKey: 7 }, "controlKey must be text"],
    ["a private key that is none", { privateKey: "PEM" }, "privateKey is not a private key in PEM form"],
    ["an endpoint that is a number", { endpointId: 1 }, "endpointId must be text"],
    [
      "a profile with an unknown word",
      { profile: "idempotency-keys" },
      "profile has an unknown word: idempotency-keys"
    ],
    ["calls per second that are none", { callsPerSecond: 0 }, "callsPerSecond must be a number above zero"]
  ]
  it.each(rows)("are told when the client is made: %s", (_, changes, message) => {
    const given: ClientOptions = plainly(options, changes)
    const thrown = caught(() => Pay.client(given))
    assert(thrown instanceof InvalidSettingError)
    assert.include(thrown.message, message)
  })
})

const caught = (effect: () => unknown): unknown => {
  try {
    return effect()
  } catch (error) {
    return error
  }
}
