/** The id at the end of every path: an endpoint or an endpoint group (docs/specification.md#common-rules). */

const canonical = /^[1-9]\d{0,18}$/
const largest = "9223372036854775807"

/**
 * Returns the id in a path segment, or `undefined` if the segment is not an id. An id has decimal digits without a leading zero,
 * from 1 to 2^63 − 1. It stays text, because a JavaScript number would lose digits.
 */
export const parse = (text: string): string | undefined =>
  canonical.test(text) && (text.length < largest.length || text <= largest) ? text : undefined
