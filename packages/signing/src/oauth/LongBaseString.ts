/**
 * The base string as bytes for whatever `BaseStringBytes` does not take: long values, many parameters, repeated names. Each
 * value is encoded twice in one pass, because anybody may send a long request.
 */
import type { Parameter } from "../Form.ts"
import * as PercentEncoding from "../PercentEncoding.ts"
import { BLOCK_BYTES } from "./HmacSha1.ts"

const { unreserved } = PercentEncoding
const hex = Buffer.from("0123456789ABCDEF")

/** A reserved byte becomes `%25XX`. */
const twice = (text: string): Uint8Array => {
  const bytes = Buffer.from(text)
  const out = Buffer.allocUnsafe(bytes.length * 5)
  let end = 0
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index] ?? 0
    if (unreserved[byte] === 1) {
      out[end++] = byte
    } else {
      out[end] = 0x25
      out[end + 1] = 0x32
      out[end + 2] = 0x35
      out[end + 3] = hex[byte >> 4] ?? 0
      out[end + 4] = hex[byte & 15] ?? 0
      end += 5
    }
  }
  return out.subarray(0, end)
}

/** Of one base string: for the next key that it is tried with. */
const made = new WeakMap<ReadonlyArray<Parameter>, { readonly lead: string; readonly bytes: Uint8Array }>()

/** As `BaseStringBytes.make` does. */
export const make = (method: string, baseUri: string, parameters: ReadonlyArray<Parameter>): Uint8Array => {
  const lead = `${PercentEncoding.encode(method.toUpperCase())}&${PercentEncoding.encode(baseUri)}&`
  const known = made.get(parameters)
  if (known?.lead === lead) return known.bytes
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

/** Byte order: encoded text is ASCII. */
const compare = (left: string, right: string): number => (left < right ? -1 : left > right ? 1 : 0)
