/**
 * The base string as bytes for requests that `BaseStringBytes` does not take: long values, many parameters, repeated names. Each
 * value is encoded twice in one pass, because anyone may send a long request.
 */
import type { Parameter } from "../Form.ts"
import * as PercentEncoding from "../PercentEncoding.ts"
import { BLOCK_BYTES } from "./HmacSha1.ts"

const percentEncoded = Buffer.from("%25")

/** Encodes text twice. A reserved byte becomes `%25XX`. */
const twice = (text: string): Uint8Array => PercentEncoding.encodeBytes(text, percentEncoded)

/** Base strings by their parameters, because one base string may be verified with several keys. */
const made = new WeakMap<ReadonlyArray<Parameter>, { readonly lead: string; readonly bytes: Uint8Array }>()

/** Makes a base string, as `BaseStringBytes.make` does. */
export const make = (method: string, baseUri: string, parameters: ReadonlyArray<Parameter>): Uint8Array => {
  const lead = `${PercentEncoding.encode(method.toUpperCase())}&${PercentEncoding.encode(baseUri)}&`
  const cached = made.get(parameters)
  if (cached?.lead === lead) return cached.bytes
  const sorted = parameters
    .filter(([name]) => name !== "oauth_signature")
    .map(([name, value]) => ({ name: PercentEncoding.encode(name), value: twice(value) }))
    .sort((left, right) => compare(left.name, right.name) || Buffer.compare(left.value, right.value))
  const pieces: Array<Uint8Array> = [Buffer.alloc(BLOCK_BYTES), Buffer.from(lead)]
  for (const [index, { name, value }] of sorted.entries()) {
    pieces.push(Buffer.from(`${index === 0 ? "" : "%26"}${PercentEncoding.encode(name)}%3D`), value)
  }
  const bytes = Buffer.concat(pieces)
  made.set(parameters, { lead, bytes })
  return bytes
}

/** Compares in byte order. Encoded text is ASCII, so the order of characters is the order of bytes. */
const compare = (left: string, right: string): number => (left < right ? -1 : left > right ? 1 : 0)
