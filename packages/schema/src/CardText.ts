/**
 * Masks card numbers in text that a person or another system wrote. A number is a window of 12 to 19 digits that a brand can have
 * issued ({@link Card.isOfBrand}). Text may write it with separators, with digits of other scripts, or escaped for URLs, JSON or
 * HTML. Identifiers, amounts and times are fields of their own and are not passed to this module; a test counts how rarely
 * ordinary lines with them are changed.
 */
import * as Card from "./Card.ts"
import * as Digits from "./Digits.ts"
import * as Iban from "./Iban.ts"

/** The text in place of a card number. */
export const placeholder = "[number]"

/** Number of digits of the shortest card number. */
export const shortest = 12
const longest = 19

/** A digit of the text, with its place. */
interface Digit {
  readonly value: string
  readonly start: number
  readonly end: number
  /** The separators before the digit. Empty: it follows a digit of the same group, or is the first. */
  readonly gap: string
}

/** One character of the text, as it is or as an escape for it. */
interface Unit {
  readonly char: string
  readonly end: number
}

const nine = 0x39
const digitOf = (char: string): string | undefined => {
  const code = char.codePointAt(0) ?? 0
  if (code < 0x660) return code >= 0x30 && code <= nine ? char : undefined
  const zero = Digits.zeros.find((first) => first <= code && code < first + 10)
  return zero === undefined ? undefined : String(code - zero)
}

/** Blanks, dashes and invisible characters of all scripts, dots, slashes, and the plus that stands for a blank in URLs. */
const separator = /^[\s\p{Z}\p{Pd}\p{Cf}\u2212./\\+．／。⁄∕‧•․]$/u
/** Characters that separate the groups of a number only if the groups are regular, because lists of numbers have them, too. */
const listSeparator = /^[,:;_|*·']$/
const onlySeparators = /^[\s\p{Z}\p{Pd}\p{Cf}\u2212./\\+．／。⁄∕‧•․]+$/u
const longestGap = 8

const plain = (text: string, at: number): Unit => {
  const char = String.fromCodePoint(text.codePointAt(at) ?? 0)
  return { char, end: at + char.length }
}

const percentByte = /%(?:25)*([\da-f]{2})/iy
const escapes = /\\u([\da-f]{4})|\\([nrt])|&#(\d{1,7});|&#x([\da-f]{1,6});|&(nbsp);/iy
const utf8 = new TextDecoder()

/** Number of bytes of a character in UTF-8, by its first byte. */
const bytesOf = (first: number): number => (first < 0x80 ? 1 : first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2)

const percentUnit = (text: string, at: number): Unit | undefined => {
  const bytes: Array<number> = []
  percentByte.lastIndex = at
  let end = at
  do {
    const [, hex] = percentByte.exec(text) ?? []
    if (hex === undefined) return undefined
    bytes.push(Number.parseInt(hex, 16))
    end = percentByte.lastIndex
  } while (bytes.length < bytesOf(bytes[0] ?? 0))
  return { char: utf8.decode(Uint8Array.from(bytes)), end }
}

const escapeUnit = (text: string, at: number): Unit | undefined => {
  escapes.lastIndex = at
  const [, unit, , decimal, hex] = escapes.exec(text) ?? []
  if (escapes.lastIndex === 0) return undefined
  const code = decimal === undefined ? Number.parseInt(unit ?? hex ?? "20", 16) : Number(decimal)
  return { char: code > 0x10ffff ? "" : String.fromCodePoint(code), end: escapes.lastIndex }
}

const isSeparator = (char: string): boolean => separator.test(char) || listSeparator.test(char)

/** Reads an escape as the character that it stands for, if that can be part of a number, and everything else as it is. */
const unescaped = (text: string, at: number): Unit => {
  const first = text[at]
  const unit =
    first === "%" ? percentUnit(text, at) : first === "\\" || first === "&" ? escapeUnit(text, at) : undefined
  return unit !== undefined && (digitOf(unit.char) !== undefined || isSeparator(unit.char)) ? unit : plain(text, at)
}

/** A way to read text, and what a run of digits can begin with. */
interface Reader {
  readonly read: (text: string, at: number) => Unit
  readonly first: RegExp
}

const plainReader: Reader = { read: plain, first: /\p{Nd}/gu }
const unescapedReader: Reader = { read: unescaped, first: /[\p{Nd}%\\&]/gu }

/** Digits with at most {@link longestGap} separators between two of them. */
const runsOf = (text: string, { first, read }: Reader): ReadonlyArray<ReadonlyArray<Digit>> => {
  const runs: Array<Array<Digit>> = []
  let at = 0
  for (;;) {
    first.lastIndex = at
    const begin = first.exec(text)?.index
    if (begin === undefined) return runs
    const run: Array<Digit> = []
    let gap = ""
    for (at = begin; at < text.length; ) {
      const { char, end } = read(text, at)
      const value = digitOf(char)
      if (value !== undefined) {
        run.push({ value, start: at, end, gap })
        gap = ""
      } else if (run.length > 0 && gap.length < longestGap && isSeparator(char)) gap += char
      else break
      at = end
    }
    if (run.length >= shortest) runs.push(run)
    if (run.length === 0) at = plain(text, begin).end
  }
}

/** Whether groups of these sizes are those of a written number: 4-4-4-4, 4-6-5, 4 444 555. */
const isRegular = (sizes: ReadonlyArray<number>): boolean => {
  const [first = 0, ...others] = sizes
  const last = others.at(-1) ?? first
  const middle = others.slice(0, -1)
  return (
    (first >= 3 && last <= first && middle.every((size) => size === first)) ||
    (first === 4 && middle.length === 1 && middle[0] === 6 && last <= 5) ||
    (first <= 3 && others.every((size) => size === 3))
  )
}

/** Whether the separators of a window are those of one number, and not those of a list of amounts or of a date and a time. */
const isOneNumber = (window: ReadonlyArray<Digit>): boolean => {
  const breaks = window.flatMap(({ gap }, index) => (index > 0 && gap !== "" ? index : []))
  const gaps = breaks.map((index) => window[index]?.gap ?? "")
  if (gaps.every((gap) => gap === gaps[0]) && onlySeparators.test(gaps[0] ?? " ")) return true
  return isRegular([...breaks, window.length].map((end, index) => end - (breaks[index - 1] ?? 0)))
}

/** An expiry as month and year, year and month, or year with four digits and month. */
const expiry = /^(?:(?:0[1-9]|1[0-2])\d\d|\d\d(?:0[1-9]|1[0-2])|20\d\d(?:0[1-9]|1[0-2]))/

/** Longest number of a telephone that a brand could have issued. Longer ones do not exist in practice. */
const longestPhone = 13
const plus = /(?:\+|%2B)$/i

/** The windows of a run that are card numbers, as ranges of the text. A window begins and ends where a group of digits does. */
const numbersOf = (text: string, run: ReadonlyArray<Digit>): ReadonlyArray<readonly [start: number, end: number]> => {
  const digits = run.map(({ value }) => value).join("")
  /** For each digit, where its group ends. */
  const groupEnds: Array<number> = []
  for (let at = run.length - 1; at >= 0; at -= 1)
    groupEnds[at] = at + 1 === run.length || run[at + 1]?.gap !== "" ? at + 1 : (groupEnds[at + 1] ?? 0)
  const numbers: Array<readonly [start: number, end: number]> = []
  let zerosBefore = 0
  for (let start = 0; start + shortest <= run.length; start += 1) {
    // A number begins where its group does, or after zeros that fill it up.
    const isGroupStart = start === 0 || run[start]?.gap !== ""
    zerosBefore = isGroupStart ? 0 : digits[start - 1] === "0" ? zerosBefore + 1 : Number.NaN
    if (Number.isNaN(zerosBefore)) continue
    const first = run[start]?.start ?? 0
    const isPhone = zerosBefore === 2 || plus.test(text.slice(Math.max(0, first - 3), first))
    for (let end = start + shortest; end <= Math.min(start + longest, run.length); end += 1) {
      // A number ends where its group does, or before an expiry.
      const groupEnd = groupEnds[end - 1] ?? 0
      if (groupEnd !== end && !expiry.test(digits.slice(end, Math.min(groupEnd, end + 6)))) continue
      if (isPhone && end - start <= longestPhone) continue
      if (!Card.isOfBrand(digits.slice(start, end)) || !isOneNumber(run.slice(start, end))) continue
      numbers.push([first, run[groupEnd - 1]?.end ?? 0])
    }
  }
  return numbers
}

/** Reads every escape as the character that it stands for. */
const decoded = (text: string, at: number): Unit => percentUnit(text, at) ?? escapeUnit(text, at) ?? plain(text, at)

/** Returns all digits of the text in ASCII, and nothing else of it. */
const digitsOf = (text: string, read: Reader["read"]): string => {
  let digits = ""
  for (let at = 0; at < text.length; ) {
    const { char, end } = read(text, at)
    digits += digitOf(char) ?? ""
    at = end
  }
  return digits
}

/**
 * Whether the text contains the digits of the number in their order, whatever stands between and beside them: a number that is
 * known already does not occur in other text by chance.
 */
export const repeats = (text: string, number: string): boolean =>
  text.length >= number.length &&
  (digitsOf(text, plain).includes(number) || (mayEscape.test(text) && digitsOf(text, decoded).includes(number)))

/** Whether the text has the digits of the number, no other digits and no letters. */
export const isOnly = (text: string, number: string): boolean =>
  !/\p{L}/u.test(text) && digitsOf(text, plain) === number

/** Whether the text contains a number that a brand can have issued. */
export const hasNumber = (text: string): boolean => mask(text) !== text

/** Identifiers that are no card numbers whatever their digits are: UUIDs, hashes, references of requests, account numbers. */
const identifier =
  /\b[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}\b|\b(?=\d*[a-f])[\da-f]{32,}\b|\b\d{17,19}-[a-z]+-\d+\b/gi
/** Numbers of these lengths after the name of what they are: references of a bank, and telephones without a plus. */
const named =
  /\b(?:(?:rrn|retrieval reference(?: number)?)\W{0,4}\d{12}|arn\W{0,4}\d{23}|(?:phone|tel|mobile|msisdn)\W{0,4}\d{10,13})\b/gi
const iban = /\b[A-Z]{2}\d{2}(?: ?[A-Z\d]){11,30}/g

/** Hides identifiers from the search, with text of the same length. */
const withoutIdentifiers = (text: string): string =>
  text
    .replace(identifier, (match) => "x".repeat(match.length))
    .replace(named, (match) => "x".repeat(match.length))
    .replace(iban, (match) => {
      const length = ibanLength(match)
      return "x".repeat(length) + match.slice(length)
    })

/** The length of the account number at the beginning of the text, or 0. */
const ibanLength = (text: string): number => {
  for (let end = text.length; end >= 15; end -= 1) if (Iban.isValid(text.slice(0, end).replaceAll(" ", ""))) return end
  return 0
}

const mayEscape = /[%\\&]/
/** Text without escapes that lacks this has no card number. Most text lacks it. */
const enoughDigits = /(?:\p{Nd}[^\p{L}\p{Nd}]{0,8}){12}/u

/** Longest text of a card number: 19 digits, each after {@link longestGap} separators, all of them escaped. */
const longestText = 1000

/**
 * Returns the first `length` characters of the text with {@link placeholder} in place of each card number. A number that begins
 * among them is found although it ends after them.
 */
export const mask = (text: string, length = text.length): string => {
  const read = text.slice(0, length + longestText)
  const hasEscapes = mayEscape.test(read)
  if (!hasEscapes && !enoughDigits.test(read)) return text.slice(0, length)
  const searched = withoutIdentifiers(read)
  const readers = hasEscapes ? [plainReader, unescapedReader] : [plainReader]
  const numbers = readers
    .flatMap((reader) => runsOf(searched, reader).flatMap((run) => numbersOf(searched, run)))
    .filter(([start]) => start < length)
    .sort(([one], [other]) => one - other)
  let masked = ""
  let at = 0
  for (const [start, end] of numbers) {
    if (start >= at) masked += text.slice(at, start) + placeholder
    at = Math.max(at, end)
  }
  return masked + text.slice(at, Math.max(at, length))
}
