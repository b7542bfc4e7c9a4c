/**
 * Exact amounts (docs/assumptions.md#amounts). On the wire an amount is decimal text in major units, `10.5`. In code an amount
 * is a whole number of the currency's minor units, `1050`, and never a float.
 */
import * as Result from "effect/Result"
import * as Currency from "./Currency.ts"
import { codes } from "./ErrorCode.ts"
import type { Flaw } from "./Field.ts"

/** Longest amount on the wire, in characters: longer than any amount that {@link fromMinor} writes of a single order. */
export const maxLength = 20

const decimal = /^\d+(?:\.\d+)?$/
const nonZero = /[1-9]/

/** Whether the text is an amount: digits, at most one `.` between digits, no sign, no exponent, greater than zero. */
export const isAmount = (text: string): boolean => isAmountOrZero(text) && nonZero.test(text)

/** Whether the text is an amount that may be zero, such as the amount of a verification or of a hold that is released. */
export const isAmountOrZero = (text: string): boolean => text.length <= maxLength && decimal.test(text)

const notAnAmount: Flaw = { code: codes.parameterInvalid.code, says: "must be a decimal number like 10.50" }
const unknownCurrency: Flaw = { code: codes.parameterInvalid.code, says: "is in an unknown currency" }
const tooLarge: Flaw = {
  code: codes.amountTooLarge.code,
  says: `is larger than ${Number.MAX_SAFE_INTEGER} of the smallest unit of its currency`
}
const notExact = [0, 1, 2, 3, 4].map(
  (digits): Flaw => ({ code: codes.amountNotExact.code, says: `has more than ${digits} decimals` })
)

/**
 * Minor units of an amount: `("10.5", "USD")` is 1050, `("10.00", "JPY")` is 10. Fails if digits would be lost or if a number
 * cannot represent it, and never rounds.
 */
export const toMinor = (amount: string, currency: string): Result.Result<number, Flaw> => {
  const digits = Currency.digits(currency)
  return digits === undefined ? Result.fail(unknownCurrency) : scaled(amount, digits)
}

/** Minor units of an amount that may be zero, such as the captured amount of an order: `("0.00", "USD")` is 0. */
export const toMinorOrZero = (amount: string, currency: string): Result.Result<number, Flaw> =>
  isAmountOrZero(amount) && !isAmount(amount) && Currency.digits(currency) !== undefined
    ? Result.succeed(0)
    : toMinor(amount, currency)

/**
 * The amount × 100 for every currency, as some deployed clients sign it. `("10")` is 1000, also in JPY. Fails if digits would be
 * lost.
 */
export const toHundredths = (amount: string): Result.Result<number, Flaw> => scaled(amount, 2)

const scaled = (amount: string, digits: number): Result.Result<number, Flaw> => {
  if (!isAmount(amount)) return Result.fail(notAnAmount)
  const point = amount.indexOf(".")
  const whole = point === -1 ? amount : amount.slice(0, point)
  const fraction = point === -1 ? "" : amount.slice(point + 1)
  if (nonZero.test(fraction.slice(digits))) return Result.fail(notExact[digits] ?? notAnAmount)
  const minor = Number(whole + fraction.slice(0, digits).padEnd(digits, "0"))
  return Number.isSafeInteger(minor) ? Result.succeed(minor) : Result.fail(tooLarge)
}

/** Returns the error with which a request is refused whose amount and currency are both valid, but do not fit each other. */
export const errorOf = ({ code }: Flaw): "amountNotExact" | "amountTooLarge" =>
  code === codes.amountTooLarge.code ? "amountTooLarge" : "amountNotExact"

/**
 * Wire text of minor units, with all decimals of the currency: `(1050, "USD")` is `10.50`, `(-5, "USD")` is `-0.05`. A currency
 * that is not in the table gets two decimals.
 */
export const fromMinor = (minor: number | bigint, currency: string): string => {
  const digits = Currency.digits(currency) ?? 2
  const text = String(minor)
    .replace("-", "")
    .padStart(digits + 1, "0")
  const sign = minor < 0 ? "-" : ""
  return digits === 0 ? sign + text : `${sign}${text.slice(0, -digits)}.${text.slice(-digits)}`
}

/** Splits a list of amounts at its commas. The amounts are trimmed and not checked. */
export const list = (text: string): ReadonlyArray<string> => text.split(",").map((amount) => amount.trim())

/** Returns one text for equal amounts: `10.00`, `10.0` and `010` become `10`. Text that is no amount stays as it is. */
export const canonical = (amount: string): string => {
  if (!decimal.test(amount)) return amount
  const point = amount.indexOf(".")
  const whole = (point === -1 ? amount : amount.slice(0, point)).replace(/^0+(?=\d)/, "")
  const fraction = point === -1 ? "" : (/^.*[^0]/.exec(amount.slice(point + 1))?.[0] ?? "")
  return fraction === "" ? whole : `${whole}.${fraction}`
}
