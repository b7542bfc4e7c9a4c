import { describe, expect, it } from "vitest"
import * as Currency from "../src/Currency.ts"
import * as Money from "../src/Money.ts"
import * as MoneyDisplay from "../src/MoneyDisplay.ts"

/** Languages with other digits, signs, separators and directions of text. */
const locales = ["en", "en-IN", "de-CH", "fr", "sv", "ar-EG", "fa", "bn"]
const sums = [0, 1, 5, 123_460, -99, Number.MAX_SAFE_INTEGER, -(2n ** 62n)]

describe("MoneyDisplay.format", () => {
  it.each([
    ["en", 123_460, "HUF", "HUF 1,234.60"],
    ["en", 123_460, "COP", "COP 1,234.60"],
    ["en", 123_460, "IDR", "IDR 1,234.60"],
    ["en", 123_460, "PKR", "PKR 1,234.60"],
    ["en", 1_234_600, "IQD", "IQD 1,234.600"],
    ["en", 123_460, "USD", "$1,234.60"],
    ["en", 1235, "JPY", "¥1,235"],
    ["en", 1235, "ISK", "ISK 1,235"],
    ["en", 1235, "UGX", "UGX 1,235"],
    ["en", 123_460, "MRU", "MRU 1,234.60"],
    ["en", 1_234_600, "KWD", "KWD 1,234.600"],
    ["en", 12_346_001, "CLF", "CLF 1,234.6001"],
    ["en", -5, "HUF", "-HUF 0.05"],
    ["en", 2n ** 62n, "LBP", "LBP 46,116,860,184,273,879.04"],
    ["de", 123_460, "HUF", "1.234,60 HUF"],
    ["fr", 123_460, "EUR", "1 234,60 €"],
    ["ar", 123_460, "HUF", "1,234.60 HUF"]
  ] as const)("%s: %s %s is %s", (locale, amountMinor, currency, expected) => {
    const text = MoneyDisplay.format(amountMinor, currency, { locale, currency: locale === "ar" ? "code" : "symbol" })
    expect(text.replace(/\p{Zs}/gu, " ").replace(/\p{Cf}/gu, "")).toBe(expected)
  })

  it("shows every digit of every currency, and no other, in every language", () => {
    for (const locale of locales)
      for (const code of Currency.codes)
        for (const amountMinor of sums) {
          const text = MoneyDisplay.format(amountMinor, code, { locale, currency: "code" })
          const digits = Money.fromMinor(amountMinor, code).replace(/\D/g, "")
          expect(`${locale} ${code} ${text.replace(/\P{Nd}/gu, "")}`).toBe(`${locale} ${code} ${digits}`)
        }
  })

  it("shows no two currencies with one sign", () => {
    for (const locale of ["en", "de"]) {
      const signs = Currency.codes.map((code) =>
        MoneyDisplay.format(0, code, { locale })
          .replace(/[\d.,]/g, "")
          .trim()
      )
      expect(signs.filter((sign, index) => signs.indexOf(sign) !== index)).toEqual([])
    }
  })
})
