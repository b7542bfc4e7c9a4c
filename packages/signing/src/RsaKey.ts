/** Loads RSA keys from PEM text and checks them (docs/specification.md#hmac-and-rsa). */
import { createPrivateKey, createPublicKey, type KeyObject } from "node:crypto"

/** Shortest accepted key, in bits (docs/specification.md#hmac-and-rsa). */
export const MIN_BITS = 2048

/** Why a text is refused as a key. `TooShort` has the length of the key in bits. */
export type Reason =
  | { readonly _tag: "Malformed" }
  | { readonly _tag: "Encrypted" }
  | { readonly _tag: "NotRsa"; readonly type: string }
  | { readonly _tag: "TooShort"; readonly bits: number }
  /** The text is a private key, but a public key is required. A private key must stay with the merchant. */
  | { readonly _tag: "PrivateKeyGiven" }
  | { readonly _tag: "PublicKeyGiven" }

/** A loaded key, or why the text was refused. */
export type Loaded = { readonly ok: true; readonly key: KeyObject } | { readonly ok: false; readonly reason: Reason }

/** Loads the merchant's signing key: PKCS#8 (`PRIVATE KEY`) or PKCS#1 (`RSA PRIVATE KEY`), without a passphrase. */
export const privateFromPem = (pem: string): Loaded => {
  const kind = kindOf(pem)
  if (kind === "public") return refused({ _tag: "PublicKeyGiven" })
  if (kind === "encrypted") return refused({ _tag: "Encrypted" })
  return kind === "private" ? load(() => createPrivateKey(pem)) : refused({ _tag: "Malformed" })
}

/** Loads the merchant's public key as registered with the gateway: SPKI (`PUBLIC KEY`) or PKCS#1 (`RSA PUBLIC KEY`). */
export const publicFromPem = (pem: string): Loaded => {
  const kind = kindOf(pem)
  if (kind === "private" || kind === "encrypted") return refused({ _tag: "PrivateKeyGiven" })
  return kind === "public" ? load(() => createPublicKey(pem)) : refused({ _tag: "Malformed" })
}

const kinds: Readonly<Record<string, "private" | "public" | "encrypted">> = {
  "PRIVATE KEY": "private",
  "RSA PRIVATE KEY": "private",
  "EC PRIVATE KEY": "private",
  "ENCRYPTED PRIVATE KEY": "encrypted",
  "PUBLIC KEY": "public",
  "RSA PUBLIC KEY": "public"
}

/**
 * Returns the kind of key that the PEM label names. `createPublicKey` would accept a private key or a certificate without an
 * error.
 */
const kindOf = (pem: string) => {
  const label = /-----BEGIN ([A-Z ]+)-----/.exec(pem)?.[1] ?? ""
  return pem.includes("Proc-Type: 4,ENCRYPTED") ? "encrypted" : kinds[label]
}

const load = (read: () => KeyObject): Loaded => {
  let key: KeyObject
  try {
    key = read()
  } catch {
    return refused({ _tag: "Malformed" })
  }
  if (key.asymmetricKeyType !== "rsa") return refused({ _tag: "NotRsa", type: key.asymmetricKeyType ?? key.type })
  const bits = key.asymmetricKeyDetails?.modulusLength ?? 0
  return bits < MIN_BITS ? refused({ _tag: "TooShort", bits }) : { ok: true, key }
}

const refused = (reason: Reason): Loaded => ({ ok: false, reason })
