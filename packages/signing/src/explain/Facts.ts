/** Facts about a signature that no known mistake explains: what its form alone shows. */
import type { KeyObject } from "node:crypto"
import * as OAuthCheck from "./OAuthCheck.ts"

const lengths: Readonly<Record<number, string>> = {
  32: "MD5",
  40: "SHA-1",
  56: "SHA-224",
  64: "SHA-256",
  96: "SHA-384",
  128: "SHA-512"
}

/** Returns what the text of a control shows. */
export const ofControl = (received: string): ReadonlyArray<string> => {
  const { length } = received
  if (!/^[0-9a-f]*$/i.test(received))
    return [`The control is ${length} characters long and not hex digits alone; it must be 40 hex digits.`]
  if (length === 40) return ["The control has the form of a SHA-1: the key, or one of the values, is another one."]
  const name = lengths[length]
  return [
    `The control has ${length} hex digits${name === undefined ? "" : `, as ${name} has`}; it must be 40, as SHA-1 has.`
  ]
}

const SHA1_BYTES = 20

const ofHmac = (received: string): ReadonlyArray<string> => {
  const bytes = Buffer.from(received, "base64").length
  return bytes === SHA1_BYTES
    ? ["The signature has the length of an HMAC-SHA1: the key, or a part of the text, is another one."]
    : [`The signature has ${bytes} bytes; an HMAC-SHA1 has ${SHA1_BYTES}.`]
}

const ofRsa = (received: string, publicKey: KeyObject): ReadonlyArray<string> => {
  const content = OAuthCheck.contentOf(received, publicKey)
  switch (content.kind) {
    case "digest":
      return [
        `The private key is the right one, and its signature is over ${content.hash}: only the text that was signed differs.`
      ]
    case "reversed":
      return [
        "The private key is the right one, but the bytes of the signature are in reverse order, and its text differs."
      ]
    case "cut":
      return ["The signature has a length that no RSA signature has: a part of it was lost on the way, or it is none."]
    case "bare":
      return ["The private key is the right one, but it signed other bytes than the hash of a text with its name."]
    case "pss":
      return ["The signature seems to have PSS padding, and its text differs, too; PKCS #1 v1.5 is expected."]
    case "foreign":
      return ["The signature was not made with the private key that belongs to this public key."]
  }
}

/** Returns what the text of an OAuth signature shows. */
export const ofOAuth = (received: string, expected: "HMAC-SHA1" | "RSA-SHA256", publicKey?: KeyObject) =>
  expected === "HMAC-SHA1" ? ofHmac(received) : publicKey === undefined ? [] : ofRsa(received, publicKey)
