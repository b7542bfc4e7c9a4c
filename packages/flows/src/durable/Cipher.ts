/**
 * Encrypts the values that a durable flow stores, with AES-256-GCM (NIST SP 800-38D). Each value has its own key, which is derived
 * from the given key and the place where the value is stored (HMAC-SHA256, a KDF in counter mode with one block, SP 800-108). An
 * encrypted value therefore cannot be decrypted for another place, and no key encrypts so many values that a random nonce repeats.
 *
 * | bytes | what |
 * |---|---|
 * | 1 | layout: 1 |
 * | 4 | id of the key: the start of an HMAC under it |
 * | 12 + 16 | nonce, tag; the five bytes above and the place are authenticated |
 * | rest | the text, encrypted |
 */
import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  type KeyObject,
  randomFillSync,
  timingSafeEqual
} from "node:crypto"
import type { Cipher } from "@pay/workflow-sqlite/Executions"
import { Effect, Redacted, Schema } from "effect"

/** A key is not 32 bytes in base64. */
export class KeyUnfit extends Schema.TaggedError<KeyUnfit>()("KeyUnfit", {}) {
  override get message(): string {
    return "a key of durable flows is 32 random bytes in base64: `openssl rand -base64 32` makes one"
  }
}

/** The keys of a cipher. */
export interface Options {
  /** The current key: 32 random bytes in base64. It encrypts all new values. */
  readonly key: Redacted.Redacted<string>
  /** Earlier keys, which only decrypt. A key may be removed once no stored value is encrypted with it. */
  readonly formerKeys?: ReadonlyArray<Redacted.Redacted<string>>
}

export type { Cipher } from "@pay/workflow-sqlite/Executions"

const layout = 1
const idBytes = 4
const nonceAt = 1 + idBytes
const nonceBytes = 12
const tagAt = nonceAt + nonceBytes
const textAt = tagAt + 16
const algorithm = "aes-256-gcm"

interface Key {
  readonly id: Buffer
  readonly secret: KeyObject
}

const hmac = (secret: KeyObject, purpose: string, text: string): Buffer =>
  createHmac("sha256", secret).update(`pay/flows/${purpose}\0`).update(text).digest()

const keyOf = (encoded: Redacted.Redacted<string>): Effect.Effect<Key, KeyUnfit> =>
  Effect.suspend(() => {
    const bytes = Buffer.from(Redacted.value(encoded), "base64")
    if (bytes.length !== 32) return Effect.fail(new KeyUnfit())
    const secret = createSecretKey(bytes)
    bytes.fill(0)
    return Effect.succeed({ secret, id: hmac(secret, "id", "").subarray(0, idBytes) })
  })

const encryptionKey = ({ secret }: Key, place: string): Buffer => hmac(secret, "encrypt", place)

/** Returns a source of nonces. Random bytes are made for many at once, because a call for each takes as long as an encryption. */
const nonces = (): (() => Buffer) => {
  const bytes = Buffer.alloc(nonceBytes * 256)
  let at = bytes.length
  return () => {
    if (at === bytes.length) {
      randomFillSync(bytes)
      at = 0
    }
    at += nonceBytes
    return bytes.subarray(at - nonceBytes, at)
  }
}

/** Makes a cipher. Fails with {@link KeyUnfit} if a key is not valid. */
export const make = Effect.fnUntraced(function* (options: Options): Effect.fn.Return<Cipher, KeyUnfit> {
  const current = yield* keyOf(options.key)
  const keys = [current, ...(yield* Effect.forEach(options.formerKeys ?? [], keyOf))]
  const find = (id: Buffer) => keys.find((key) => key.id.equals(id))
  const print = (key: Key, plain: string) => hmac(key.secret, "fingerprint", plain)
  const nonceOf = nonces()
  return {
    encrypt: (plain, place) => {
      const head = Buffer.concat([Buffer.of(layout), current.id])
      const nonce = nonceOf()
      const cipher = createCipheriv(algorithm, encryptionKey(current, place), nonce)
      cipher.setAAD(Buffer.concat([head, Buffer.from(place)]))
      const text = Buffer.concat([cipher.update(plain, "utf8"), cipher.final()])
      return Buffer.concat([head, nonce, cipher.getAuthTag(), text])
    },
    decrypt: (encrypted, place) => {
      const bytes = Buffer.from(encrypted.buffer, encrypted.byteOffset, encrypted.byteLength)
      if (bytes.length < textAt || bytes[0] !== layout)
        throw new Error("this is not an encrypted value of a durable flow")
      const key = find(bytes.subarray(1, nonceAt))
      if (key === undefined) throw new Error("encrypted with a key that is not available: add it to formerKeys")
      const decipher = createDecipheriv(algorithm, encryptionKey(key, place), bytes.subarray(nonceAt, tagAt))
      decipher.setAAD(Buffer.concat([bytes.subarray(0, nonceAt), Buffer.from(place)]))
      decipher.setAuthTag(bytes.subarray(tagAt, textAt))
      try {
        return Buffer.concat([decipher.update(bytes.subarray(textAt)), decipher.final()]).toString("utf8")
      } catch {
        throw new Error("the value was changed after it was encrypted, or was moved from its place")
      }
    },
    fingerprint: (plain) => Buffer.concat([current.id, print(current, plain)]).toString("hex"),
    matches: (plain, fingerprint) => {
      const bytes = Buffer.from(fingerprint, "hex")
      const key = find(bytes.subarray(0, idBytes))
      const keyBytes = bytes.subarray(idBytes)
      return key !== undefined && keyBytes.length === 32 && timingSafeEqual(print(key, plain), keyBytes)
    }
  }
})
