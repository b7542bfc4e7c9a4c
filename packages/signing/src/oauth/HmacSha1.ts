/**
 * HMAC-SHA1 (RFC 2104) with a key that is prepared once. It makes two one-shot hashes, which are cheaper than `createHmac` for
 * texts as short as a base string.
 */
import "../OldNode.ts"
import * as crypto from "node:crypto"

/** Block size of SHA-1, in bytes. The padded key fills one block. */
export const BLOCK_BYTES = 64
const DIGEST_BYTES = 20

/**
 * Computes the HMAC of all bytes after the first block, in Base64. The first block is overwritten with the key. The key is in a
 * closure, so that no printer shows it.
 */
export type Mac = (bytes: Uint8Array) => string

/** Prepares the key of an HMAC. */
export const prepare = (secret: string): Mac => {
  const bytes = Buffer.from(secret)
  const key = bytes.length > BLOCK_BYTES ? crypto.hash("sha1", bytes, "buffer") : bytes
  const inner = new Uint8Array(BLOCK_BYTES).fill(0x36)
  const outer = Buffer.alloc(BLOCK_BYTES + DIGEST_BYTES, 0x5c)
  for (const [index, byte] of key.entries()) {
    inner[index] = byte ^ 0x36
    outer[index] = byte ^ 0x5c
  }
  return (text) => {
    text.set(inner)
    // The hash is passed on as one character for each byte: a string costs a third of what a Buffer costs.
    outer.write(crypto.hash("sha1", text, "latin1"), BLOCK_BYTES, "latin1")
    return crypto.hash("sha1", outer, "base64")
  }
}
