/** What an order keeps of a payment's request and dialect, what `status` says of it, and by what its card is recognized. */

import { assert, describe, it } from "@effect/vitest"
import { Redacted } from "effect"
import * as CardIdentity from "../../src/orders/CardIdentity.ts"
import * as Payment from "../../src/orders/Payment.ts"
import { vault } from "../usecases/World.ts"
import { sale } from "./Sample.ts"

describe("the dialect of a request", () => {
  it.each([
    ["is not kept where it is the usual one", "json", { amount: "1.00" }, {}],
    ["is kept with the text of the amount", "pairs", { amount: "1.00" }, { dialect: "pairs", amountText: "1.00" }],
    ["is kept without an amount", "pairs", {}, { dialect: "pairs", amountText: null }]
  ] as const)("%s", (_, dialect, fields, kept) => {
    assert.deepStrictEqual<object>(Payment.dialectOf({ dialect, fields }), kept)
  })
})

describe("status says", () => {
  const nothing = { ...Payment.noCard, email: Payment.none.email, phone: null, merchantData: null }
  const card = { bin: "444455", lastFour: "1111", cardType: "VISA" }
  const shown = { bin: "444455", "last-four-digits": "1111", "card-type": "VISA" }
  it.each([
    ["nothing of what the order lacks", {}, {}],
    ["the payer's e-mail", { email: "a@b.example" }, { email: "a@b.example" }],
    ["the payer's telephone", { phone: "+1" }, { phone: "+1" }],
    ["the merchant's data", { merchantData: "m" }, { merchantdata: "m" }],
    ["the card", card, shown],
    ["the card's holder", { ...card, cardholder: "J" }, { ...shown, "cardholder-name": "J", name: "J" }],
    [
      "the card's expiry",
      { ...card, expireMonth: 12, expireYear: 2031 },
      { ...shown, "card-exp-month": "12", "card-exp-year": "2031" }
    ]
  ] as const)("%s", (_, changes, fields) => {
    assert.deepStrictEqual<object>(Payment.statusFields(sale({ ...nothing, ...changes })), fields)
  })
})

describe("a card is another one", () => {
  const pan = Redacted.make("4444555566661111")
  const hash = (expiry: CardIdentity.Identity["expiry"]) => CardIdentity.hash(vault, "shop", { pan, expiry })
  it("with each expiry, and without one", () => {
    const expiries = [undefined, { month: 1, year: 2031 }, { month: 2, year: 2031 }, { month: 1, year: 2032 }]
    assert.strictEqual(new Set(expiries.map(hash)).size, expiries.length)
  })
})
