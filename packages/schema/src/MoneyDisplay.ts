/**
 * Amounts as people read them. A page shows exactly the amount that is charged, so the decimals are those of ISO 4217: `Intl` by
 * itself rounds 16 of its currencies to whole units.
 */
import * as Currency from "./Currency.ts"
import * as Money from "./Money.ts"

export interface Options {
  /** The language, BCP 47: `en`, `de-AT`. */
  readonly locale: string
  /** The sign of the currency (`€`), or its code (`EUR`). The default is the sign. */
  readonly currency?: "symbol" | "code"
}

/** Formats minor units exactly: `(123460, "HUF", { locale: "en" })` is `HUF 1,234.60`. The digits are Latin in every language. */
export const format = (minor: number | bigint, code: string, { currency = "symbol", locale }: Options): string => {
  const digits = Currency.digits(code) ?? 2
  const formatter = new Intl.NumberFormat(`${locale}-u-nu-latn`, {
    style: "currency",
    currency: code,
    currencyDisplay: currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits
  })
  const amount = Money.fromMinor(minor, code)
  return isNumeric(amount) ? formatter.format(amount) : amount
}

/** Text of a number, which `Intl` formats without converting it to a float. */
const isNumeric = (text: string): text is `${number}` => /^-?\d+(?:\.\d+)?$/.test(text)
