/**
 * The base string as bytes, for fast signing and verification. The base string contains the whole parameter string encoded once
 * more, so each value is encoded twice in one pass: a reserved byte becomes `%25XX`. `LongBaseString` makes the base strings that
 * this module does not take. A property test compares the results with those of `BaseString`.
 */
import { endianness } from "node:os"
import type { Parameter } from "../Form.ts"
import * as PercentEncoding from "../PercentEncoding.ts"
import { BLOCK_BYTES } from "./HmacSha1.ts"
import * as LongBaseString from "./LongBaseString.ts"

/**
 * Size of the buffer for one base string, in bytes; enough for usual requests. The buffer is used within one synchronous call.
 */
export const CAPACITY = 64 * 1024
const buffer = new ArrayBuffer(CAPACITY)
const scratch = new Uint8Array(buffer)
const scratchView = new DataView(buffer)
const LITTLE_ENDIAN = endianness() === "LE"

/** Position at which the text begins. The block before it is reserved for the key of an HMAC. */
export const START = BLOCK_BYTES

/** The position that stands for a text that does not fit or needs another path. Every later step returns it unchanged. */
export const UNFIT = CAPACITY + 1

/** A unit of UTF-16 takes three bytes of UTF-8 at most, each of them five when encoded twice. */
const MAX_BYTES_PER_UNIT = 15

const PERCENT = 0x25
const hex = Buffer.from("0123456789ABCDEF")
const highDigit = Uint8Array.from({ length: 256 }, (_, byte) => hex[byte >> 4] ?? 0)
const lowDigit = Uint8Array.from({ length: 256 }, (_, byte) => hex[byte & 15] ?? 0)

/** Returns the bytes from the block for the key to the end of the text. The next base string overwrites them. */
export const view = (end: number): Uint8Array => new Uint8Array(buffer, 0, end)

/** ASCII text prepared for {@link putAscii}: four bytes in one step. */
export interface Ascii {
  readonly words: Int32Array
  readonly length: number
}

export const ascii = (text: string): Ascii => {
  const words = new Int32Array(Math.ceil(text.length / 4))
  const bytes = new DataView(words.buffer)
  for (let index = 0; index < text.length; index++) bytes.setUint8(index, text.charCodeAt(index))
  return { words, length: text.length }
}

/** Writes bytes at the start of the text. Returns the position after them. */
export const putStart = (bytes: Uint8Array): number => {
  if (START + bytes.length > CAPACITY) return UNFIT
  scratch.set(bytes, START)
  return START + bytes.length
}

/**
 * Copies prepared text and returns the position after it. Up to three bytes after the text are overwritten too, so the text that
 * follows must be written later.
 */
export const putAscii = ({ words, length }: Ascii, at: number): number => {
  if (at + length + 3 > CAPACITY) return UNFIT
  for (let index = 0; index < words.length; index++)
    scratchView.setInt32(at + index * 4, words[index] ?? 0, LITTLE_ENDIAN)
  return at + length
}

/** Writes text encoded twice. Returns the position after it. */
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

// The next two functions do not check the remaining space. The array ignores writes past its end, and the `putAscii` that always
// follows returns `UNFIT`.

/** Writes ASCII text encoded once. Returns the position after it. */
const putOnce = (text: string, at: number): number => {
  let end = at
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (PercentEncoding.unreserved[code] === 1) {
      scratch[end++] = code
    } else {
      if (code > 0x7f) return UNFIT
      scratch[end] = PERCENT
      scratch[end + 1] = highDigit[code] ?? 0
      scratch[end + 2] = lowDigit[code] ?? 0
      end += 3
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

const AMPERSAND = ascii("&")
const AND = ascii("%26")
const EQUALS = ascii("%3D")

/** Returns the base string of a request, after a block for the key. `parameters` are as in `BaseString.join`. */
export const make = (method: string, baseUri: string, parameters: ReadonlyArray<Parameter>): Uint8Array => {
  const end = write(method, baseUri, parameters)
  return end === UNFIT ? LongBaseString.make(method, baseUri, parameters) : view(end)
}

const write = (method: string, baseUri: string, parameters: ReadonlyArray<Parameter>): number => {
  const sorted = sort(parameters)
  if (sorted === undefined) return UNFIT
  let at = putAscii(AMPERSAND, putPlain(method.toUpperCase(), START))
  at = putAscii(AMPERSAND, putOnce(baseUri, at))
  for (let index = 0; index < sorted.length; index++) {
    const parameter = sorted[index]
    if (parameter === undefined || at === UNFIT) return UNFIT
    if (index > 0) at = putAscii(AND, at)
    at = putPlain(parameter[0], at)
    if (at === UNFIT) return UNFIT
    at = putTwice(parameter[1], putAscii(EQUALS, at))
  }
  return at
}

/** Returns the first two parts of a base string, each with the `&` after it. */
export const lead = (method: string, baseUri: string): Buffer =>
  Buffer.from(`${method.toUpperCase()}&${PercentEncoding.encode(baseUri)}&`)

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
