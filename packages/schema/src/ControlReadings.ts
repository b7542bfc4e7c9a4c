/**
 * Values that a merchant may have signed in a `control` of a request that breaks a rule: for example an amount without a known
 * currency, in hundredths as in the specification. A control over such values proves who sent the request, so that the refusal
 * can name the field that breaks the rule instead of the signature. The request is refused in every case.
 */
import * as Result from "effect/Result"
import * as Blanks from "./Blanks.ts"
import { type Context, controlValues, convert, moneyField } from "./Canonical.ts"
import * as Currency from "./Currency.ts"
import type { Operation } from "./Operation.ts"
import type { FieldTexts } from "./Rule.ts"

/** Values that may have been signed, by the slots of the recipe. */
export interface Reading {
  /** Describes what was signed, without values. */
  readonly says: string
  readonly values: Readonly<Record<string, string>>
}

type Signed = Pick<Operation, "signing" | "spellings">
type Parameters = ReadonlyArray<readonly [name: string, value: string]>

/**
 * Limit of the list that {@link readings} returns: three variants of the fields, each with its amount as sent and in up to
 * eleven other forms.
 */
export const mostReadings = 36

/**
 * Longest text of all signed values together, in characters. It exceeds the total of the longest valid values. Longer readings
 * are not tried.
 */
const mostCharacters = 512
const longestAmount = 32

const none: ReadonlyArray<Reading> = []

/** Returns the readings, the most likely one first. The list is empty if no field that the control covers breaks a rule. */
export const readings = (
  operation: Signed,
  parameters: Parameters,
  texts: FieldTexts,
  context: Context
): ReadonlyArray<Reading> => {
  if (operation.signing._tag !== "Control") return none
  const { recipe } = operation.signing
  const entries = new Map<string, Reading>()
  const add = (says: string, values: Readonly<Record<string, string>>): void => {
    const key = recipe.map((slot) => values[slot] ?? "").join("\n")
    if (key.length <= mostCharacters && !entries.has(key)) entries.set(key, { says, values })
  }
  const variants: ReadonlyArray<readonly [string, FieldTexts]> = [
    ["", texts],
    ["the other of two values", otherTexts(operation, recipe, parameters, texts)],
    ...(texts.currency === undefined
      ? []
      : [["the currency in capitals", { ...texts, currency: texts.currency.toUpperCase() }] as const])
  ]
  const proper = controlValues(operation, texts, context)
  add("", proper)
  for (const [which, variant] of variants) {
    const values = variant === texts ? proper : controlValues(operation, variant, context)
    add(which, values)
    const { amount, currency = "" } = variant
    if (amount === undefined || !recipe.includes("amount")) continue
    if (Result.isSuccess(convert(amount, variant, context.mode))) continue
    for (const [says, form] of amountForms(amount, currency))
      add(which === "" ? says : `${which}; ${says}`, { ...values, amount: form })
  }
  return [...entries.values()].slice(1)
}

/**
 * Replaces texts that can be read in another way. A field that is given twice gets its other value, and an amount or currency
 * under a wrong name its value there.
 */
const otherTexts = (
  operation: Signed,
  recipe: ReadonlyArray<string>,
  parameters: Parameters,
  texts: FieldTexts
): FieldTexts => {
  let others = texts
  for (const [spelling, raw] of parameters) {
    const name = operation.spellings.get(spelling) ?? moneyField(operation, spelling)
    if (name === undefined || !(recipe.includes(name) || name === "currency")) continue
    const value = Blanks.trim(raw)
    if (value !== "" && value !== texts[name]) others = { ...others, [name]: value }
  }
  return others
}

interface Numeral {
  readonly sign: string
  readonly whole: string
  readonly fraction: string
}

const exponential = /^[+-]?\d{1,10}(?:\.\d{1,10})?e[+-]?\d$/i

/**
 * Parses the number that a text most likely means. Signs, blanks, exponents and decimal commas are accepted. `undefined` if the
 * text has no digit or is too long.
 */
const numeral = (text: string): Numeral | undefined => {
  if (text.length > longestAmount) return undefined
  const plain = exponential.test(text) ? Number(text).toFixed(4) : text
  const sign = plain.startsWith("-") ? "-" : ""
  const point = Math.max(plain.lastIndexOf("."), plain.lastIndexOf(","))
  const digits = (part: string) => part.replace(/\D/g, "")
  const whole = digits(point === -1 ? plain : plain.slice(0, point))
  const fraction = point === -1 ? "" : digits(plain.slice(point))
  return whole + fraction === "" ? undefined : { sign, whole, fraction }
}

const trimmed = (digits: string): string => digits.replace(/^0+(?=\d)/, "")

/**
 * Returns the forms of an amount that may have been signed: in hundredths and in minor units of its currency, each truncated,
 * rounded or with all decimals; without its decimal point; without its sign.
 */
const amountForms = (amount: string, currency: string): ReadonlyArray<readonly [says: string, form: string]> => {
  const number = numeral(amount)
  if (number === undefined) return []
  const { fraction, sign, whole } = number
  const own = Currency.digits(currency.toUpperCase())
  const scales = own === undefined ? [2, 0, 3] : [2, own]
  const joined = trimmed(whole + fraction)
  const forms: Array<readonly [string, string]> = []
  for (const scale of scales) {
    const says = scale === 2 ? "the amount in hundredths" : `the amount in units of ${scale} decimals`
    const minor = trimmed(whole + fraction.slice(0, scale).padEnd(scale, "0"))
    const rest = /^.*[^0]/.exec(fraction.slice(scale))?.[0] ?? ""
    forms.push([says, sign + minor])
    if (rest === "") continue
    if (rest >= "5") forms.push([`${says}, rounded`, sign + String(BigInt(minor) + 1n)])
    forms.push([`${says}, with what is left behind a point`, `${sign}${minor}.${rest}`])
  }
  forms.push(["the amount without its point", sign + joined])
  if (sign !== "") forms.push(["the amount without its sign", joined])
  return forms
}
