/**
 * Phone numbers as people write them, and their one form, E.164 (ITU-T E.123 and E.164). The library `libphonenumber-js` knows
 * the trunk prefixes and the lengths of each country.
 */
import { isSupportedCountry, parsePhoneNumberFromString } from "libphonenumber-js/min"

/** The international prefix of most countries, which stands for the plus. */
const prefix = /^00(?=[1-9])/

/** What stands before a number: a bracket, or a word such as `tel:`. */
const before = /^(?:tel|phone|mobile)?[.:(\s]*/i

export interface PhoneNumber {
  /** The number in E.164: `+12125550123`. */
  readonly number: string
  /** Digits that are dialled after the connection. */
  readonly extension: string | undefined
}

/**
 * Reads a phone number. A number without a plus is read as it is dialled in `country`. Returns `undefined` if the number has a
 * length that its country does not have, or does not say its country.
 */
export const read = (text: string, country: string | undefined): PhoneNumber | undefined => {
  const region = country !== undefined && isSupportedCountry(country) ? country : undefined
  const bare = text.replace(before, "")
  const parsed = parsePhoneNumberFromString(region === undefined ? bare.replace(prefix, "+") : bare, {
    ...(region === undefined ? {} : { defaultCountry: region }),
    extract: false
  })
  return parsed?.isPossible() === true ? { number: parsed.number, extension: parsed.ext } : undefined
}
