/**
 * Phone numbers as people write them, and their one form, E.164 (ITU-T E.123 and E.164). The library `libphonenumber-js` knows
 * the trunk prefixes and the lengths of each country.
 */
import {
  isSupportedCountry,
  type PhoneNumber as PhoneNumberOfLibrary,
  parsePhoneNumberFromString
} from "libphonenumber-js/min"

/** The international prefix of most countries, which stands for the plus. */
const prefix = /^00[\s.)-]*(?=[1-9])/

/** What stands before a number: a bracket, or a word such as `tel:`. */
const before = /^(?:tel|phone|mobile)?[.:(\s]*/i

export interface PhoneNumber {
  /** The number in E.164: `+12125550123`. */
  readonly number: string
  /** Digits that are dialled after the connection. */
  readonly extension: string | undefined
}

/** Returns a number of a length that its country has. In no country does a number begin with 00 without its trunk prefix. */
const possible = (parsed: PhoneNumberOfLibrary | undefined): PhoneNumber | undefined =>
  parsed?.isPossible() === true && !parsed.nationalNumber.startsWith("00")
    ? { number: parsed.number, extension: parsed.ext }
    : undefined

/**
 * Reads a phone number. A number without a plus is read as it is dialled in `country`, and with 00 for the plus, also where another
 * prefix is dialled. Returns `undefined` if the number has a length that its country does not have, or does not say its country, or
 * if the two ways to read it differ (`0033` in SG: 003 is a prefix there).
 */
export const read = (text: string, country: string | undefined): PhoneNumber | undefined => {
  const bare = text.replace(before, "")
  const region = country !== undefined && isSupportedCountry(country) ? country : undefined
  const dialled = region && possible(parsePhoneNumberFromString(bare, { defaultCountry: region, extract: false }))
  const written =
    region === undefined || prefix.test(bare)
      ? possible(parsePhoneNumberFromString(bare.replace(prefix, "+"), { extract: false }))
      : undefined
  const isOne = dialled === undefined || written === undefined || dialled.number === written.number
  return isOne ? (dialled ?? written) : undefined
}
