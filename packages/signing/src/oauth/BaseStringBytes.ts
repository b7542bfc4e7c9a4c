/**
 * The base string as bytes, for fast signing and verification. The base string contains the whole parameter string encoded once
 * more, so each value is encoded twice in one pass: a reserved byte becomes `%25XX`. `LongBaseString` makes the base strings that
 * this module does not take. A property test compares the results with those of `BaseString`.
 */
import type { Parameter } from "../Form.ts"
import * as PercentEncoding from "../PercentEncoding.ts"
import { BLOCK_BYTES } from "./HmacSha1.ts"
import * as LongBaseString from "./LongBaseString.ts"

/**
 * Size of the buffer for one base string, in bytes; enough for usual requests. The buffer is used within one synchronous call.
 */
export const CAPACITY = 64 * 1024
const scratch = new Uint8Array(CAPACITY)

/** Position at which the text begins. The block before it is reserved for the key of an HMAC. */
export const START = BLOCK_BYTES

/**
 * A position beyond the end, for a text that does not fit or needs another path. Later steps stay beyond the end, where the array
 * ignores writes.
 */
const UNFIT = CAPACITY + 1

/** A unit of UTF-16 takes three bytes of UTF-8 at most, each of them five when encoded twice. */
const MAX_BYTES_PER_UNIT = 15

const PERCENT = 0x25
const hex = Buffer.from("0123456789ABCDEF")
const highDigit = Uint8Array.from({ length: 256 }, (_, byte) => hex[byte >> 4] ?? 0)
const lowDigit = Uint8Array.from({ length: 256 }, (_, byte) => hex[byte & 15] ?? 0)

/** Writes text encoded twice. Returns the position after it. */
const putTwice = (text: string, at: number): number => {
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

/** Writes ASCII text encoded once. Returns the position after it. */
const putOnce = (text: string, at: number): number => {
  if (at + text.length * 3 > CAPACITY) return UNFIT
  let end = at
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code > 0x7f) return UNFIT
    if (PercentEncoding.unreserved[code] === 1) {
      scratch[end++] = code
    } else {
      end = putEncoded(code, end)
    }
  }
  return end
}

/** Writes text that has only unreserved characters. Other text needs another path, because its encoded form sorts differently. */
const putPlain = (text: string, at: number): number => {
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (PercentEncoding.unreserved[code] !== 1) return UNFIT
    scratch[at + index] = code
  }
  return at + text.length
}

const putEncoded = (byte: number, at: number): number => {
  scratch[at] = PERCENT
  scratch[at + 1] = highDigit[byte] ?? 0
  scratch[at + 2] = lowDigit[byte] ?? 0
  return at + 3
}

const AMPERSAND = 0x26
const EQUALS = 0x3d

const putLead = (method: string, baseUri: string): number => {
  let at = putPlain(method.toUpperCase(), START)
  scratch[at++] = AMPERSAND
  at = putOnce(baseUri, at)
  scratch[at++] = AMPERSAND
  return at
}

/** Returns the part of a base string that all requests to one address share, for {@link make}; `undefined` if it does not fit. */
export const lead = (method: string, baseUri: string): Uint8Array | undefined => {
  const end = putLead(method, baseUri)
  return end < UNFIT ? scratch.slice(START, end) : undefined
}

const putBytes = (bytes: Uint8Array): number => {
  scratch.set(bytes, START)
  return START + bytes.length
}

/**
 * Returns the base string of a request, after a block for the key. `parameters` are as in `BaseString.join`. The next base string
 * may overwrite the bytes.
 */
export const make = (
  method: string,
  baseUri: string,
  parameters: ReadonlyArray<Parameter>,
  prepared?: Uint8Array
): Uint8Array => {
  const start = prepared === undefined ? putLead(method, baseUri) : putBytes(prepared)
  const end = putParameters(parameters, start)
  return end < UNFIT ? scratch.subarray(0, end) : LongBaseString.make(method, baseUri, parameters)
}

const putParameters = (parameters: ReadonlyArray<Parameter>, start: number): number => {
  const sorted = sort(parameters)
  if (sorted === undefined) return UNFIT
  let at = start
  for (let index = 0; index < sorted.length; index++) {
    const parameter = sorted[index]
    if (parameter === undefined) return UNFIT
    if (index > 0) at = putEncoded(AMPERSAND, at)
    at = putEncoded(EQUALS, putPlain(parameter[0], at))
    at = putTwice(parameter[1], at)
  }
  return at
}

/** Most parameters that are sorted by insertion, which is the fastest way for few parameters and quadratic for many. */
const MOST_PARAMETERS = 64

/**
 * Sorts parameters by name and leaves `oauth_signature` out. `undefined` if a name is repeated, so that values decide the order,
 * or if there are too many parameters.
 */
const sort = (parameters: ReadonlyArray<Parameter>): ReadonlyArray<Parameter> | undefined => {
  if (parameters.length > MOST_PARAMETERS) return undefined
  const sorted: Array<Parameter> = []
  for (const parameter of parameters) {
    if (parameter[0] === "oauth_signature") continue
    let at = sorted.length
    for (; at > 0; at--) {
      const before = sorted[at - 1]
      const order = before === undefined ? -1 : compare(before[0], parameter[0])
      if (order === 0) return undefined
      if (before === undefined || order < 0) break
      sorted[at] = before
    }
    sorted[at] = parameter
  }
  return sorted
}

/** Compares two texts like `<`, but much faster if they were cut from a longer one. */
const compare = (left: string, right: string): number => {
  const length = Math.min(left.length, right.length)
  for (let index = 0; index < length; index++) {
    const difference = left.charCodeAt(index) - right.charCodeAt(index)
    if (difference !== 0) return difference
  }
  return left.length - right.length
}
