/**
 * Reads the facts about a customer's browser that 3-D Secure asks for (EMV 3-D Secure, browser information). Each function returns
 * the fact in its normal form, or `undefined` if the text does not have it. A fact is a help for the issuer and no condition of a
 * payment, so no text is refused.
 */
import { isIP } from "node:net"
import * as Digits from "./Digits.ts"

/** The longest `Accept` and `User-Agent`. Longer ones are cut. */
export const longestHeader = 2048

/** Returns the text of a header without control characters, cut to {@link longestHeader}. */
export const header = (text: string): string | undefined =>
  text
    .slice(0, 2 * longestHeader)
    .replaceAll(/\p{Cc}+/gu, " ")
    .trim()
    .slice(0, longestHeader)
    .toWellFormed() || undefined

/** The longest language tag in messages of version 2.3 and later, and in earlier ones. */
export const longestLanguage = { since23: 35, before23: 8 } as const

/** Longest text of an `Accept-Language` that is read. */
const longestRanges = 1000

const primary = /^[a-z]{2,8}$/
const subtag = /^[a-z0-9]{1,8}$/

/** Writes a subtag in the case of RFC 5646 §2.1.1: `zh-Hant-TW`. */
const cased = (part: string, index: number, parts: ReadonlyArray<string>): string => {
  if (index === 0 || parts.slice(0, index).some(({ length }) => length === 1)) return part
  if (part.length === 2) return part.toUpperCase()
  return part.length === 4 ? part.replace(/^[a-z]/, (letter) => letter.toUpperCase()) : part
}

/** Returns a language tag in its normal form, without the subtags from the first one that is malformed. */
const tagOf = (text: string): string | undefined => {
  const parts = text.trim().toLowerCase().split(/[-_]/)
  const malformed = parts.findIndex((part, index) => !(index === 0 ? primary : subtag).test(part))
  const tag = parts.slice(0, malformed < 0 ? parts.length : malformed)
  return tag.length === 0 ? undefined : cut(tag.map(cased).join("-"), longestLanguage.since23)
}

/** Cuts a language tag between two subtags, so that it has at most `longest` characters. A single letter begins an extension. */
export const cut = (tag: string, longest: number): string | undefined => {
  const parts = tag.split("-")
  while (parts.join("-").length > longest || parts.at(-1)?.length === 1) parts.pop()
  return parts.join("-") || undefined
}

/**
 * Returns the languages of a language tag or an `Accept-Language` (RFC 9110 §12.5.4), the preferred one first. The wildcard `*` names
 * none.
 */
export const languages = (text: string): ReadonlyArray<string> =>
  text
    .slice(0, longestRanges)
    .split(",")
    .flatMap((range) => {
      const [name = "", ...parameters] = range.split(";")
      const tag = tagOf(name)
      const weight = parameters.find((parameter) => /^\s*q=/i.test(parameter))
      const quality = weight === undefined ? 1 : Number(weight.replace(/^\s*q=/i, ""))
      return tag !== undefined && quality > 0 ? [{ tag, quality }] : []
    })
    .toSorted((one, other) => other.quality - one.quality)
    .map(({ tag }) => tag)

/** Returns the language that the browser prefers: the first of {@link languages}. */
export const language = (text: string): string | undefined => languages(text)[0]

/** The color depths that a message can have, in bits per pixel. */
export const colorDepths = [1, 4, 8, 15, 16, 24, 32, 48] as const

/** Reads a number, which a script may have written with a fraction. It is rounded. */
const numberOf = (text: string): number | undefined => {
  const digits = Digits.ascii(text.slice(0, 32)).trim()
  return /^[+-]?\d{1,9}(?:\.\d{1,20})?$/.test(digits) ? Math.round(Number(digits)) + 0 : undefined
}

/** Returns the largest listed color depth that is not above that of the screen: screens of 30 bits count as 24. */
export const colorDepth = (text: string): number | undefined => {
  const depth = numberOf(text) ?? 0
  return colorDepths.findLast((listed) => listed <= depth)
}

const mostPixels = 999_999

/** Returns a height or width of the screen. Displays that are zoomed report fractions. */
export const pixels = (text: string): number | undefined => {
  const size = numberOf(text)
  return size === undefined || size < 0 || size > mostPixels ? undefined : size
}

/** Local times are at most 14 hours before UTC and 12 hours behind it. */
const mostMinutes = 14 * 60

/** Returns the minutes between UTC and local time. They are positive behind UTC, as those of `getTimezoneOffset()`. */
export const timeZone = (text: string): number | undefined => {
  const minutes = numberOf(text)
  return minutes === undefined || Math.abs(minutes) > mostMinutes ? undefined : minutes
}

const flags: ReadonlyMap<string, boolean> = new Map([
  ["true", true],
  ["1", true],
  ["yes", true],
  ["on", true],
  ["false", false],
  ["0", false],
  ["no", false],
  ["off", false]
])

export const flag = (text: string): boolean | undefined => flags.get(text.trim().toLowerCase())

/** Returns an IP address without brackets. An address with a zone is of one machine only. */
export const ip = (text: string): string | undefined => {
  const address = text.trim().replace(/^\[(.*)\]$/s, "$1")
  return isIP(address) === 0 || address.includes("%") ? undefined : address
}
