/** The keys of the two signature methods. A key is prepared once and used for many requests. */
import * as crypto from "node:crypto"
import * as PercentEncoding from "../PercentEncoding.ts"
import * as HmacSha1 from "./HmacSha1.ts"

/** The signature methods of the protocol: `oauth_signature_method`. */
export type Method = "HMAC-SHA1" | "RSA-SHA256"

interface Hmac {
  readonly method: "HMAC-SHA1"
  readonly mac: HmacSha1.Mac
}

/** A prepared key that signs by its own method. */
export type SigningKey = Hmac | { readonly method: "RSA-SHA256"; readonly privateKey: crypto.KeyObject }
/** A prepared key that verifies signatures of its own method. */
export type VerifyingKey = Hmac | { readonly method: "RSA-SHA256"; readonly publicKey: crypto.KeyObject }

/**
 * Prepares the key of HMAC-SHA1: the control key, `&`, and no token secret (docs/specification.md#hmac-and-rsa; RFC 5849
 * §3.4.2).
 */
export const hmac = (controlKey: string): Hmac => ({
  method: "HMAC-SHA1",
  mac: HmacSha1.prepare(`${PercentEncoding.encode(controlKey)}&`)
})

/** Wraps the merchant's private key from `RsaKey.privateFromPem`. */
export const rsaPrivate = (privateKey: crypto.KeyObject): SigningKey => ({ method: "RSA-SHA256", privateKey })

/** Wraps the public key that is registered for the merchant, from `RsaKey.publicFromPem`. */
export const rsaPublic = (publicKey: crypto.KeyObject): VerifyingKey => ({ method: "RSA-SHA256", publicKey })

/** Signs a text and returns Base64. The first block of `bytes` is reserved for the key of an HMAC; the text follows it. */
export const sign = (key: SigningKey, bytes: Uint8Array): string =>
  key.method === "HMAC-SHA1"
    ? key.mac(bytes)
    : crypto.sign("sha256", bytes.subarray(HmacSha1.BLOCK_BYTES), key.privateKey).toString("base64")

/** {@link sign} with RSA on the thread pool. `bytes` may change as soon as the promise is returned. */
export const signOnPool = (key: SigningKey, bytes: Uint8Array): Promise<string> =>
  new Promise((resolve, reject) => {
    if (key.method === "HMAC-SHA1") return resolve(key.mac(bytes))
    crypto.sign("sha256", Buffer.from(bytes.subarray(HmacSha1.BLOCK_BYTES)), key.privateKey, (error, signature) =>
      error === null ? resolve(signature.toString("base64")) : reject(error)
    )
  })

/**
 * Whether the signature belongs to the text in `bytes`. Only canonical Base64 is accepted. RSA is verified on the calling thread:
 * it takes about thirty microseconds, less than the transfer to the pool.
 */
export const verify = (key: VerifyingKey, bytes: Uint8Array, signature: string): boolean => {
  const received = Buffer.from(signature, "base64")
  if (received.toString("base64") !== signature) return false
  if (key.method === "RSA-SHA256") {
    return (
      key.publicKey.type === "public" &&
      crypto.verify("sha256", bytes.subarray(HmacSha1.BLOCK_BYTES), key.publicKey, received)
    )
  }
  const expected = Buffer.from(key.mac(bytes), "base64")
  return received.length === expected.length && crypto.timingSafeEqual(received, expected)
}
