import { assert, describe, it } from "@effect/vitest"
import * as Fund from "../../src/payouts/decide/Fund.ts"
import { Funding } from "../../src/payouts/decide/Fund.ts"
import { rowsOf } from "./Written.ts"

const funding: Funding = {
  reference: "wire-1",
  merchantId: "shop",
  endpointId: "7",
  currency: "USD",
  amountMinor: 1250,
  createdAtMs: 1
}

describe("a posting to the payout balance", () => {
  it("is booked only if its reference is unused and both accounts have room", () => {
    const decision = Fund.decide(funding)
    assert.deepStrictEqual(decision.guards, [
      { _tag: "Absent", entity: Funding, unique: "key", values: ["wire-1"] },
      { _tag: "BalanceHasRoom", account: "shop/7/USD/operator_funding", minor: -1250 },
      { _tag: "BalanceHasRoom", account: "shop/7/USD/payout_available", minor: 1250 }
    ])
    assert.deepStrictEqual(
      rowsOf(decision, "ledger").map(({ account, minor }) => `${account} ${minor}`),
      ["shop/7/USD/operator_funding -1250", "shop/7/USD/payout_available 1250"]
    )
  })

  it("has ledger entries that cannot be taken for an order's", () => {
    const [entry] = rowsOf(Fund.decide(funding), "ledger")
    assert.isTrue(Fund.isSubject(`${entry?.orderId}`))
    assert.strictEqual(Fund.referenceOf(`${entry?.orderId}`), "wire-1")
    assert.isFalse(Fund.isSubject("1"))
  })

  it("equals a repetition at another time, and no posting with another reference, merchant, endpoint or amount", () => {
    assert.isTrue(Fund.isSame(funding, { ...funding, createdAtMs: 2 }))
    for (const change of [
      { reference: "wire-2" },
      { merchantId: "other" },
      { endpointId: "8" },
      { currency: "EUR" },
      { amountMinor: 1 }
    ])
      assert.isFalse(Fund.isSame(funding, { ...funding, ...change }))
  })
})
