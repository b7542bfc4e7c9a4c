import { describe, expect, it } from "@effect/vitest"
import { amountMinorOf, toAdyen } from "../src/AdyenAmount.ts"

describe("an amount for Adyen", () => {
  it.each([
    ["EUR", 10_42, 1042],
    ["JPY", 1042, 1042],
    ["KWD", 10_420, 10_420],
    ["CLP", 1042, 104_200],
    ["ISK", 1042, 104_200],
    ["CVE", 10_00, 10],
    ["IDR", 10_00, 10]
  ])("in %s: %i minor units are %i of Adyen's, and back", (currency, amountMinor, value) => {
    expect(toAdyen(amountMinor, currency)).toEqual({ currency, value })
    expect(amountMinorOf({ currency, value })).toBe(amountMinor)
  })

  it.each([
    ["CVE", 10_42],
    ["IDR", 1],
    ["CLP", Number.MAX_SAFE_INTEGER]
  ])("in %s does not exist for %i minor units", (currency, amountMinor) =>
    expect(toAdyen(amountMinor, currency)).toBeUndefined()
  )

  it("in ISK with a part of a króna is none of ours", () =>
    expect(amountMinorOf({ currency: "ISK", value: 150 })).toBeUndefined())
})
