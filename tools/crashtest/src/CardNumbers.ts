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

/** Replaces the numbers by their first six and last four digits, and any other card number by a placeholder. */
export const masked = (text: string, numbers: ReadonlyArray<string>): string =>
  CardText.mask(numbers.reduce((masked, number) => masked.replace(pattern([number]), Card.mask(number)), text))
