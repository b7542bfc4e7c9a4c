/**
 * The base string as bytes, for signing and verifying at speed. The parameter string is encoded as a whole once more
 * in the base string, so each value is encoded twice in one pass: a reserved byte becomes `%25XX`. `BaseString` is the
 * general path; whatever this one does not take goes there, and a property test shows that they agree.
 */
import * as BaseString from "./BaseString.ts"
import type { Parameter } from "./Form.ts"
import { BLOCK_BYTES } from "./HmacSha1.ts"
import * as PercentEncoding from "./PercentEncoding.ts"

/** Room for base strings of everyday size. Used within one synchronous call and never handed out. */
export const CAPACITY = 64 * 1024
const scratch = Buffer.allocUnsafeSlow(CAPACITY)

/** The text begins here; the block before it is room for the key of an HMAC. */
export const START = BLOCK_BYTES

/** In place of a position: the text does not fit, or needs the general path. It stays so in every later step. */
export const UNFIT = CAPACITY + 1

/** A unit of UTF-16 takes three bytes of UTF-8 at most, each of them five when encoded twice. */
const MAX_BYTES_PER_UNIT = 15

const PERCENT = 0x25
const hex = Buffer.from("0123456789ABCDEF")
const highDigit = Uint8Array.from({ length: 256 }, (_, byte) => hex[byte >> 4] ?? 0)
const lowDigit = Uint8Array.from({ length: 256 }, (_, byte) => hex[byte & 15] ?? 0)

/** The bytes from the room for the key to the end of the text. They change with the next base string. */
export const view = (end: number): Buffer => scratch.subarray(0, end)

/** Copies prepared bytes. */
export const putBytes = (bytes: Uint8Array, at: number): number => {
  const end = at + bytes.length
  if (end > CAPACITY) return UNFIT
  for (let index = 0; index < bytes.length; index++) scratch[at + index] = bytes[index] ?? 0
  return end
}

/** Writes text encoded twice. */
export const putTwice = (text: string, at: number): number => {
  if (at + text.length * MAX_BYTES_PER_UNIT > CAPACITY) return UNFIT
  let end = at
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code > 0x7f) return putTwiceUtf8(text, at)
    if (PercentEncoding.unreserved[code] === 1) {
      scratch[end++] = code
    } else {
      end = putReserved(code, end)
    }
  }
  return end
}

const putTwiceUtf8 = (text: string, at: number): number => {
  let end = at
  for (const byte of Buffer.from(text)) {
    if (PercentEncoding.unreserved[byte] === 1) {
      scratch[end++] = byte
    } else {
      end = putReserved(byte, end)
    }
  }
  return end
}

const putReserved = (byte: number, at: number): number => {
  scratch[at] = PERCENT
  scratch[at + 1] = 0x32
  scratch[at + 2] = 0x35
  scratch[at + 3] = highDigit[byte] ?? 0
  scratch[at + 4] = lowDigit[byte] ?? 0
  return at + 5
}

/** Writes text that is only unreserved characters; other text needs the general path, since it sorts differently. */
const putPlain = (text: string, at: number): number => {
  if (at + text.length > CAPACITY) return UNFIT
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code > 0x7f || PercentEncoding.unreserved[code] === 0) return UNFIT
    scratch[at + index] = code
  }
  return at + text.length
}

const AND = Buffer.from("%26")
const EQUALS = Buffer.from("%3D")

/**
 * The base string of a request, with room for the key before it. `parameters` as in `BaseString.join`.
 */
export const make = (method: string, baseUri: string, parameters: ReadonlyArray<Parameter>): Uint8Array => {
  const end = write(method, baseUri, parameters)
  if (end !== UNFIT) return view(end)
  const text = BaseString.join(method, baseUri, parameters)
  const bytes = Buffer.allocUnsafe(START + text.length)
  bytes.write(text, START, "latin1")
  return bytes
}

const write = (method: string, baseUri: string, parameters: ReadonlyArray<Parameter>): number => {
  const sorted = sort(parameters)
  if (sorted === undefined) return UNFIT
  let at = putBytes(lead(method, baseUri), START)
  for (let index = 0; index < sorted.length; index++) {
    const parameter = sorted[index]
    if (parameter === undefined || at === UNFIT) return UNFIT
    if (index > 0) at = putBytes(AND, at)
    at = putPlain(parameter[0], at)
    if (at === UNFIT) return UNFIT
    at = putTwice(parameter[1], putBytes(EQUALS, at))
  }
  return at
}

/** The first two parts and the `&` after each. */
export const lead = (method: string, baseUri: string): Buffer =>
  Buffer.from(`${method.toUpperCase()}&${PercentEncoding.encode(baseUri)}&`)

/** By name, without `oauth_signature`. `undefined`: a name is repeated, so that values decide. */
const sort = (parameters: ReadonlyArray<Parameter>): ReadonlyArray<Parameter> | undefined => {
  const sorted: Array<Parameter> = []
  for (const parameter of parameters) {
    if (parameter[0] === "oauth_signature") continue
    let at = sorted.length
    for (; at > 0; at--) {
      const before = sorted[at - 1]
      if (before === undefined || before[0] < parameter[0]) break
      if (before[0] === parameter[0]) return undefined
      sorted[at] = before
    }
    sorted[at] = parameter
  }
  return sorted
}
