/** The `Authorization: OAuth` header (RFC 5849 §3.5.1; specification, Authentication, scheme B.1). */
import type { Parameter } from "./Form.ts"
import * as PercentEncoding from "./PercentEncoding.ts"

export type Parsed =
  | { readonly ok: true; readonly parameters: ReadonlyArray<Parameter>; readonly realm: string | undefined }
  | { readonly ok: false; readonly reason: string }

/**
 * Writes the header's value: each name and value percent-encoded, the optional realm first.
 *
 * @example write([["oauth_version", "1.0"]]) === 'OAuth oauth_version="1.0"'
 */
export const write = (parameters: ReadonlyArray<Parameter>, realm?: string): string => {
  const pairs = parameters.map(([name, value]) => `${PercentEncoding.encode(name)}="${PercentEncoding.encode(value)}"`)
  return `OAuth ${(realm === undefined ? pairs : [`realm="${realm.replace(unquotable, PercentEncoding.encode)}"`, ...pairs]).join(", ")}`
}

/** The realm is a quoted string and not percent-encoded; only what could end it, or the header, is. */
const unquotable = /[^\x20\x21\x23-\x5b\x5d-\x7e]/gu

const scheme = /^OAuth[ \t]+/i
const pair = /([^\s=",]+)[ \t]*=[ \t]*"([^"]*)"[ \t]*(?:,[ \t]*(?=[^ \t])|$)/y

/**
 * Reads the header's value. Names and values are percent-decoded once. Refused: another scheme, a pair without
 * quotes, a malformed escape, a name that appears twice (RFC 5849 §3.1).
 */
export const parse = (header: string): Parsed => {
  const lead = scheme.exec(header)
  if (lead === null) return { ok: false, reason: "the Authorization header does not start with OAuth" }
  const parameters: Array<Parameter> = []
  const seen = new Set<string>()
  let realm: string | undefined
  pair.lastIndex = lead[0].length
  while (pair.lastIndex < header.length) {
    const at = pair.lastIndex
    const match = pair.exec(header)
    if (match === null) return { ok: false, reason: `expected name="value" at character ${at} of the OAuth header` }
    const [, rawName = "", rawValue = ""] = match
    const name = PercentEncoding.decode(rawName)
    if (name === undefined) return { ok: false, reason: `malformed percent-encoding at character ${at}` }
    if (seen.has(name)) return { ok: false, reason: `${name} appears twice in the OAuth header` }
    seen.add(name)
    if (name === "realm") {
      realm = rawValue
    } else {
      const value = PercentEncoding.decode(rawValue)
      if (value === undefined) return { ok: false, reason: `malformed percent-encoding in the value of ${name}` }
      parameters.push([name, value])
    }
  }
  return { ok: true, parameters, realm }
}
