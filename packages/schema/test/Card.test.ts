import creditCardType from "credit-card-type"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import * as Card from "../src/Card.ts"

describe("Card.isNumber", () => {
  it.each([
    ["4444333322221111", true],
    ["4444 3333 2222 1111", false],
    ["4444333322221112", false],
    ["4444000022224444", true],
    ["4444000011118888", true],
    ["378282246310005", true],
    ["135412345678911", true],
    ["4000000000000", false],
    ["44444444444", false],
    ["44444444444444444444", false],
    ["000000000000", false],
    ["0000000000000000", false],
    ["0444433332222111", false],
    ["0000000000000000000", false],
    ["٤٤٤٤٣٣٣٣٢٢٢٢١١١١", false],
    ["", false]
  ])("checks length, digits and the Luhn digit: %s: %s", (number, expected) =>
    expect(Card.isNumber(number)).toBe(expected)
  )
  it("detects each single wrong digit", () => {
    const number = "4444333322221111"
    const wrong = [...number].flatMap((digit, at) =>
      [..."0123456789"]
        .filter((other) => other !== digit)
        .map((other) => number.slice(0, at) + other + number.slice(at + 1))
    )
    expect(wrong.filter(Card.isNumber)).toEqual([])
  })
})

describe("Card.brand", () => {
  it.each([
    ["4444333322221111", "VISA"],
    ["5555555555554444", "MASTERCARD"],
    ["2221000000000009", "MASTERCARD"],
    ["378282246310005", "AMERICAN EXPRESS"],
    ["6011111111111117", "DISCOVER"],
    ["3530111333300000", "JCB"],
    ["6200000000000005", "UNIONPAY"],
    ["2200000000000004", "MIR"],
    ["9999999999999995", undefined]
  ])("%s is %s", (number, brand) => expect(Card.brand(number)).toBe(brand))
  it("agrees with the package credit-card-type", () => {
    const number = fc.string({ unit: fc.constantFrom(..."0123456789"), minLength: 12, maxLength: 19 })
    const existing = fc.constantFrom(
      "4",
      "51",
      "2720",
      "34",
      "36",
      "6011",
      "65",
      "650052",
      "35",
      "62",
      "50",
      "9792",
      "2200"
    )
    fc.assert(
      fc.property(fc.oneof(fc.constant(""), existing), number, (start, rest) => {
        const card = (start + rest).slice(0, 19)
        expect(Card.brand(card)).toBe(creditCardType(card)[0]?.niceType.toUpperCase())
      }),
      { numRuns: 500 }
    )
  })
})

describe("Card.mask", () => {
  it.each([
    ["4444333322221111", "444433******1111"],
    ["378282246310005", "378282*****0005"],
    ["000000000000", "000000**0000"]
  ])("%s is %s", (number, masked) => expect(Card.mask(number)).toBe(masked))
})

describe("Card.isExpired", () => {
  it.each([
    [1, 2030, "2030-01-01T00:00:00Z", false],
    [1, 2030, "2030-01-31T23:59:59Z", false],
    [1, 2030, "2030-02-01T11:59:59Z", false],
    [1, 2030, "2030-02-01T13:59:59Z", false],
    [1, 2030, "2030-02-01T14:00:00Z", true],
    [11, 2026, "2026-12-01T05:30:00Z", false],
    [11, 2026, "2026-12-01T14:00:00Z", true],
    [12, 2029, "2030-01-01T13:59:59.999Z", false],
    [12, 2029, "2030-01-01T14:00:00Z", true],
    [2, 2028, "2028-02-29T12:00:00Z", false]
  ])("%i/%i is good until 14 hours after its month in UTC, on %s: %s", (month, year, now, expected) =>
    expect(Card.isExpired({ month, year }, Date.parse(now))).toBe(expected)
  )
})
