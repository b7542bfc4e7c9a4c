/**
 * Reads a card as people type it, paste it, and as browsers and password managers fill it in. The gateway, its pages and the script
 * of a page use the same functions: a page has a copy of the source of {@link make}, which therefore refers to nothing outside of
 * itself.
 */
import * as Digits from "./Digits.ts"

/** Makes the functions. `fold` returns a text with its digits in ASCII, as `Digits.ascii` does. */
export const make = (fold: (text: string) => string) => {
  /**
   * Digits, and the blanks, dashes and dots with which people group them. All of a row of groups match, or none: a number of which
   * one group touches a letter is mistyped, and the other groups are no card number.
   */
  const groups =
    /(?=\d)(?<![\p{L}\p{N}]|\d[\s.\p{Pd}\p{Cf}\u2212]*)\d(?:[\s.\p{Pd}\p{Cf}\u2212]*\d)*(?![\p{L}\p{N}]|[\s.\p{Pd}\p{Cf}\u2212]*\d)/gu
  const digitsOf = (text: string): string => text.replace(/\D/g, "")
  const two = (text: string): string => text.padStart(2, "0")
  const isMonth = (text: string): boolean => Number(text) >= 1 && Number(text) <= 12

  /** Returns the digits of a card number, also if it is in other words. A text without one number stays as it is. */
  const number = (text: string): string => {
    const numbers = (fold(text).match(groups) ?? []).map(digitsOf).filter((digits) => digits.length >= 12)
    return numbers.length === 1 ? (numbers[0] ?? "") : fold(text).replace(/[\s.\p{Pd}\p{Cf}\u2212]/gu, "")
  }

  /** Returns the digits of a security code. Other characters than blanks and dashes stay. */
  const code = (text: string): string => fold(text).replace(/[\s\p{Pd}\p{Cf}]/gu, "")

  const valid = (month: string, year: string): { readonly month: number; readonly year: number } | undefined =>
    isMonth(month) && (year.length === 2 || /^20\d\d$/.test(year))
      ? { month: Number(month), year: 2000 + Number(year.slice(-2)) }
      : undefined

  /** Reads an expiry date: `1/35`, `01 / 2035`, `0135`, `12035`, `2035-01`, `2035-01-31`. */
  const expiry = (text: string): { readonly month: number; readonly year: number } | undefined => {
    const groups = fold(text).match(/\d+/g) ?? []
    const [first = "", second = ""] = groups
    if (groups.length === 1) {
      const monthDigits = first.length === 3 || first.length === 5 ? 1 : 2
      const date = valid(first.slice(0, monthDigits), first.slice(monthDigits))
      return date ?? (first.length === 6 ? valid(first.slice(4), first.slice(0, 4)) : undefined)
    }
    if (first.length === 4) return groups.length <= 3 && second.length <= 2 ? valid(second, first) : undefined
    return groups.length === 2 && first.length <= 2 ? valid(first, second) : undefined
  }

  const shown = (month: string, year: string): string => `${two(month)} / ${year}`

  /** Returns the expiry date as `01 / 35`. Of a date that is still being typed, it returns the part that is known. */
  const shownExpiry = (text: string): string => {
    const folded = fold(text)
    const groups = folded.match(/\d+/g) ?? []
    const [first = "", ...others] = groups
    const all = groups.join("")
    const rest = others.join("")
    const date = all.length >= 5 ? (expiry(folded) ?? (rest.length === 3 ? expiry(all) : undefined)) : undefined
    if (date !== undefined) return shown(String(date.month), String(date.year).slice(2))
    if ((first.length === 4 && !isMonth(first.slice(0, 2))) || all.length > 6) return folded.trim().slice(0, 10)
    if (others.length > 0) return shown(first, rest.slice(0, 4))
    const isEnded = /\d\D+$/.test(folded)
    if (first === "" || (first.length === 1 && !isEnded && first < "2")) return first
    const month = first.length > 1 && (isMonth(first.slice(0, 2)) || first.startsWith("0")) ? 2 : 1
    return first === "00" || (first === "0" && isEnded) ? first : shown(first.slice(0, month), first.slice(month))
  }

  return { number, code, expiry, shownExpiry }
}

/** The functions for the gateway itself. */
export const { code, expiry, number, shownExpiry } = make(Digits.ascii)
