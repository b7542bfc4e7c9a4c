/**
 * Reads data as programs write it: objects, dictionaries, hashes, arrays and calls of JavaScript, Python, PHP, Ruby and PowerShell.
 * Nothing is evaluated. What only a program can know, such as a variable, is refused with its name.
 */

export type Literal =
  | { readonly _tag: "Text"; readonly text: string }
  /** A value that is not there: `null`, `None`. */
  | { readonly _tag: "Nothing" }
  /** The entries of an object or a list, in their order. Those of a list have no key. */
  | { readonly _tag: "Entries"; readonly entries: ReadonlyArray<Entry> }
  | { readonly _tag: "Call"; readonly name: string; readonly arguments: ReadonlyArray<Entry> }

interface Entry {
  readonly key: string | undefined
  readonly value: Literal
}

/** Is thrown where a text is no data. */
export class NotData extends Error {}

const closing: Readonly<Record<string, string>> = { "{": "}", "[": "]", "(": ")" }
const escapes: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", b: "\b", f: "\f", v: "\v", "0": "\0" }
const blanks = /(?:[\s,;]|\/\/[^\n]*|#(?!\{)[^\n]*\n)*/y
const word = /[A-Za-z_$][\w$.\\]*/y
const number = /-?\d+(?:\.\d+)?(?![\w.])/y
const pairSign = /\s*(?:=>|:|=(?!=))\s*/y

interface Cursor {
  readonly text: string
  at: number
}

const taken = (cursor: Cursor, pattern: RegExp): string | undefined => {
  pattern.lastIndex = cursor.at
  const part = pattern.exec(cursor.text)?.[0]
  if (part !== undefined) cursor.at += part.length
  return part
}

/** Reads an escape after its backslash. */
const escaped = (cursor: Cursor): string => {
  const sign = cursor.text[cursor.at] ?? ""
  cursor.at += 1
  const digits =
    sign === "u" ? taken(cursor, /[0-9a-fA-F]{4}/y) : sign === "x" ? taken(cursor, /[0-9a-fA-F]{2}/y) : undefined
  if (digits !== undefined) return String.fromCharCode(Number.parseInt(digits, 16))
  if (sign === "\n") return ""
  const meant = escapes[sign] ?? (/[A-Za-z0-9]/.test(sign) ? undefined : sign)
  if (meant === undefined) throw new NotData(`an escape \\${sign}, which languages read in different ways`)
  return meant
}

/** Whether a `$` begins a variable: in a template of JavaScript, or between double quotes of PowerShell. */
const isFilled = (quote: string, next: string, isRaw: boolean): boolean =>
  quote === "`" ? next === "{" : isRaw && quote === '"' && /[\w({]/.test(next)

/** Reads a text after its first quote. */
const quoted = (cursor: Cursor, quote: string, isRaw: boolean): string => {
  let made = ""
  for (;;) {
    const character = cursor.text[cursor.at]
    if (character === undefined) throw new NotData("a quote that is not closed")
    cursor.at += 1
    if (character === quote && cursor.text[cursor.at] === quote && isRaw) cursor.at += 1
    else if (character === quote) return made
    if (character === "\\" && !isRaw) made += escaped(cursor)
    else if (character === "$" && isFilled(quote, cursor.text[cursor.at] ?? "", isRaw))
      throw new NotData("a variable inside of a text: put its value there")
    else made += character
  }
}

const entriesUntil = (cursor: Cursor, end: string, isRaw: boolean): ReadonlyArray<Entry> => {
  const entries: Array<Entry> = []
  for (;;) {
    taken(cursor, blanks)
    if (cursor.text[cursor.at] === end) {
      cursor.at += 1
      return entries
    }
    if (cursor.at >= cursor.text.length) throw new NotData("a bracket that is not closed")
    entries.push(entry(cursor, isRaw))
  }
}

/** The keys that are bare words: `amount: "1"`, `:amount => "1"`, `data={…}`. */
const bareKey = /:?([A-Za-z_][\w-]*)(?=\s*(?:=>|:(?!:)|=(?!=)))/y

const entry = (cursor: Cursor, isRaw: boolean): Entry => {
  const bare = taken(cursor, bareKey)?.replace(/^:/, "")
  const first = bare === undefined ? literalAt(cursor, isRaw) : undefined
  if (taken(cursor, pairSign) === undefined) {
    if (first === undefined) throw new NotData("a name without its value")
    return { key: undefined, value: first }
  }
  if (first !== undefined && first._tag !== "Text") throw new NotData("a key that is no text")
  return { key: bare ?? first?.text, value: literalAt(cursor, isRaw) }
}

const words: Readonly<Record<string, Literal>> = Object.fromEntries([
  ...["null", "None", "nil", "NULL", "undefined", "$null"].map((name) => [name, { _tag: "Nothing" }] as const),
  ...["true", "false", "True", "False"].map((text) => [text, { _tag: "Text", text }] as const)
])

/** Numbers whose text another way of writing would change are refused: 10.50 is sent as 10.5. */
const numberOf = (text: string): Literal => {
  if (String(Number(text)) !== text)
    throw new NotData(`the number ${text}, which may be sent in another form: put it in quotes`)
  return { _tag: "Text", text }
}

/** Reads one value. `isRaw`: a backslash in a text is a character, as in PowerShell. */
const literalAt = (cursor: Cursor, isRaw: boolean): Literal => {
  taken(cursor, /\s*(?:(?:await|new|return|@(?=[{(]))\s*)*/y)
  const character = cursor.text[cursor.at] ?? ""
  const prefix = taken(cursor, /[bu](?=['"])/y)
  const quote = prefix === undefined ? character : (cursor.text[cursor.at] ?? "")
  if (quote === '"' || quote === "'" || quote === "`") {
    cursor.at += 1
    return { _tag: "Text", text: quoted(cursor, quote, isRaw) }
  }
  const end = closing[character]
  if (end !== undefined) {
    cursor.at += 1
    return { _tag: "Entries", entries: entriesUntil(cursor, end, isRaw) }
  }
  const digits = taken(cursor, number)
  if (digits !== undefined) return numberOf(digits)
  const name = taken(cursor, word)
  if (name === undefined) throw new NotData(`the sign ${character}`)
  if (/^\s*\(/.test(cursor.text.slice(cursor.at, cursor.at + 9))) {
    cursor.at = cursor.text.indexOf("(", cursor.at) + 1
    const all = entriesUntil(cursor, ")", isRaw)
    return name.toLowerCase() === "array" ? { _tag: "Entries", entries: all } : { _tag: "Call", name, arguments: all }
  }
  const literal = words[name]
  if (literal === undefined) throw new NotData(`the variable ${name.slice(0, 40)}: put its value there`)
  return literal
}

/** Reads the first value of a text. What follows it is ignored. */
export const first = (text: string, isRaw = false): Literal => literalAt({ text, at: 0 }, isRaw)

/** Returns the fields of an object or of a list of pairs. */
export const fieldsOf = (literal: Literal): ReadonlyArray<readonly [name: string, value: string]> => {
  if (literal._tag !== "Entries") throw new NotData("no fields")
  return literal.entries.flatMap(({ key, value }) => {
    if (value._tag === "Nothing")
      throw new NotData(`${key ?? "a field"} without a value, which languages send in different ways`)
    if (key !== undefined && value._tag === "Text") return [[key, value.text] as const]
    const [name, text, ...rest] = value._tag === "Entries" ? value.entries.map((each) => each.value) : []
    if (key === undefined && name?._tag === "Text" && text?._tag === "Text" && rest.length === 0)
      return [[name.text, text.text] as const]
    throw new NotData("fields in fields, which languages send in different ways")
  })
}
