/** Prints two texts one above the other, and marks the position at which they begin to differ. */

const before = 40
const width = 96

const firstDifference = (one: string, other: string): number => {
  let at = 0
  while (at < one.length && one[at] === other[at]) at += 1
  return at
}

const cut = (text: string, from: number): string =>
  `${from > 0 ? "…" : ""}${text.slice(from, from + width)}${text.length > from + width ? "…" : ""}`

/** Replaces line breaks and tabs by escapes, so that each text stays on one line. */
const flat = (text: string): string => text.replaceAll("\r", "\\r").replaceAll("\n", "\\n").replaceAll("\t", "\\t")

export const aligned = (expected: string, signed: string): string => {
  const [expectedText, signedText] = [flat(expected), flat(signed)]
  const at = firstDifference(expectedText, signedText)
  if (expectedText === signedText) return `expected  ${cut(expectedText, 0)}\nsigned    the same text`
  const from = Math.max(0, at - before)
  const pointer = " ".repeat(at - from + (from > 0 ? 1 : 0))
  return `expected  ${cut(expectedText, from)}\nsigned    ${cut(signedText, from)}\n          ${pointer}^ character ${at + 1}`
}
