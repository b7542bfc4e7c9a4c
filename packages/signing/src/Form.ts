/** `application/x-www-form-urlencoded`, the body of every request and the query of every callback. */
import * as PercentEncoding from "./PercentEncoding.ts"

/** A decoded field. Order and repetitions matter for signatures, so fields are a list and never an object. */
export type Parameter = readonly [name: string, value: string]

/** The fields of a form in their order, or why the text is malformed. */
export type Parsed =
  | { readonly ok: true; readonly parameters: ReadonlyArray<Parameter> }
  | {
      readonly ok: false
      readonly reason: string
      /** The position of the malformed name or value, in UTF-16 code units from the start of the text. */
      readonly at: number
    }

/**
 * Reads a body or a query (without its `?`). `+` is a space, a field without `=` has an empty value, empty pieces
 * between `&` are skipped. Malformed escapes and escapes that are not UTF-8 are refused: a signature over a guessed
 * text would prove nothing.
 */
export const parse = (body: string): Parsed => {
  const parameters: Array<Parameter> = []
  let start = 0
  while (start < body.length) {
    let end = body.indexOf("&", start)
    if (end === -1) end = body.length
    if (end > start) {
      const equals = body.indexOf("=", start)
      const nameEnd = equals === -1 || equals > end ? end : equals
      const valueStart = Math.min(nameEnd + 1, end)
      const name = decode(body.slice(start, nameEnd))
      if (name === undefined) return malformed("name", start)
      const value = decode(body.slice(valueStart, end))
      if (value === undefined) return malformed("value", valueStart)
      parameters.push([name, value])
    }
    start = end + 1
  }
  return { ok: true, parameters }
}

/**
 * Returns the beginning of a form with at most `pieces` pieces between `&`, empty pieces included, so that {@link parse} reads no
 * more fields from it. Returns the whole text if it has no more pieces.
 */
export const head = (body: string, pieces: number): string => {
  let at = 0
  for (let piece = 0; piece < pieces && at < body.length; piece++) {
    const end = body.indexOf("&", at)
    at = end === -1 ? body.length : end + 1
  }
  return at === body.length ? body : body.slice(0, at)
}

/** Whether {@link parse} accepts the text. No fields are made, so this is the cheapest check of a long text with many fields. */
export const isWellFormed = (body: string): boolean => PercentEncoding.decode(body) !== undefined

/** Number of pieces between `&`, empty pieces included. */
export const pieces = (body: string): number => {
  let count = 0
  for (let at = 0; at < body.length; count++) {
    const end = body.indexOf("&", at)
    at = end === -1 ? body.length : end + 1
  }
  return count
}

const decode = (text: string): string | undefined => PercentEncoding.decode(text.includes("+") ? spaced(text) : text)

/** Replaces each `+` by a space. `replaceAll` is slow for a long text with many of them. */
const spaced = (text: string): string => {
  if (text.length < 1024 || !text.isWellFormed()) return text.replaceAll("+", " ")
  const bytes = Buffer.from(text)
  replacePlus(bytes)
  return bytes.toString()
}

/** A function of its own: V8 gives up the compiled code of a long loop that is followed by a call it has not seen. */
const replacePlus = (bytes: Uint8Array): void => {
  for (let at = 0; at < bytes.length; at++) if (bytes[at] === 0x2b) bytes[at] = 0x20
}

const malformed = (part: "name" | "value", at: number): Parsed => ({
  ok: false,
  reason: `the ${part} of a field is not valid percent-encoded UTF-8`,
  at
})

/**
 * Writes a body or a query that {@link parse} reads back unchanged. A space is written as `%20`, never as `+`, so that the text
 * equals the signed one.
 */
export const write = (parameters: ReadonlyArray<Parameter>): string => {
  let text = ""
  for (const [name, value] of parameters) {
    text += `${text === "" ? "" : "&"}${PercentEncoding.encode(name)}=${PercentEncoding.encode(value)}`
  }
  return text
}

/**
 * Returns the canonical form of a query, as {@link write} writes it, with its fields in the order of the bytes of their encoded
 * names. Fields of one name keep their order. Two queries have one canonical form if and only if each name has the same values in the
 * same order. `undefined` if the query cannot be decoded.
 */
export const canonical = (query: string): string | undefined => {
  const form = parse(query)
  if (!form.ok || !query.isWellFormed()) return undefined
  const fields = form.parameters.map((parameter) => ({ name: PercentEncoding.encode(parameter[0]), parameter }))
  fields.sort((one, other) => (one.name < other.name ? -1 : one.name > other.name ? 1 : 0))
  return write(fields.map(({ parameter }) => parameter))
}
