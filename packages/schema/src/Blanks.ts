/** Blanks, line breaks and invisible characters that people paste around and into a text. */

/**
 * Blanks and line breaks of all scripts, and invisible characters that separate nothing: U+00AD, U+200B to U+200F, U+2060, and the
 * marks of direction with which systems surround copied text (U+061C, U+202A to U+202C, U+2066 to U+2069).
 */
const blank = /[\s\u0085\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202c\u2060\u2066-\u2069]/

/**
 * Returns the text without blanks, line breaks and invisible characters at its ends. `String.trim` removes most of them at once; a
 * form of blanks alone must not cost more than another.
 */
export const trim = (text: string): string => {
  const inner = text.trim()
  let [start, end] = [0, inner.length]
  while (start < end && blank.test(inner.charAt(start))) start += 1
  while (end > start && blank.test(inner.charAt(end - 1))) end -= 1
  return start === 0 && end === inner.length ? inner : inner.slice(start, end)
}

/** Tabs and line breaks of all kinds. Word processors write U+000B, and text areas CR LF. Other control characters are no text. */
const breaks = /[\t\n\v\f\r\u0085\u2028\u2029]+/

/** Returns the text on one line: a line break or tab, and the blanks beside it, become one blank. */
export const oneLine = (text: string): string => (breaks.test(text) ? text.split(breaks).map(trim).join(" ") : text)
