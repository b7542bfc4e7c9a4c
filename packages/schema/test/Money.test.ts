import { Result } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import * as Currency from "../src/Currency.ts"
import * as Money from "../src/Money.ts"

const minor = (amount: string, currency: string): number | string =>
  Result.match(Money.toMinor(amount, currency), { onSuccess: (value) => value, onFailure: ({ says }) => says })

describe("Money.toMinor", () => {
  const malformed = "must be a decimal number like 10.50"
  const tooLarge = "is larger than 9007199254740991 of the smallest unit of its currency"
  it.each([
    ["10.5", "USD", 1050],
    ["10.50", "USD", 1050],
    ["10", "USD", 1000],
    ["0.94", "USD", 94],
    ["0.01", "USD", 1],
    ["10.42", "USD", 1042],
    ["007.5", "USD", 750],
    ["10.500", "USD", 1050],
    ["9999999999", "USD", 999_999_999_900],
    ["9999999999", "CLF", 99_999_999_990_000],
    ["10", "JPY", 10],
    ["10.00", "JPY", 10],
    ["10.50", "JPY", "has more than 0 decimals"],
    ["1.234", "KWD", 1234],
    ["1.2340", "KWD", 1234],
    ["1.2345", "KWD", "has more than 3 decimals"],
    ["10.005", "USD", "has more than 2 decimals"],
    ["1e3", "USD", malformed],
    ["-1", "USD", malformed],
    ["+1", "USD", malformed],
    ["٣", "USD", malformed],
    ["１０", "USD", malformed],
    ["0", "USD", malformed],
    ["0.00", "USD", malformed],
    ["", "USD", malformed],
    [".5", "USD", malformed],
    ["5.", "USD", malformed],
    ["1.2.3", "USD", malformed],
    ["1,5", "USD", malformed],
    ["1 000", "USD", malformed],
    ["0x10", "USD", malformed],
    ["NaN", "USD", malformed],
    ["12345678901", "USD", 1_234_567_890_100],
    ["90071992547409.91", "USD", Number.MAX_SAFE_INTEGER],
    ["00090071992547409.91", "USD", Number.MAX_SAFE_INTEGER],
    ["9007199254740991.000", "JPY", Number.MAX_SAFE_INTEGER],
    ["900719925474.0991", "CLF", Number.MAX_SAFE_INTEGER],
    ["90071992547409.92", "USD", tooLarge],
    ["9007199254740992", "JPY", tooLarge],
    ["99999999999999999999", "CLF", tooLarge],
    ["000000000000000000010", "USD", malformed],
    ["10", "usd", "is in an unknown currency"],
    ["10", "XXX", "is in an unknown currency"],
    ["10", "", "is in an unknown currency"]
  ])("%s %s is %s", (amount, currency, expected) => expect(minor(amount, currency)).toBe(expected))

  it("reverses Money.fromMinor for every currency", () =>
    fc.assert(
      fc.property(
        fc.constantFrom(...Currency.codes),
        fc.maxSafeNat().filter((minor) => minor > 0),
        (currency, amountMinor) => minor(Money.fromMinor(amountMinor, currency), currency) === amountMinor
      )
    ))
})

describe("Money.toHundredths", () => {
  it.each([
    ["10", 1000],
    ["10.42", 1042],
    ["0.5", 50],
    ["1.230", 123]
  ])("%s is %i", (amount, expected) => expect(Money.toHundredths(amount)).toEqual(Result.succeed(expected)))
  it.each(["1.234", "1e3", ""])("refuses %s", (amount) =>
    expect(Result.isFailure(Money.toHundredths(amount))).toBe(true)
  )
})

describe("Money.fromMinor", () => {
  it.each([
    [1000, "USD", "10.00"],
    [5, "USD", "0.05"],
    [0, "USD", "0.00"],
    [-5, "USD", "-0.05"],
    [1000, "JPY", "1000"],
    [0, "JPY", "0"],
    [1234, "KWD", "1.234"],
    [-(2n ** 62n), "USD", "-46116860184273879.04"],
    [2n ** 63n, "CLF", "922337203685477.5808"],
    [1, "CLF", "0.0001"]
  ])("%s %s is %s", (amountMinor, currency, expected) => expect(Money.fromMinor(amountMinor, currency)).toBe(expected))
})

describe("Money.toMinorOrZero", () => {
  it.each([
    ["0", "USD", 0],
    ["0.00", "JPY", 0],
    ["000.0000", "USD", 0],
    ["10.50", "USD", 1050],
    ["10.005", "USD", "has more than 2 decimals"],
    ["", "USD", "must be a decimal number like 10.50"],
    ["-0", "USD", "must be a decimal number like 10.50"],
    ["0", "XXX", "is in an unknown currency"]
  ])("%s %s is %s", (amount, currency, expected) =>
    expect(
      Result.match(Money.toMinorOrZero(amount, currency), {
        onSuccess: (value): number | string => value,
        onFailure: ({ says }) => says
      })
    ).toBe(expected)
  )
})

describe("Money.canonical", () => {
  it.each([
    ["10", "10"],
    ["10.0", "10"],
    ["10.00", "10"],
    ["010", "10"],
    ["10.50", "10.5"],
    ["0.50", "0.5"],
    ["00.5", "0.5"],
    ["100", "100"],
    ["1e3", "1e3"]
  ])("%s is %s", (amount, expected) => expect(Money.canonical(amount)).toBe(expected))
})

describe("Currency.digits", () => {
  it.each([
    ["USD", 2],
    ["EUR", 2],
    ["JPY", 0],
    ["KRW", 0],
    ["ISK", 0],
    ["KWD", 3],
    ["TND", 3],
    ["CLF", 4],
    ["HUF", 2],
    ["IQD", 3],
    ["LBP", 2],
    ["MRU", 2],
    ["UGX", 0],
    ["UYW", 4],
    ["usd", undefined],
    ["XAU", undefined],
    ["__proto__", undefined]
  ])("%s has %s decimals", (code, digits) => expect(Currency.digits(code)).toBe(digits))
  it("covers unique codes of three letters", () => {
    expect(Currency.codes.every((code) => /^[A-Z]{3}$/.test(code))).toBe(true)
    expect(new Set(Currency.codes).size).toBe(Currency.codes.length)
    expect(Currency.codes.length).toBeGreaterThan(150)
  })
})
