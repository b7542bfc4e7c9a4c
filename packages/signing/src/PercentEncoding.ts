/** Percent-encoding of OAuth 1.0 (RFC 5849 §3.6): unreserved characters of RFC 3986 stay, every other byte of UTF-8 is `%XX`. */

const isUnreserved = (code: number): boolean =>
  (code >= 0x61 && code <= 0x7a) || // a–z
  (code >= 0x41 && code <= 0x5a) || // A–Z
  (code >= 0x30 && code <= 0x39) || // 0–9
  code === 0x2d || // -
  code === 0x2e || // .
  code === 0x5f || // _
  code === 0x7e // ~

/** Table with one entry for each byte: 1 if encoded text contains the byte as it is, otherwise 0. */
export const unreserved: Uint8Array = Uint8Array.from({ length: 256 }, (_, byte) => (isUnreserved(byte) ? 1 : 0))

/** Length in characters above which text is encoded and decoded by the methods for long text. */
const LONG = 1024

/** Table with the encoded text of each byte. */
const encoded: ReadonlyArray<string> = Array.from({ length: 256 }, (_, byte) =>
  isUnreserved(byte) ? String.fromCharCode(byte) : `%${byte.toString(16).toUpperCase().padStart(2, "0")}`
)

/**
 * Encodes text (RFC 3986 §2.1, §2.3; RFC 5849 §3.6): UTF-8, upper-case hex, a space is `%20`. An unpaired surrogate
 * becomes U+FFFD, as in every UTF-8 encoder.
 *
 * @example encode("a b+é") === "a%20b%2B%C3%A9"
 */
export const encode = (text: string): string => {
  if (text.length > LONG) return encodeBytes(text).toString("latin1")
  let out = ""
  let start = 0
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (unreserved[code] === 1) continue
    out += text.slice(start, index)
    if (code > 0x7f) return out + encodeUtf8(text.slice(index))
    out += encoded[code]
    start = index + 1
  }
  return start === 0 ? text : out + text.slice(start)
}

const hex = Buffer.from("0123456789ABCDEF")
const percent = Buffer.from("%")

/** Encodes long text in one pass over its bytes. `prefix` begins each escape: `%`, or `%25` to encode twice in one pass. */
export const encodeBytes = (text: string, prefix: Buffer = percent): Buffer => {
  const bytes = Buffer.from(text)
  const out = Buffer.allocUnsafe(bytes.length * (prefix.length + 2))
  let end = 0
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index] ?? 0
    if (unreserved[byte] === 1) {
      out[end++] = byte
    } else {
      for (let at = 0; at < prefix.length; at++) out[end++] = prefix[at] ?? 0
      out[end++] = hex[byte >> 4] ?? 0
      out[end++] = hex[byte & 15] ?? 0
    }
  }
  return out.subarray(0, end)
}

const encodeUtf8 = (text: string): string => {
  let out = ""
  for (const byte of Buffer.from(text)) out += encoded[byte]
  return out
}

/** Decodes text once. `undefined` if an escape is malformed or the bytes are not UTF-8. A `+` stays a `+`. */
export const decode = (text: string): string | undefined => {
  let percent = text.indexOf("%")
  if (percent === -1) return text
  if (text.length > LONG) return decodeUtf8(text)
  let out = ""
  let start = 0
  for (; percent !== -1; percent = text.indexOf("%", start)) {
    const high = digit(text.charCodeAt(percent + 1))
    const low = digit(text.charCodeAt(percent + 2))
    if (high > 7 || low > 15) return decodeUtf8(text)
    out += text.slice(start, percent) + ascii[high * 16 + low]
    start = percent + 3
  }
  return out + text.slice(start)
}

/** Decodes every text that is not short with escapes of ASCII only. The text may be malformed. */
const decodeUtf8 = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

const ascii: ReadonlyArray<string> = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code))

/** Table with the values of hex digits; 16 for all other characters. */
const digits = Uint8Array.from({ length: 128 }, (_, code) => {
  const value = "0123456789abcdef".indexOf(String.fromCharCode(code).toLowerCase())
  return value === -1 ? 16 : value
})
const digit = (code: number): number => digits[code] ?? 16
