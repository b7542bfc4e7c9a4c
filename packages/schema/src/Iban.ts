/** International bank account numbers (ISO 13616-1). */

const shape = /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/

/** Whether the text claims to be an IBAN: a country, two check digits and letters or digits, without spaces. */
export const looksLike = (text: string): boolean => shape.test(text)

/** Whether the check digits fit (ISO/IEC 7064, MOD 97-10). */
export const isValid = (text: string): boolean => {
  if (!looksLike(text)) return false
  let remainder = 0
  for (const character of text.slice(4) + text.slice(0, 4)) {
    const value = Number.parseInt(character, 36)
    remainder = (remainder * (value > 9 ? 100 : 10) + value) % 97
  }
  return remainder === 1
}
