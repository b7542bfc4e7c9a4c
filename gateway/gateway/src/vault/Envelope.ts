/**
 * An encrypted value: AES-256-GCM (NIST SP 800-38D) under a data key of its own, which is itself encrypted by a named key. To
 * change that key, only the wrapping is done again; the value is not touched.
 *
 * | bytes | what |
 * |---|---|
 * | 1 | kind: 1 at rest, 2 short-lived; also the layout's version |
 * | 4 | id of the wrapping key, big endian |
 * | 12 + 32 + 16 | nonce, data key encrypted by the wrapping key, tag; the five bytes above are authenticated with it |
 * | 12 + 16 | nonce and tag of the value |
 * | rest | the value encrypted by the data key; kind and what it is bound to are authenticated with it |
 *
 * Nonces are random: one wrapping key may encrypt 2^32 values (SP 800-38D §8.3), then it has to be replaced.
 */
import { createCipheriv, createDecipheriv, type KeyObject, randomFillSync } from "node:crypto"
import { Result } from "effect"

export const atRest = 1
export const shortLived = 2
export type Kind = typeof atRest | typeof shortLived

export interface WrappingKey {
  readonly id: number
  readonly key: KeyObject
}

export type Find = (id: number) => KeyObject | undefined

const algorithm = "aes-256-gcm"
const nonceBytes = 12
const keyBytes = 32
const tagBytes = 16

const wrapNonceAt = 5
const wrappedAt = wrapNonceAt + nonceBytes
const wrapTagAt = wrappedAt + keyBytes
const nonceAt = wrapTagAt + tagBytes
const tagAt = nonceAt + nonceBytes
const valueAt = tagAt + tagBytes

/** Fills part of a buffer with random bytes for keys and nonces. */
export type Fill = (target: Buffer, offset: number, length: number) => void

/**
 * Returns a {@link Fill} that reads random bytes from the system in large pieces, because a call for each key would cost more
 * than AES. No byte is used twice or stays in the pool.
 */
export const randomFill = (pool: Buffer = Buffer.alloc(16_384)): Fill => {
  let used = pool.length
  return (target, offset, length) => {
    if (used + length > pool.length) {
      randomFillSync(pool)
      used = 0
    }
    pool.copy(target, offset, used, used + length)
    pool.fill(0, used, used + length)
    used += length
  }
}

const random = randomFill()

/** Buffer for the data key of the current call, which overwrites it with zeros. */
const dataKey = Buffer.alloc(keyBytes)

export const encrypt = (kind: Kind, by: WrappingKey, plain: string, bound: string): Buffer => {
  const envelope = Buffer.allocUnsafe(valueAt + Buffer.byteLength(plain))
  envelope[0] = kind
  random(dataKey, 0, keyBytes)
  wrap(envelope, by)
  random(envelope, nonceAt, nonceBytes)
  const cipher = createCipheriv(algorithm, dataKey, envelope.subarray(nonceAt, tagAt))
  dataKey.fill(0)
  cipher.setAAD(Buffer.from(String.fromCharCode(kind) + bound))
  cipher.update(plain, "utf8").copy(envelope, valueAt)
  cipher.final()
  cipher.getAuthTag().copy(envelope, tagAt)
  return envelope
}

/** Writes the head of an encrypted value: `dataKey`, encrypted by the wrapping key. */
const wrap = (envelope: Buffer, { id, key }: WrappingKey): void => {
  envelope.writeUInt32BE(id, 1)
  random(envelope, wrapNonceAt, nonceBytes)
  const cipher = createCipheriv(algorithm, key, envelope.subarray(wrapNonceAt, wrappedAt))
  cipher.setAAD(envelope.subarray(0, wrapNonceAt))
  cipher.update(dataKey).copy(envelope, wrappedAt)
  cipher.final()
  cipher.getAuthTag().copy(envelope, wrapTagAt)
}

/** Returns the id of the wrapping key. `undefined`: the bytes are too short for an encrypted value. */
export const keyId = (envelope: Uint8Array): number | undefined =>
  envelope.length < valueAt ? undefined : view(envelope).readUInt32BE(1)

/** Returns the decrypted value, or fails with the reason. */
export const decrypt = (kind: Kind, find: Find, envelope: Uint8Array, bound: string): Result.Result<string, string> =>
  Result.flatMap(unwrap(kind, find, envelope), (bytes) => {
    const decipher = createDecipheriv(algorithm, dataKey, bytes.subarray(nonceAt, tagAt))
    dataKey.fill(0)
    decipher.setAAD(Buffer.from(String.fromCharCode(kind) + bound))
    decipher.setAuthTag(bytes.subarray(tagAt, valueAt))
    const plain = decipher.update(bytes.subarray(valueAt))
    return Result.map(authentic(decipher), () => plain.toString("utf8"))
  })

/** Returns the same value under another key. The value itself is not decrypted. */
export const reencrypt = (find: Find, by: WrappingKey, envelope: Uint8Array): Result.Result<Buffer, string> =>
  Result.map(unwrap(atRest, find, envelope), (bytes) => {
    const again = Buffer.from(bytes)
    wrap(again, by)
    dataKey.fill(0)
    return again
  })

/** Decrypts the data key into `dataKey`. */
const unwrap = (kind: Kind, find: Find, envelope: Uint8Array): Result.Result<Buffer, string> => {
  const bytes = view(envelope)
  if (bytes.length < valueAt || bytes[0] !== kind) return Result.fail("not an encrypted value of this kind")
  const id = bytes.readUInt32BE(1)
  const key = find(id)
  if (key === undefined) return Result.fail(`its key ${id} does not exist here`)
  const decipher = createDecipheriv(algorithm, key, bytes.subarray(wrapNonceAt, wrappedAt))
  decipher.setAAD(bytes.subarray(0, wrapNonceAt))
  decipher.setAuthTag(bytes.subarray(wrapTagAt, nonceAt))
  decipher.update(bytes.subarray(wrappedAt, wrapTagAt)).copy(dataKey)
  return Result.map(authentic(decipher), () => bytes)
}

const authentic = (decipher: { readonly final: () => Buffer }): Result.Result<void, string> => {
  try {
    decipher.final()
    return Result.void
  } catch {
    dataKey.fill(0)
    return Result.fail("changed since it was encrypted, or bound to something else")
  }
}

const view = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
