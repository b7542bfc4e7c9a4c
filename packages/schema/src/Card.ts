/** Facts that follow from a card number or an expiry alone, without a request to a bank. */
import creditCardType from "credit-card-type"

/**
 * The form of a number. The first digit names the issuer's industry (ISO/IEC 7812-1, 4.2). 0 is for ISO/TC 68, no scheme issues
 * payment cards under it.
 */
const form = /^[1-9]\d{11,18}$/

/** Whether the check digit fits the other digits (Luhn formula; ISO/IEC 7812-1, annex B). The text must consist of digits. */
export const luhn = (text: string): boolean => {
  let sum = 0
  for (let index = text.length - 1, double = false; index >= 0; index--, double = !double) {
    const digit = text.charCodeAt(index) - 48
    sum += double ? (digit > 4 ? 2 * digit - 9 : 2 * digit) : digit
  }
  return sum % 10 === 0
}

/** Whether the text can be a card number: 12 to 19 digits (ISO/IEC 7812-1), the first of them not 0, that pass {@link luhn}. */
export const isNumber = (text: string): boolean => form.test(text) && luhn(text)

/** Number of leading digits that determine the brand. Every card number has more. */
const prefixLength = 8

/**
 * The patterns of `credit-card-type` as ranges of prefixes, narrow ranges first. They are read once, because every call of the
 * library copies all its tables.
 */
const ranges = Object.values(creditCardType.types)
  .map((type) => creditCardType.getTypeInfo(type))
  .flatMap(({ lengths, niceType, patterns }) =>
    patterns.map((pattern) => {
      const [low = 0, high = low] = typeof pattern === "number" ? [pattern] : pattern
      const width = 10 ** (prefixLength - String(low).length)
      return { first: low * width, last: (high + 1) * width - 1, width, lengths, brand: niceType.toUpperCase() }
    })
  )
  .sort((one, other) => one.width - other.width)

const prefixOf = (number: string): number => Number(number.slice(0, prefixLength))

/**
 * The brand in upper case, as `card-type` of an answer contains it: `VISA`, `MASTERCARD`. `undefined` if no brand has these first
 * digits.
 */
export const brand = (number: string): string | undefined => {
  const prefix = prefixOf(number)
  return ranges.find(({ first, last }) => first <= prefix && prefix <= last)?.brand
}

/**
 * Whether a brand has numbers with these first digits and of this length, and the check digit fits. Much fewer numbers do than
 * {@link isNumber} accepts, so text can be searched for them.
 */
export const isOfBrand = (number: string): boolean => {
  if (!isNumber(number)) return false
  const prefix = prefixOf(number)
  return ranges.some(({ first, last, lengths }) => first <= prefix && prefix <= last && lengths.includes(number.length))
}

/** The first six digits, which name the issuer. */
export const bin = (number: string): string => number.slice(0, 6)

export const lastFour = (number: string): string => number.slice(-4)

/** The card number with only its first six and last four digits visible: `444433******1111`. PCI DSS 3.4.1 permits no more. */
export const mask = (number: string): string =>
  bin(number) + "*".repeat(Math.max(0, number.length - 10)) + lastFour(number)

/**
 * Time for which a card is good after its month has ended in UTC. The month ends last in UTC-12, 12 hours later; 2 hours are for
 * clocks and for requests that arrive late.
 */
export const expiryMarginMs = 14 * 3_600_000

/** Whether the card is expired: its month ended more than {@link expiryMarginMs} ago. */
export const isExpired = (expiry: { readonly month: number; readonly year: number }, nowMillis: number): boolean =>
  Date.UTC(expiry.year, expiry.month) + expiryMarginMs <= nowMillis
