/** The forms in which an amount is signed by mistake. */
import * as BinaryFractions from "./BinaryFractions.ts"
import * as LocalNumbers from "./LocalNumbers.ts"
import * as NumberForms from "./NumberForms.ts"

/** A wrong form of an amount, with the mistake that makes it. */
export interface AmountForm {
  readonly id: AmountMistake
  readonly detail: string
  readonly text: string
}

export type AmountMistake =
  | "amount-major"
  | "amount-decimals"
  | "amount-float"
  | "amount-exponent"
  | "amount-whole"
  | "amount-format"

/** Moves the decimal point of a whole number to the left: 1042 by 2 is 10.42. */
const shift = (minor: string, digits: number): string => {
  if (digits === 0) return minor
  const padded = minor.padStart(digits + 1, "0")
  return `${padded.slice(0, -digits)}.${padded.slice(-digits)}`
}

/** Returns the decimals of the currency, as the sent amount and its minor units show them; two and three if they do not. */
const decimalsOf = (sent: string | undefined, minor: string): ReadonlyArray<number> => {
  if (sent === undefined || !/^\d+(\.\d+)?$/.test(sent) || /^0+$/.test(minor)) return [2, 3]
  const decimals = [0, 1, 2, 3, 4].find(
    (digits) =>
      NumberForms.withoutZeros(shift(minor, digits)) === NumberForms.withoutZeros(sent.replace(/^0+(?=\d)/, ""))
  )
  return decimals === undefined ? [2, 3] : [decimals]
}

const grouped = (text: string, separator: string): string => text.replace(/\B(?=(\d{3})+(?!\d))/, separator)

const wholeForms = (minor: string, digits: number): ReadonlyArray<string> => {
  const scale = 10 ** digits
  const units = Number(minor) / scale
  const group = grouped(String(Math.floor(units)), ",").split(",")
  const wholes = [Math.floor(units), Math.ceil(units), ...(group.length > 1 ? [Number(group[0])] : [])]
  return wholes.flatMap((whole) => [String(whole * scale), String(whole)])
}

const floatForms = (minor: string): ReadonlyArray<string> => {
  const products = [2, 3, 4].map((digits) => Number(shift(minor, digits)) * 10 ** digits)
  const texts = products.filter((product) => !Number.isInteger(product)).map(String)
  const exact = [2, 3].flatMap((digits) => BinaryFractions.of(shift(minor, digits), digits))
  return [...texts, ...[BigInt(minor) - 1n, BigInt(minor) + 1n].map(String), ...exact]
}

const exponentForms = (minor: string, digits: number): ReadonlyArray<readonly [string, string]> =>
  [1, 2, 3].flatMap((count): ReadonlyArray<readonly [string, string]> => {
    const zeros = "0".repeat(count)
    const whole = minor.endsWith(zeros) ? minor.slice(0, -count) : ""
    return [
      [`${count} decimals too many`, minor + zeros],
      ...(whole === "" ? [] : [[`${count} decimals too few`, whole] as const]),
      [`${count} decimals too few, cut`, minor.slice(0, -count)],
      [`${count} decimals too few`, shift(minor, digits + count)],
      [`${count} decimals too few`, NumberForms.withoutZeros(shift(minor, digits + count))]
    ]
  })

const signs = ["$", "€", "£", "₽", "¥"]

/** Returns the amount in the writings of languages, in major and in minor units. */
const localForms = (minor: string, decimals: ReadonlyArray<number>, currency: string): ReadonlyArray<string> => [
  ...decimals.flatMap((digits) =>
    [digits, 2, 0].flatMap((printed) => LocalNumbers.written(Number(shift(minor, digits)), printed, currency))
  ),
  ...[0, 2].flatMap((printed) => LocalNumbers.written(Number(minor), printed, ""))
]

const exponentials = (text: string): ReadonlyArray<string> => {
  const power = Number(text).toExponential()
  const [digits = "", exponent = "0"] = power.split("e")
  const padded = exponent.replace(/^([+-])(\d)$/, "$10$2")
  return [
    power,
    power.replace("e+", "e"),
    power.replace("e+", "E"),
    power.toUpperCase(),
    `${digits}e${padded}`,
    `${digits}E${padded}`,
    `0.${digits.replace(".", "")}e${Number(exponent) + 1}`
  ]
}

const formatForms = (minor: string, majors: ReadonlyArray<string>, currency: string): ReadonlyArray<string> => [
  ...[1, 2, 3, 4, 5, 6, 7, 8, 9].map((zeros) => "0".repeat(zeros) + minor),
  `+${minor}`,
  `-${minor}`,
  ...[",", " ", ".", "'", "\u00a0"].flatMap((separator) => [minor, ...majors].map((text) => grouped(text, separator))),
  ...[minor, ...majors].flatMap((text) => [
    ...(currency === "" ? [] : [`${text} ${currency}`, `${currency} ${text}`]),
    ...signs.map((sign) => sign + text)
  ]),
  ...(currency === ""
    ? []
    : [minor, ...majors].flatMap((text) =>
        [currency, currency.toLowerCase()].flatMap((name) => [text + name, name + text, `${text} ${name}`])
      )),
  `"${majors[0] ?? minor}"`,
  ...[minor, ...majors].flatMap((text) => ["n", "L", "m", "M", "f", "d"].map((suffix) => text + suffix)),
  ...majors.map((text) => `-${text}`),
  ...[minor, ...majors].flatMap((text) => [...exponentials(text), ...NumberForms.wrongVerbs(text)])
]

/** Returns the wrong forms of an amount, each text once. `minor` is the right form; `sent` is the amount of the request. */
export const formsOf = (minor: string, sent: string | undefined, currency = ""): ReadonlyArray<AmountForm> => {
  const forms = new Map<string, AmountForm>()
  const add = (id: AmountMistake, text: string, detail = `signed as ${text}`) => {
    if (text !== minor && text !== "" && !forms.has(text)) forms.set(text, { id, detail, text })
  }
  const decimals = decimalsOf(sent, minor)
  const majors = decimals.flatMap((digits) => [shift(minor, digits), NumberForms.withoutZeros(shift(minor, digits))])
  const major = "the amount with a decimal point, or without its zeros"
  for (const text of [...(sent === undefined ? [] : [sent]), ...majors]) add("amount-major", text, major)
  for (const text of majors) {
    add("amount-major", text.replace(".", ","), "the amount with a decimal comma")
    add("amount-major", Number(text).toFixed(2), "the amount with two decimals")
    if (text.includes("."))
      for (const more of ["0", "00", "0000"]) add("amount-major", text + more, "the amount with more zeros")
  }
  for (const end of [".0", ".00", ".000", ".0000", ".", ",00", ",0"])
    add("amount-decimals", minor + end, `the minor units with ${end}`)
  for (const digits of decimals) {
    for (const text of wholeForms(minor, digits)) add("amount-whole", text)
    for (const text of wholeForms(minor, digits)) add("amount-whole", `${text}.0`)
  }
  for (const text of floatForms(minor)) add("amount-float", text)
  for (const digits of decimals)
    for (const [detail, text] of exponentForms(minor, digits)) add("amount-exponent", text, detail)
  for (const text of formatForms(minor, majors, currency))
    add("amount-format", text, "the amount in another way of writing")
  for (const text of localForms(minor, decimals, currency))
    add("amount-format", text, "the amount in the writing of a language")
  return [...forms.values()]
}
