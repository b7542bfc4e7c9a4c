/** Collects the body of an answer up to a limit, because a gateway, or what answers in its place, may send without end. */
import { brotliDecompressSync, gunzipSync, inflateSync } from "node:zlib"

/** Longest body, in bytes, unless an option says otherwise. */
export const longest = 1_048_576

/** Largest number of pieces. Each costs a turn of the program, and what a server sends at once arrives in few. */
const mostPieces = 4096

/** The error of an answer that is longer than the limit. Its request may have had an effect. */
export const tooLarge = (): Error => Object.assign(new Error("answer too large"), { code: "ANSWER_TOO_LARGE" })

/** Collects bytes in one growing buffer, so that a body in pieces of one byte takes no more memory than any other. */
export class AnswerBody {
  readonly #most: number
  #buffer = new Uint8Array(0)
  #length = 0
  #pieces = 0

  constructor(most: number) {
    this.#most = most
  }

  /** Adds a piece. Returns false if the body is too long, or arrives in too many pieces. */
  add(piece: Uint8Array): boolean {
    const length = this.#length + piece.length
    this.#pieces += 1
    if (length > this.#most || this.#pieces > mostPieces) return false
    if (length > this.#buffer.length) {
      const grown = new Uint8Array(this.#length === 0 ? length : Math.min(this.#most, 2 * length))
      grown.set(this.bytes())
      this.#buffer = grown
    }
    this.#buffer.set(piece, this.#length)
    this.#length = length
    return true
  }

  bytes(): Uint8Array {
    return this.#buffer.subarray(0, this.#length)
  }
}

const decoders: Readonly<
  Record<string, ((body: Uint8Array, options: { readonly maxOutputLength: number }) => Uint8Array) | undefined>
> = {
  gzip: gunzipSync,
  "x-gzip": gunzipSync,
  deflate: inflateSync,
  br: brotliDecompressSync
}

/**
 * Returns the body without its content coding, which a server may apply although the client asks for none. Throws an error with a
 * code if the body does not have the coding, or is longer than `most` bytes without it.
 */
export const decoded = (body: Uint8Array, coding: unknown, most: number): Uint8Array => {
  const decode = typeof coding === "string" ? decoders[coding.trim().toLowerCase()] : undefined
  return decode === undefined ? body : decode(body, { maxOutputLength: most })
}

/** Reads a body as text. Fails with {@link tooLarge} as soon as it is longer than `most` bytes, and cancels the rest. */
export const read = async (body: ReadableStream<Uint8Array> | null, most: number): Promise<string> => {
  const collected = new AnswerBody(most)
  const reader = body?.getReader()
  while (reader !== undefined) {
    const { done, value } = await reader.read()
    if (done) break
    if (collected.add(value)) continue
    reader.cancel().catch(() => undefined)
    throw tooLarge()
  }
  return new TextDecoder().decode(collected.bytes())
}
