/** The `Authorization: OAuth` header (RFC 5849 §3.5.1; docs/specification.md#oauth-header). */
import type { Parameter } from "./Form.ts"
import * as PercentEncoding from "./PercentEncoding.ts"

/** The decoded parameters of a header in their order and its realm, or why the header is malformed. */
export type Parsed =
  | { readonly ok: true; readonly parameters: ReadonlyArray<Parameter>; readonly realm: string | undefined }
  | { readonly ok: false; readonly problem: Problem; readonly reason: string }

/**
 * What is wrong with a header: another scheme; a pair that is not `name="value"`; no comma between two pairs; a malformed escape; a
 * name that occurs twice; too many parameters.
 */
export type Problem = "scheme" | "pair" | "comma" | "escape" | "twice" | "many"

/**
 * Writes the header's value: each name and value percent-encoded, the optional realm first.
 *
 * @example write([["oauth_version", "1.0"]]) === 'OAuth oauth_version="1.0"'
 */
export const write = (parameters: ReadonlyArray<Parameter>, realm?: string): string => {
  const pairs = parameters.map(([name, value]) => `${PercentEncoding.encode(name)}="${PercentEncoding.encode(value)}"`)
  return `OAuth ${(realm === undefined ? pairs : [`realm="${realm.replace(unquotable, PercentEncoding.encode)}"`, ...pairs]).join(", ")}`
}

/**
 * Characters of the realm that are percent-encoded, because they could end its quoted string or the header. The rest of the realm
 * is written as it is.
 */
const unquotable = /[^\x20\x21\x23-\x5b\x5d-\x7e]/gu

/** Most parameters of a header. OAuth has seven. */
const MAX_PARAMETERS = 32

/**
 * Reads the header's value. Names and values are percent-decoded once, the realm is not. Fails for another scheme, a pair without
 * quotes or comma, a malformed escape, and a name that occurs twice (RFC 5849 §3.1).
 */
export const parse = (header: string): Parsed => {
  if (!scheme.test(header)) return refused("scheme", "the Authorization header does not start with OAuth")
  const parameters: Array<Parameter> = []
  let realm: string | undefined
  let at = skipBlanks(header, "OAuth".length)
  for (let count = 0; count < MAX_PARAMETERS; count++) {
    const nameEnd = skipName(header, at)
    const equals = skipBlanks(header, nameEnd)
    const open = skipBlanks(header, equals + 1)
    const close = header.indexOf('"', open + 1)
    if (nameEnd === at || header[equals] !== "=" || header[open] !== '"' || close === -1) {
      return refused("pair", `expected name="value" at character ${at} of the OAuth header`)
    }
    const rawName = header.slice(at, nameEnd)
    const rawValue = header.slice(open + 1, close)
    if (rawName === "realm" && realm === undefined) {
      realm = rawValue
    } else {
      const name = PercentEncoding.decode(rawName)
      const value = PercentEncoding.decode(rawValue)
      if (name === undefined || value === undefined)
        return refused("escape", `malformed percent-encoding in ${rawName}`)
      if (name === "realm" || parameters.some((parameter) => parameter[0] === name)) {
        return refused("twice", `${name} appears twice in the OAuth header`)
      }
      parameters.push([name, value])
    }
    at = skipBlanks(header, close + 1)
    if (at === header.length) return { ok: true, parameters, realm }
    if (header[at] !== ",") return refused("comma", `expected a comma at character ${at} of the OAuth header`)
    at = skipBlanks(header, at + 1)
  }
  return refused("many", `more than ${MAX_PARAMETERS} parameters in the OAuth header`)
}

const scheme = /^OAuth[ \t]/i

const skipName = (text: string, from: number): number => {
  let at = from
  while (PercentEncoding.unreserved[text.charCodeAt(at)] === 1 || text[at] === "%") at++
  return at
}

const skipBlanks = (text: string, from: number): number => {
  let at = from
  while (text[at] === " " || text[at] === "\t") at++
  return at
}

const refused = (problem: Problem, reason: string): Parsed => ({ ok: false, problem, reason })
