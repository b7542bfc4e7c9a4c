/**
 * International bank account numbers (ISO 13616-1), and how they differ from domestic account numbers
 * (docs/assumptions.md#payout-operations). The library `ibantools` defines the form for each country.
 */
import { countrySpecs, isValidIBAN } from "ibantools"
import * as TypedText from "./TypedText.ts"

/** Whether country, length and check digits fit (ISO 13616-1; ISO/IEC 7064, MOD 97-10). The text must be in normal form. */
export const isValid = (text: string): boolean => isValidIBAN(text)

/** The word that people put before the number, as `compact` leaves it. */
const word = /^IBAN(?:N[OR]|NUMBER)?(?=\p{L}{2})/u

/** A letter among the first four characters. A domestic account number begins with four digits or is shorter. */
const early = /^.{0,3}\p{L}/u

/** Whether the text means an IBAN. If one of its country's letters was mistyped as a digit, it still does. */
const isMeant = (compact: string): boolean => early.test(compact)

/**
 * Returns an account number in normal form: an IBAN as letters and digits in upper case, a domestic number without blanks and
 * dots. A domestic number keeps its hyphens, because some banks fill up the parts between them with zeros.
 */
export const normalAccount = (text: string): string => {
  const compact = TypedText.compact(text).replace(word, "")
  return isMeant(compact) ? compact : TypedText.hyphenated(text)
}

const domestic = /^\d[A-Z\d]*(?:-[A-Z\d]+)*$/

/** Returns what is wrong with an account number in normal form, or `undefined` if it is valid. */
export const accountFlaw = (text: string): string | undefined =>
  isMeant(text)
    ? flaw(text)
    : domestic.test(text)
      ? undefined
      : "must be an IBAN, or digits and letters with single hyphens"

const flaw = (text: string): string | undefined => {
  if (isValid(text)) return undefined
  const length = countrySpecs[text.slice(0, 2)]?.chars
  if (length === undefined || length === null)
    return "is not a valid IBAN: it does not begin with a country that has IBANs"
  return text.length === length
    ? "is not a valid IBAN: its check digits do not fit"
    : `is not a valid IBAN: it has ${text.length} characters instead of ${length}`
}
