/** Tests that each message about wrong input names the field and the remedy, and that nothing is sent. */
import { assert, describe, it } from "@effect/vitest"
import { InvalidInputError, Pay } from "../src/main.ts"
import { card, customer } from "./Samples.ts"

const options = { baseUrl: "https://gateway.example", login: "shop", controlKey: "key", endpointId: "1" }

const unused: typeof fetch = () => {
  throw new Error("a request was sent")
}
const pay = Pay.client({ ...options, fetch: unused })

const order = { clientOrderId: "INV-1", amount: "10.42", currency: "USD", card, customer }

/** Returns an input as plain JavaScript may pass it: its type does not match its values. */
const plainly = <T extends object>(fields: T, changes: object): T => Object.assign({}, fields, changes)

const caught = (effect: () => unknown): unknown => {
  try {
    return effect()
  } catch (error) {
    return error
  }
}

describe("wrong input", () => {
  const rows: ReadonlyArray<readonly [what: string, changes: object, message: string]> = [
    [
      "an amount as a number",
      { amount: 10.42 },
      'Parameter amount must be text, like "10.00", because a number is not exact'
    ],
    ["no order number", { clientOrderId: undefined }, "Parameter clientOrderId is required"],
    [
      "a card number with a wrong digit",
      { card: { ...card, number: "4444555566661112" } },
      "Parameter card.number is not a card number"
    ],
    ["no card", { card: undefined }, "Parameter card.number is required"],
    [
      "a card that is text",
      { card: "4444555566661111" },
      "Parameter card must be an object with number, expireMonth, expireYear, cvv, holder"
    ],
    ["a card that is null", { card: null }, "Parameter card must be an object with"],
    [
      "a misspelt field of a group",
      { card: { ...card, cvc: "123" } },
      "Parameter card.cvc is not a field of CardSale: card has number, expireMonth, expireYear, cvv, holder"
    ],
    [
      "a flat field",
      { creditCardNumber: card.number },
      "Parameter creditCardNumber has another name: write card.number"
    ],
    ["the specification's name", { order_desc: "x" }, "Parameter order_desc has another name: write orderDesc"],
    ["an invalid country", { customer: { ...customer, country: "England" } }, "Parameter customer.country"],
    ["an invalid month", { card: { ...card, expireMonth: 13 } }, "Parameter card.expireMonth"],
    ["too many decimals", { amount: "10.421" }, "Parameter amount"]
  ]
  it.each(rows)("is refused, and the message names the field: %s", async (_, changes, message) => {
    const result = await pay.cardSale(plainly(order, changes))
    assert(!result.ok && result.error instanceof InvalidInputError)
    assert.include(result.error.message, message)
    assert.isFalse(result.error.retryable)
    assert.isNotEmpty(result.error.problems)
    assert.notInclude(JSON.stringify(result.error) + result.error.message, card.number)
  })

  it("is reported for a bare operation, also with blanks around the card number", async () => {
    const result = await pay.api.sale(
      plainly({ ...order, orderDesc: "x" }, { card: { ...card, number: " 4444555566661112 " } })
    )
    assert(!result.ok && result.error instanceof InvalidInputError)
    assert.include(result.error.message, "card.number")
  })

  it("is reported by the plain field names for a payout", async () => {
    const result = await pay.payOut({ clientOrderId: "P-1", amount: "x", currency: "USD", accountNumber: "1" })
    assert(!result.ok && result.error instanceof InvalidInputError)
    assert.include(result.error.message, "Parameter amount")
  })
})

describe("a wrong option of one call", () => {
  const rows: ReadonlyArray<readonly [what: string, call: object, message: string]> = [
    ["a timeout that is text", { timeoutMs: "5s" }, "Parameter timeoutMs must be a number of milliseconds above zero"],
    ["a negative timeout", { timeoutMs: -1 }, "Parameter timeoutMs"],
    ["a signal that is not an AbortSignal", { signal: "stop" }, "Parameter signal must be an AbortSignal"]
  ]
  it.each(rows)("is reported by its name: %s", async (_, call, message) => {
    const results = [
      await pay.cardSale(order, plainly({}, call)),
      await pay.status("INV-1", plainly({}, call)),
      await pay.api.sale({ ...order, orderDesc: "x" }, plainly({}, call))
    ]
    for (const result of results) {
      assert(!result.ok && result.error instanceof InvalidInputError)
      assert.include(result.error.message, message)
    }
  })

  it.each([undefined, null, 17, "", {}])("is reported before anything is sent for the order %o", async (given) => {
    const result: unknown = await Reflect.apply(pay.status, undefined, [given])
    assert.containSubset(result, { ok: false, error: { code: "InvalidInput" } })
    assert.include(String(Object(result).error), "Parameter clientOrderId must be text")
    const watched: unknown = await Reflect.apply(pay.watch, undefined, [given])
      .next()
      .catch((error: unknown) => error)
    assert(watched instanceof InvalidInputError)
  })

  it.each([undefined, null, 7])("is reported for the callback %o", (given) => {
    const thrown: unknown = caught(() => Reflect.apply(pay.callbacks.verify, undefined, [given]))
    assert(thrown instanceof InvalidInputError)
    assert.include(thrown.message, "needs the request of your web server")
  })

  it("is reported for a call without an endpoint", async () => {
    const { endpointId: _, ...withoutEndpoint } = options
    const result = await Pay.client({ ...withoutEndpoint, fetch: unused }).cardSale(order)
    assert(!result.ok)
    assert.include(result.error.message, "endpointId is missing: name an endpoint in the call")
  })
})

describe("the browser's fields of a checkout form", () => {
  it("become the group browser of a payment, completed with the headers", () => {
    const form = { ...Pay.browserFields, browserJavascriptEnabled: "true", browserColorDepth: "24" }
    const browser = Pay.browserOf(form, { "accept-language": "en" })
    assert.deepStrictEqual([browser.acceptLanguage, browser.colorDepth, browser.screenWidth], ["en", 24, undefined])
    assert.deepStrictEqual([browser.javascriptEnabled, browser.javaEnabled], [true, false])
    for (const name of Object.keys(Pay.browserFields)) assert.include(Pay.browserScript, name)
  })
})
