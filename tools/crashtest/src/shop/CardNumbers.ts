/** Finds card numbers that are known, however they are written: with blanks or dashes, escaped for JSON, URLs or HTML. */
import * as Card from "@pay/schema/Card"
import * as CardText from "@pay/schema/CardText"

const hex = (character: string): string => character.charCodeAt(0).toString(16).padStart(2, "0")

/** The ways to write a digit in ASCII. */
const digit = (character: string): string =>
  `(?:${character}|%(?:25)?${hex(character)}|\\\\u00${hex(character)}|&#${character.charCodeAt(0)};)`

/** Blanks, dashes, the zero bytes of UTF-16, and their escapes. */
const separator =
  "(?:[ \\t\\u00a0\\u00ad\\u00c2\\0._+/-]|\\xe2\\x80[\\x80-\\x95]|%(?:25)?[02][0-9a-d]|\\\\u00(?:a0|2[0d])|\\\\[-/t]|&(?:nbsp|#160);){0,4}"

/** Longest text of a number, in characters. Parts of a text overlap by so much. */
export const longestText = 1024

/** Matches each of the numbers, in text that was read as latin1. */
export const pattern = (numbers: ReadonlyArray<string>): RegExp =>
  new RegExp(numbers.map((number) => [...number].map(digit).join(separator)).join("|") || "(?!)", "gi")

/** The card data that a shop gets. */
export interface CardData {
  readonly numbers: ReadonlyArray<string>
  /** Its security code, and spellings of its expiry. They are card data only on a line with the number, or after their name. */
  readonly beside: ReadonlyArray<string>
}

/** The spellings of an expiry: month before year and the other way round, with two or four digits of the year. */
export const expiries = (month: string, year: string): ReadonlyArray<string> =>
  [year, year.slice(-2)].flatMap((digits) =>
    ["/", "-", "", " / "].flatMap((between) => [`${month}${between}${digits}`, `${digits}${between}${month}`])
  )

/** What is shown in place of a security code or an expiry. */
const hidden = "[card data]"

const codeNames = "cvv2?|cvc2?|cvn2?|csc|(?:security|card|verification)[ _-]?(?:code|value|number)"
const expiryNames = "exp(?:\\.|iry|ires?|iration)?[ _-]?(?:date|month|year|mm|yy(?:yy)?)?"
/** What stands between a name and its value in JSON, forms, XML and logs, also escaped. */
const between = `(?:[\\s"'=:>(]|\\\\+["nt]|%(?:25)?(?:22|3[ade]|20|5d)|&quot;|&#34;|\\\\u00(?:22|3d)){1,9}`
const named = new RegExp(`((?:${codeNames}|${expiryNames})${between})(\\d{1,4}(?:[ /-]{1,3}\\d{2,4})?)(?!\\d)`, "gi")

const alone = (text: string): RegExp => new RegExp(`(?<!\\d)${text.replace(/\W/g, "\\$&")}(?!\\d)`, "g")

/** Masks a line: what stands beside a number is card data if the line has the number. */
const maskedLine = (line: string, { beside, numbers }: CardData): string => {
  const masked = numbers.reduce((text, number) => text.replace(pattern([number]), Card.mask(number)), line)
  const own = masked === line ? [] : beside.toSorted((one, other) => other.length - one.length)
  return own.reduce((text, value) => text.replace(alone(value), hidden), masked.replace(named, `$1${hidden}`))
}

/**
 * Replaces the numbers by their first six and last four digits, any other card number by a placeholder, and security codes and expiries
 * by another.
 */
export const masked = (text: string, cardData: CardData): string =>
  CardText.mask(
    text
      .split("\n")
      .map((line) => maskedLine(line, cardData))
      .join("\n")
  )
