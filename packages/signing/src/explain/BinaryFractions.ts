/** The decimal fractions that languages print for an amount which they keep as a binary one. */

import { withoutZeros } from "./NumberForms.ts"

/** Digits after the point of the longest binary fraction of an amount from 0.01 on. */
const MOST_DIGITS = 64

const PYTHON_DIGITS = 28
const FLOAT_DIGITS = [6, 7, 8, 9]

/** Moves the decimal point to the right by some of the digits after it. */
const shifted = (text: string, digits: number): string => {
  const [whole = "", fraction = ""] = text.split(".")
  const joined = whole + fraction.padEnd(digits, "0")
  const at = whole.length + digits
  return `${joined.slice(0, at).replace(/^0+(?=\d)/, "")}.${joined.slice(at)}`.replace(/\.$/, "")
}

/** Returns the fewest digits that tell a number of single precision from its neighbours, as most languages print it. */
const single = (value: number): string => {
  const digits = FLOAT_DIGITS.find((count) => Math.fround(Number(value.toPrecision(count))) === value)
  return String(Number(value.toPrecision(digits)))
}

/** Returns the texts of an amount in major units, and those of its minor units, if they are not whole. */
export const of = (major: string, digits: number): ReadonlyArray<string> => {
  const double = Number(major)
  const float = Math.fround(double)
  const exact = withoutZeros(double.toFixed(MOST_DIGITS))
  const scale = 10 ** digits
  const texts = [
    exact,
    shifted(exact, digits),
    shifted(exact, digits) + "0".repeat(digits), // BigDecimal of Java keeps the digits after the point
    shifted(double.toPrecision(PYTHON_DIGITS), digits),
    String(float),
    String(float * scale),
    single(Math.fround(float * scale))
  ]
  return Number.isInteger(double) ? [] : texts.filter((text) => text.includes("."))
}
