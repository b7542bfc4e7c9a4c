/** International bank account numbers (ISO 13616-1). The library `ibantools` defines the form for each country. */
import { isValidIBAN } from "ibantools"

const shape = /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/

/** Whether the text has the form of an IBAN: a country, two check digits, then 11 to 30 letters or digits, without spaces. */
export const looksLike = (text: string): boolean => shape.test(text)

/** Whether country, length and check digits fit (ISO 13616-1; ISO/IEC 7064, MOD 97-10). */
export const isValid = (text: string): boolean => isValidIBAN(text)
