/** Numbers as people type or paste them: with letters and digits of any width and script, and with separators for the eye. */
import * as Digits from "./Digits.ts"

/** Blanks of any script, line breaks, and invisible characters such as a zero-width space. */
const blanks = /[\s\p{Z}\p{Cf}]+/gu
/** {@link blanks}, dashes, dots, slashes, underscores and colons. */
const separators = /[\s\p{Z}\p{Cf}\p{Pd}\u2212./_:·•]+/gu
const dashes = /[\p{Pd}\u2212]/gu

/** Returns the letters and digits of an identifier in upper case, without separators. */
export const compact = (text: string): string => Digits.ascii(text).replace(separators, "").toUpperCase()

/** Returns the text without blanks and dots, in upper case, with an ASCII hyphen for each dash. */
export const hyphenated = (text: string): string =>
  Digits.ascii(text).replace(blanks, "").replaceAll(".", "").replace(dashes, "-").toUpperCase()

/** Returns the text on one line, with one blank for each run of blanks. */
export const onOneLine = (text: string): string => Digits.ascii(text).replace(blanks, " ").trim()
