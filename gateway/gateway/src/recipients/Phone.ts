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

const possible = (parsed: PhoneNumberOfLibrary | undefined): PhoneNumber | undefined =>
  parsed?.isPossible() === true ? { number: parsed.number, extension: parsed.ext } : undefined

/**
 * Reads a phone number. A number without a plus is read as it is dialled in `country`, or else with 00 for the plus, also where
 * another prefix is dialled. Returns `undefined` if the number has a length that its country does not have, or does not say its
 * country.
 */
export const read = (text: string, country: string | undefined): PhoneNumber | undefined => {
  const bare = text.replace(before, "")
  const dialled =
    country !== undefined && isSupportedCountry(country)
      ? possible(parsePhoneNumberFromString(bare, { defaultCountry: country, extract: false }))
      : undefined
  return dialled ?? possible(parsePhoneNumberFromString(bare.replace(prefix, "+"), { extract: false }))
}
