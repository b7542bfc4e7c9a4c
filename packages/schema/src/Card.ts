/** What a card number and an expiry say without asking a bank. */
import creditCardType from "credit-card-type"

const digits = /^\d{12,19}$/

/** Whether the last digit fits the others (ISO/IEC 7812-1, annex B: Luhn). For text of digits. */
export const luhn = (text: string): boolean => {
  let sum = 0
  for (let index = text.length - 1, double = false; index >= 0; index--, double = !double) {
    const digit = text.charCodeAt(index) - 48
    sum += double ? (digit > 4 ? 2 * digit - 9 : 2 * digit) : digit
  }
  return sum % 10 === 0
}

/** Whether the text can be a card number: 12 to 19 digits (ISO/IEC 7812-1) that pass {@link luhn}. */
export const isNumber = (text: string): boolean => digits.test(text) && luhn(text)

/** How many first digits tell the brand; every card number has more. */
const prefixLength = 8

/** The library's patterns as ranges of prefixes, narrow ones first: asking it each time would copy all its tables. */
const ranges = Object.values(creditCardType.types)
  .map((type) => creditCardType.getTypeInfo(type))
  .flatMap(({ niceType, patterns }) =>
    patterns.map((pattern) => {
      const [low = 0, high = low] = typeof pattern === "number" ? [pattern] : pattern
      const width = 10 ** (prefixLength - String(low).length)
      return { first: low * width, last: (high + 1) * width - 1, width, brand: niceType.toUpperCase() }
    })
  )
  .sort((one, other) => one.width - other.width)

/** The brand as `card-type` names it, `VISA` or `MASTERCARD`; `undefined` where the first digits tell none. */
export const brand = (number: string): string | undefined => {
  const prefix = Number(number.slice(0, prefixLength))
  return ranges.find(({ first, last }) => first <= prefix && prefix <= last)?.brand
}

/** The first six digits, which name the issuer. */
export const bin = (number: string): string => number.slice(0, 6)

export const lastFour = (number: string): string => number.slice(-4)

/** First six and last four digits, the most that PCI DSS 3.4.1 lets anybody see: `444433******1111`. */
export const mask = (number: string): string =>
  bin(number) + "*".repeat(Math.max(0, number.length - 10)) + lastFour(number)

/** A card is good through the last day of its month, in UTC. */
export const isExpired = (expiry: { readonly month: number; readonly year: number }, nowMillis: number): boolean =>
  Date.UTC(expiry.year, expiry.month) <= nowMillis
