/** The dialect that an order stores, the card fields of `status`, and the hash that identifies a card. */

import { assert, describe, it } from "@effect/vitest"
import { Redacted } from "effect"
import * as Payment from "../../src/orders/record/Payment.ts"
import * as CardIdentity from "../../src/orders/requests/CardIdentity.ts"
import { vault } from "../usecases/ScriptedServices.ts"
import { sale } from "./Sample.ts"

describe("the dialect of a request", () => {
  it.each([
    ["is not stored if it is the usual one", "json", { amount: "1.00" }, {}],
    ["is stored with the text of the amount", "pairs", { amount: "1.00" }, { dialect: "pairs", amountText: "1.00" }],
    ["is stored without a text if there is no amount", "pairs", {}, { dialect: "pairs", amountText: null }]
  ] as const)("%s", (_, dialect, fields, expected) => {
    assert.deepStrictEqual<object>(Payment.dialectOf({ dialect, fields }), expected)
  })
})

describe("the response to status", () => {
  const nothing = { ...Payment.noCard, email: Payment.none.email, phone: null, merchantData: null }
  const card = { bin: "444455", lastFour: "1111", cardType: "VISA" }
  const shown = { bin: "444455", "last-four-digits": "1111", "card-type": "VISA" }
  it.each([
    ["has no field that the order lacks", {}, {}],
    ["has the payer's e-mail", { email: "a@b.example" }, { email: "a@b.example" }],
    ["has the payer's telephone number", { phone: "+1" }, { phone: "+1" }],
    ["has the merchant's data", { merchantData: "m" }, { merchantdata: "m" }],
    ["has the masked card", card, shown],
    ["has the cardholder", { ...card, cardholder: "J" }, { ...shown, "cardholder-name": "J", name: "J" }],
    [
      "has the card's expiry",
      { ...card, expireMonth: 12, expireYear: 2031 },
      { ...shown, "card-exp-month": "12", "card-exp-year": "2031" }
    ]
  ] as const)("%s", (_, changes, fields) => {
    assert.deepStrictEqual<object>(Payment.statusFields(sale({ ...nothing, ...changes })), fields)
  })
})

describe("the hash of a card", () => {
  const pan = Redacted.make("4444555566661111")
  const hash = (expiry: CardIdentity.Identity["expiry"]) => CardIdentity.hash(vault, "shop", { pan, expiry })
  it("differs for each expiry, and without one", () => {
    const expiries = [undefined, { month: 1, year: 2031 }, { month: 2, year: 2031 }, { month: 1, year: 2032 }]
    assert.strictEqual(new Set(expiries.map(hash)).size, expiries.length)
  })
})
