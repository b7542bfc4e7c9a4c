/** Numbers as people type or paste them: with letters and digits of any width and script, and with separators for the eye. */
import * as Digits from "./Digits.ts"

/** Blanks of any script, and line breaks. */
const blanks = /[\s\p{Z}]+/gu
/** Characters such as a zero-width space, which nobody sees. */
const invisible = /\p{Cf}+/gu
/** {@link blanks}, {@link invisible} ones, dashes, dots, slashes, underscores and colons. */
const separators = /[\s\p{Z}\p{Cf}\p{Pd}\u2212./_:·•]+/gu
const dashes = /[\p{Pd}\u2212]/gu

/** Returns the letters and digits of an identifier in upper case, without separators. */
export const compact = (text: string): string => Digits.ascii(text).replace(separators, "").toUpperCase()

/** Returns the text on one line, with one blank for each run of blanks, and without invisible characters. */
export const onOneLine = (text: string): string => Digits.ascii(text).replace(invisible, "").replace(blanks, " ").trim()

/** Returns the text without blanks and dots, in upper case, with an ASCII hyphen for each dash. */
export const hyphenated = (text: string): string =>
  onOneLine(text).replace(/[ .]/g, "").replace(dashes, "-").toUpperCase()
