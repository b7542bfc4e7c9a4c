import { assert, describe, it } from "@effect/vitest"
import * as LedgerTable from "../../src/kernel/LedgerTable.ts"

const place = { merchantId: "shop", endpointId: "7", currency: "USD" }
const causes = [
  "fund",
  "hold",
  "release",
  "sale",
  "transfer",
  "capture",
  "refund",
  "payoutHold",
  "payoutRelease",
  "payout",
  "payoutReturn"
] as const

describe("the books", () => {
  it.each(causes)("a movement of nothing is no movement: %s", (cause) => {
    assert.deepStrictEqual(LedgerTable.book(place, "1", "2", cause, 0, 1), [])
    assert.notDeepEqual(LedgerTable.book(place, "1", "2", cause, 1, 1), [])
  })
})
