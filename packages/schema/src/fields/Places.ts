/** The normal forms of countries and states, and the countries whose addresses need a state or a postal code. */

/** Returns the normal form of a country's code: in upper case. */
export const normalCountry = (text: string): string => text.toUpperCase()

/**
 * Countries whose addresses have a postal code that mail needs: `require` contains `Z` in Google's libaddressinput (2025-06-12).
 */
export const withPostalCode: ReadonlyArray<string> = (
  "AS AT AU AX BE BL BR CA CH CN CZ DE DK EE ES FI FK FM FR GB GF GG GL GP GR GS GU HU IM IN IO IT JE JP KR LI LT LU LV MF MH " +
  "MP MQ MX MY NC NL NO NZ PF PL PM PN PR PT PW RE RO RU SE SG SH SJ SK SM TC TR TW UA US VI WF YT ZA"
).split(" ")

/** The countries whose addresses need a state. */
export const withState: ReadonlyArray<string> = ["US", "CA", "AU"]

/** The last part of a code of ISO 3166-2. */
const subdivision = /^[A-Z\d]{1,3}$/

/**
 * Returns the normal form of a state: the code of ISO 3166-2 in upper case and without its country (`JP-23` in JP as `23`). Other
 * text stays as it is.
 */
export const normalState = (text: string, country = ""): string => {
  const code = text.toUpperCase()
  const own = code.startsWith(`${normalCountry(country)}-`) ? code.slice(country.length + 1) : code
  return subdivision.test(own) ? own : text
}
