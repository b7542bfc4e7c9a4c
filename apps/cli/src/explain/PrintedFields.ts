/** Reads fields as a program prints them: `print_r`, `var_dump` and `var_export` of PHP, and data in other languages. */
import * as Literals from "./Literals.ts"

type Fields = ReadonlyArray<readonly [name: string, value: string]>

/** Reads `print_r`, which marks neither the end of a value nor its type: a value of several lines is refused. */
const ofPrintR = (text: string): Fields => {
  const lines = text
    .trim()
    .replace(/^Array\s*\(/, "")
    .replace(/\)$/, "")
    .split(/\r?\n/)
    .filter((line) => line.trim() !== "")
  return lines.map((line) => {
    const [, name, value] = /^\s*\[([^\]]+)\] => (.*)$/.exec(line) ?? []
    if (name === undefined || value === undefined || value === "Array")
      throw new Literals.NotData("a value of several lines, whose end print_r does not mark: use var_export")
    return [name, value]
  })
}

/** Reads `var_dump`, which counts the bytes of each text. */
const ofVarDump = (text: string): Fields => {
  const bytes = Buffer.from(text)
  const fields: Array<readonly [string, string]> = []
  const head = /\s*\["([^"\n]*)"\]\s*=>\s*(?:string\((\d+)\) "|int\((-?\d+)\))/y
  const latin1 = bytes.toString("latin1")
  head.lastIndex = latin1.indexOf("{") + 1
  for (;;) {
    const begin = head.lastIndex
    const match = head.exec(latin1)
    if (match === null) {
      if (!/^\s*\}/.test(latin1.slice(begin, begin + 99)))
        throw new Literals.NotData("a value of var_dump that is no text")
      return fields
    }
    const [all, name = "", length, int] = match
    const at = begin + all.length
    const end = length === undefined ? at : at + Number(length)
    fields.push([Buffer.from(name, "latin1").toString(), int ?? bytes.subarray(at, end).toString()])
    if (length !== undefined) head.lastIndex = end + 1
  }
}

/** The forms by their beginning. */
const forms: ReadonlyArray<readonly [shape: RegExp, read: (text: string) => Fields]> = [
  [/^Array\s*\(/, ofPrintR],
  [/^array\(\d+\) \{/, ofVarDump],
  [
    /^(\{|\[|array ?\(|@\{|%\{)/,
    (text) => Literals.fieldsOf(Literals.first(text.replace(/^%/, ""), text.startsWith("@")))
  ],
  [/^(new )?URLSearchParams\b/, (text) => ofParams(Literals.first(text))]
]

/** Reads `new URLSearchParams(…)`. */
export const ofParams = (literal: Literals.Literal): Fields => {
  const [only] = literal._tag === "Call" && literal.name === "URLSearchParams" ? literal.arguments : []
  if (only === undefined) throw new Literals.NotData("no fields")
  return only.value._tag === "Text" ? [...new URLSearchParams(only.value.text)] : Literals.fieldsOf(only.value)
}

/** Whether a text is fields as a program prints them. */
export const isPrinted = (text: string): boolean => forms.some(([shape]) => shape.test(text.trim()))

/** Returns the fields, `undefined` for another text. Throws `NotData` if they cannot be read without guessing. */
export const of = (text: string): Fields | undefined => {
  const plain = text.trim()
  return forms.find(([shape]) => shape.test(plain))?.[1](plain)
}

/** Writes fields as the body of a form. */
export const formOf = (fields: Fields): string =>
  fields.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join("&")
