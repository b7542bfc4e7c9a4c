/** The id at the end of every path: an endpoint or an endpoint group (specification, rule 1: int64). */

const canonical = /^[1-9]\d{0,18}$/
const largest = "9223372036854775807"

/**
 * The id of a path segment, or `undefined`. Decimal digits without leading zero, 1 to 2^63 − 1; it stays text, since a
 * JavaScript number would lose digits.
 */
export const parse = (text: string): string | undefined =>
  canonical.test(text) && (text.length < largest.length || text <= largest) ? text : undefined
