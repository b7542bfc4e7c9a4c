import { assert, describe, it } from "@effect/vitest"
import * as LedgerTable from "../../src/kernel/LedgerTable.ts"

const place = { merchantId: "shop", endpointId: "7", currency: "USD" }
const causes = [
  "fund",
  "hold",
  "void",
  "sale",
  "transfer",
  "capture",
  "refund",
  "payoutHold",
  "payoutRelease",
  "payout",
  "payoutReturn"
] as const

describe("the ledger", () => {
  it.each(causes)("has no entry for an amount of zero: %s", (cause) => {
    assert.deepStrictEqual(LedgerTable.book(place, "1", "2", cause, 0, 1), [])
    assert.notDeepEqual(LedgerTable.book(place, "1", "2", cause, 1, 1), [])
  })
})
