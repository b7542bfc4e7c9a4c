import { describe, expect, it } from "@effect/vitest"
import { Result } from "effect"
import * as Catalogue from "../src/checkout/Catalogue.ts"
import * as Orders from "../src/orders/Orders.ts"

const read = (typed: string, currency: string) =>
  Result.match(Catalogue.readAmount(typed, currency), {
    onFailure: ({ says }) => says,
    onSuccess: (minor): number | string => minor
  })

describe("an amount that a clerk types", () => {
  const wrong = "must be a decimal number like 10.50"
  it.each([
    ["10000000.00", "USD", 1_000_000_000],
    ["$10,000,000.00", "USD", 1_000_000_000],
    ["10,000,000.00", "USD", 1_000_000_000],
    ["12500000.00", "IDR", 1_250_000_000],
    ["IDR 12,500,000.00", "IDR", 1_250_000_000],
    ["IDR\u00a012,500,000.00", "IDR", 1_250_000_000],
    ["90,071,992,547,409.91", "IRR", Number.MAX_SAFE_INTEGER],
    ["1,234.567", "KWD", 1_234_567],
    ["¥12,500,000", "JPY", 12_500_000],
    ["1.5000", "USD", 150],
    [" 04 ", "USD", 400],
    ["1.001", "USD", "has more than 2 decimals"],
    ["1,5", "USD", wrong],
    ["1,50", "USD", wrong],
    ["1,0000.00", "USD", wrong],
    ["1.234,56", "USD", wrong],
    ["€10.00", "USD", wrong],
    ["-$10.00", "USD", wrong],
    ["$", "USD", wrong],
    ["", "USD", wrong]
  ])("%j %s is %s", (typed, currency, expected) => expect(read(typed, currency)).toBe(expected))

  it("is read back as the shop shows it, in each currency", () => {
    for (const currency of ["USD", "HUF", "IQD", "JPY", "CLF", "XOF"])
      for (const minor of [1, 123_456, Number.MAX_SAFE_INTEGER])
        expect(read(Catalogue.price(minor, currency), currency)).toBe(minor)
  })
})

describe("the amount of a product", () => {
  const fixed: Catalogue.Product = { id: "can", title: "Can", amountMinor: 4800, currency: "USD", billing: "sale" }
  const gift: Catalogue.Product = { ...fixed, amountMinor: { leastMinor: 500, largestMinor: 50_000 } }
  it.each([
    [gift, "5.00", 500],
    [gift, "500", 50_000],
    [gift, " $25.50 ", 2550],
    [gift, "4.99", undefined],
    [gift, "500.01", undefined],
    [gift, "25.001", undefined],
    [gift, "25,50", undefined],
    [gift, "-25", undefined],
    [gift, "1e2", undefined],
    [gift, "", undefined],
    [{ ...gift, currency: "JPY" }, "500", 500],
    [{ ...gift, currency: "JPY" }, "500.00", 500],
    [{ ...gift, currency: "KWD" }, "5.000", 5000],
    [fixed, "1.00", 4800]
  ])("of %j with %j typed is %s", (product, typed, expected) =>
    expect(Catalogue.amountOf(product, typed)).toBe(expected)
  )
})

describe("an amount that a gateway reports", () => {
  it.each([
    ["12500000.00", "IDR", 1_250_000_000],
    ["10000000", "USD", 1_000_000_000],
    ["0.00", "USD", 0],
    [undefined, "USD", undefined],
    ["10.00", undefined, undefined],
    ["10.00", "XXX", undefined],
    ["1e9", "USD", undefined],
    ["10.005", "USD", undefined]
  ])("%s %s is %s, and never 0 if it cannot be read", (amount, currency, expected) =>
    expect(Orders.reportedMinor(amount, currency)).toBe(expected)
  )
})
