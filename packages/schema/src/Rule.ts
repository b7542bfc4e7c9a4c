/** Rules between fields of one request, as data: read by the decoder and printed in the documents. */

import * as Result from "effect/Result"
import * as CardText from "./CardText.ts"
import type { Dialect } from "./Dialect.ts"
import { codes } from "./ErrorCode.ts"
import * as Money from "./Money.ts"

/** One thing that is wrong with a request, as the error body lists it. */
export interface FieldProblem {
  readonly field: string
  /** From the table of {@link codes}. */
  readonly code: number
  readonly message: string
}

/** Canonical fields by primary name. Values are trimmed and not empty. */
export type FieldTexts = Readonly<Record<string, string>>

/** A rule between fields of one request. */
export interface Rule {
  /** The rule in a sentence, for documents. */
  readonly about: string
  /** Returns the problems of a request under this rule. Values that are malformed by themselves are reported by their fields. */
  readonly problems: (fields: FieldTexts) => ReadonlyArray<FieldProblem>
  /** The only dialect in which the rule applies. If absent, it applies in every dialect. */
  readonly dialect?: Dialect
}

const none: ReadonlyArray<FieldProblem> = []

/** The problem of a missing field. Its message is the public sample of code 1. */
export const required = (field: string): FieldProblem => ({
  field,
  code: codes.parameterRequired.code,
  message: `Parameter ${field} is required`
})

/** The problem of a field with a wrong value. `says` ends the sentence `Parameter X …`. */
export const invalid = (field: string, says: string): FieldProblem => ({
  field,
  code: codes.parameterInvalid.code,
  message: `Parameter ${field} ${says}`
})

/** The problem of a field that does not fit the other fields. `says` ends the sentence `Parameter X …`. */
export const combination = (field: string, says: string): FieldProblem => ({
  field,
  code: codes.parameterCombination.code,
  message: `Parameter ${field} ${says}`
})

/** Makes a rule: if one of the fields is present, all of them must be. */
export const together = (...names: ReadonlyArray<string>): Rule => ({
  about: `All or none of ${names.join(", ")}.`,
  problems: (fields) => {
    const missing = names.filter((name) => fields[name] === undefined)
    return missing.length === 0 || missing.length === names.length ? none : missing.map(required)
  }
})

/** Makes a rule: the amount has no more decimals than its currency (ISO 4217), unless they are zero. */
export const exact = (amount: string, currency: string): Rule => ({
  about: `${amount} has no more decimals than ${currency} allows.`,
  problems: (fields) => inexact(amount, fields[amount], fields[currency])
})

/**
 * Makes a rule: each amount of a list separated by commas has no more decimals than its currency (ISO 4217), unless they are
 * zero.
 */
export const eachExact = (amounts: string, currency: string): Rule => ({
  about: `Each of ${amounts} has no more decimals than ${currency} allows.`,
  problems: (fields) =>
    Money.list(fields[amounts] ?? "").flatMap((amount, index) =>
      inexact(amounts, amount, fields[currency], `in place ${index + 1} `)
    )
})

/**
 * Makes a rule: each amount of a list separated by commas is below the single amount, and no amount occurs twice. The single
 * amount, which `control` covers, is therefore the most that can be charged.
 */
export const eachBelow = (amounts: string, amount: string, currency: string): Rule => ({
  about: `Each of ${amounts} is below ${amount}, and no two are equal.`,
  problems: (fields) => {
    const minor = (text: string) => Result.getOrUndefined(Money.toMinor(text, fields[currency] ?? ""))
    const mostMinor = minor(fields[amount] ?? "")
    const list = Money.list(fields[amounts] ?? "").map(minor)
    return list.flatMap((each, index) => {
      if (each === undefined || mostMinor === undefined) return none
      if (each >= mostMinor) return [combination(amounts, `in place ${index + 1} must be below ${amount}`)]
      return list.indexOf(each) < index ? [combination(amounts, `in place ${index + 1} repeats an amount`)] : none
    })
  }
})

/** Codes of flaws that an amount has only together with its currency. */
const ofCurrency: ReadonlySet<number> = new Set([codes.amountNotExact.code, codes.amountTooLarge.code])

const inexact = (field: string, amount: string | undefined, currency: string | undefined, where = "") => {
  if (amount === undefined || currency === undefined) return none
  const minor = Money.toMinor(amount, currency)
  return Result.isFailure(minor) && ofCurrency.has(minor.failure.code)
    ? [{ field, code: minor.failure.code, message: `Parameter ${field} ${where}${minor.failure.says}` }]
    : none
}

/** Makes a rule: a field is required if another field has one of these values. */
export const requiredWhen = (name: string, other: string, values: ReadonlyArray<string>): Rule => ({
  about: `${name} is required if ${other} is ${values.join(", ")}.`,
  problems: (fields) => {
    const value = fields[other]
    return fields[name] === undefined && value !== undefined && values.includes(value) ? [required(name)] : none
  }
})

/** Restricts a rule to requests in JSON mode, because deployed modules of the older dialect break it. */
export const inJson = (rule: Rule): Rule => ({
  ...rule,
  about: `${rule.about.replace(/\.$/, "")} (not in the older dialect).`,
  dialect: "json"
})

/** Makes a rule: at least one of the alternatives is complete. An alternative is a list of fields. */
export const anyOf = (...alternatives: ReadonlyArray<ReadonlyArray<string>>): Rule => ({
  about: alternatives.every(({ length }) => length === 1)
    ? `At least one of ${alternatives.flat().join(", ")}.`
    : `Required: ${alternatives.map((names) => names.join(" and ")).join(", or ")}.`,
  problems: (fields) =>
    alternatives.some((names) => names.every((name) => fields[name] !== undefined))
      ? none
      : lacking(alternatives, fields)
})

/**
 * Returns the problems of an alternative that is present in part. If there is none, returns one problem that names all
 * alternatives.
 */
const lacking = (
  alternatives: ReadonlyArray<ReadonlyArray<string>>,
  fields: FieldTexts
): ReadonlyArray<FieldProblem> => {
  const begun = alternatives.find((names) => names.some((name) => fields[name] !== undefined))
  if (begun !== undefined) return begun.filter((name) => fields[name] === undefined).map(required)
  const [first, ...others] = alternatives.map((names) => names.join(" with "))
  const field = alternatives[0]?.[0] ?? ""
  const message = `Parameter ${first} is required, or ${others.join(", or ")}`
  return [{ ...required(field), message }]
}

/** Makes a rule: at most one of the fields is present. */
export const atMostOne = (...names: ReadonlyArray<string>): Rule => ({
  about: `At most one of ${names.join(", ")}.`,
  problems: (fields) => {
    const given = names.filter((name) => fields[name] !== undefined)
    return given.slice(1).map((name) => combination(name, `cannot be used with ${given[0]}`))
  }
})

/** Makes a rule: exactly one of the fields is present. */
export const exactlyOne = (...names: readonly [string, ...ReadonlyArray<string>]): Rule => ({
  about: `Exactly one of ${names.join(", ")}.`,
  problems: (fields) => {
    const given = names.filter((name) => fields[name] !== undefined)
    if (given.length === 0)
      return lacking(
        names.map((name) => [name]),
        fields
      )
    return given.length === 1
      ? none
      : given.slice(1).map((name) => combination(name, `cannot be used with ${given[0]}`))
  }
})

/**
 * Makes a rule: the operation always refuses the field. If it were ignored as unknown fields are, the gateway would do something
 * else than the merchant requested.
 */
export const refused = (name: string, why: string): Rule => ({
  about: `${name} is refused: ${why}.`,
  problems: (fields) =>
    fields[name] === undefined
      ? none
      : [{ field: name, code: codes.amountNotAllowed.code, message: `Parameter ${name} is not accepted: ${why}` }]
})

/**
 * Makes a rule: no other field has the digits of the request's own card numbers, and no name is its own security code
 * (docs/assumptions.md#card-data). Such a field would be stored and shown as plain text.
 */
export const noCardData = (numbers: ReadonlyArray<string>, securityCodes: ReadonlyArray<string>): Rule => ({
  about: `No other field contains ${[...numbers, ...securityCodes.map((code) => `${code} as a whole name`)].join(" or ")}.`,
  problems: (fields) => {
    const valuesOf = (names: ReadonlyArray<string>) => names.flatMap((name) => fields[name] ?? [])
    const secrets = {
      numbers: valuesOf(numbers).filter((number) => number.length >= 12),
      codes: valuesOf(securityCodes)
    }
    return Object.entries(fields).flatMap(([name, text]) => {
      if (numbers.includes(name) || securityCodes.includes(name)) return none
      if (secrets.numbers.some((number) => CardText.repeats(text, number))) return cardRepeated(name, "card number")
      const isCode = name.endsWith("name") && secrets.codes.some((code) => CardText.isOnly(text, code))
      return isCode ? cardRepeated(name, "security code") : none
    })
  }
})

const cardRepeated = (field: string, what: string): FieldProblem => ({
  field,
  code: codes.cardRepeated.code,
  message: `Parameter ${field} must not contain the ${what}`
})

/** The rules for an amount and a currency that may be left out together. */
export const part: ReadonlyArray<Rule> = [together("amount", "currency"), exact("amount", "currency")]
