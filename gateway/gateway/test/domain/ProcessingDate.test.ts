import { assert, describe, it } from "@effect/vitest"
import * as Payment from "../../src/orders/record/Payment.ts"

const dayMs = 86_400_000
const todayMs = Date.UTC(2026, 10, 21)

describe("the processing date in the response to status", () => {
  it.each([
    [Date.UTC(2026, 10, 21, 14, 5, 9), "2026-11-21 14:05:09 UTC"],
    [Date.UTC(2028, 1, 29, 23, 59, 59) + 999, "2028-02-29 23:59:59 UTC"],
    [0, "1970-01-01 00:00:00 UTC"],
    [-1, "1969-12-31 23:59:59 UTC"]
  ])("has the format of the specification: %i is %s", (atMs, text) =>
    assert.strictEqual(Payment.processingDate(atMs), text)
  )

  it("is the right day and time for days in any order", () => {
    for (const day of [0, 1, 0, 39, -400, 12_345]) {
      for (const ms of [0, 1, 3_599_999, 45_296_789, dayMs - 1]) {
        const atMs = todayMs + day * dayMs + ms
        const expected = `${new Date(atMs).toISOString().slice(0, 19).replace("T", " ")} UTC`
        assert.strictEqual(Payment.processingDate(atMs), expected)
      }
    }
  })
})
