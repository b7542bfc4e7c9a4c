/**
 * The catalogue of mistakes with OAuth signatures. If two mistakes are made together, the one that comes first in the list is named
 * first.
 */

import "../OldNode.ts"
import * as crypto from "node:crypto"
import { baseStringMistakes } from "./BaseStringMistakes.ts"
import { joinMistakes } from "./JoinMistakes.ts"
import * as KeyForms from "./KeyForms.ts"
import { keyMistakes } from "./KeyMistakes.ts"
import { AMPERSAND } from "./Markup.ts"
import { type Mistake, RARE, USUAL, type Variant } from "./Mistake.ts"
import { addressMistakes } from "./OAuthAddressMistakes.ts"
import { correct, headerValue, type OAuthDraft } from "./OAuthDraft.ts"
import { parameterMistakes } from "./OAuthParameterMistakes.ts"
import { printMistakes } from "./OAuthPrintMistakes.ts"

type Variants = ReadonlyArray<Variant<OAuthDraft>>

/** The kind of the right algorithm. */
const kindOf = ({ algorithm }: OAuthDraft): "hmac" | "rsa" => (algorithm.kind === "rsa" ? "rsa" : "hmac")

/** Texts and bytes of a key file that are used as the key of an HMAC. */
const pemKeys = (pem: string): ReadonlyArray<string | Buffer> => {
  const trimmed = pem.trim()
  const body = trimmed.replaceAll(/-----[^-]*-----/g, "").replaceAll(/\s/g, "")
  const texts = [pem, trimmed, `${trimmed}\n`, trimmed.replaceAll("\n", "\r\n"), trimmed.replaceAll("\n", ""), body]
  return [...new Set(texts)].flatMap((text) => [text, `${text}&`, `${correct.encode(text)}&`])
}

const withoutKey: ReadonlyArray<readonly [detail: string, input: (text: string, key: string) => string]> = [
  ["the base string", (text) => text],
  ["base string and key", (text, key) => text + key],
  ["base string, key and &", (text, key) => `${text}${key}&`],
  ["base string, & and key", (text, key) => `${text}&${key}`],
  ["key and base string", (text, key) => key + text],
  ["key, & and base string", (text, key) => `${key}&${text}`]
]

const secretMistakes: ReadonlyArray<Mistake<OAuthDraft>> = [
  {
    id: "ampersand-missing",
    description: "The & after the control key is missing.",
    remedy: "The key of the HMAC is the control key followed by &, since the token secret is empty.",
    variants: () => [
      ["the control key alone", { secret: (key) => key }],
      ["the control key alone, percent-encoded", { secret: correct.encode }]
    ]
  },
  {
    id: "ampersand-escaped",
    description: "The & after the control key was percent-encoded.",
    remedy: "Encode the control key, and append & as it is.",
    variants: () => [
      ["%26", { secret: (key) => `${key}%26` }],
      ["& escaped for HTML", { secret: (key) => key + AMPERSAND }],
      ["another sign", { secret: (key) => `${key}+` }]
    ]
  },
  {
    id: "key-not-encoded",
    description: "The control key was not percent-encoded in the key of the HMAC.",
    remedy: "Percent-encode the control key before the &.",
    variants: (draft) => {
      return correct.secret(draft.key) === `${draft.key}&` ? [] : [["the key as it is", { secret: (key) => `${key}&` }]]
    }
  },
  {
    id: "token-secret",
    description: "Something was put after the & of the HMAC key, or the control key came after it.",
    remedy: "The key of the HMAC is the control key followed by &, and nothing else.",
    variants: (draft) => {
      const login = headerValue(draft, "oauth_consumer_key")
      const nonce = headerValue(draft, "oauth_nonce")
      return [
        ["the control key on both sides", { secret: (key) => `${key}&${key}` }],
        ["the control key after the &", { secret: (key) => `&${key}` }],
        ["the login before the &", { secret: (key) => `${login}&${key}` }],
        ["the login after the &", { secret: (key) => `${key}&${login}` }],
        ["the login and the control key, without &", { secret: (key) => login + key }],
        ["the control key and the login, without &", { secret: (key) => key + login }],
        ["the nonce after the &", { secret: (key) => `${key}&${nonce}` }],
        ...[
          "undefined",
          "null",
          "None",
          "nil",
          "false",
          '""',
          "''",
          " ",
          "\n",
          "\r\n",
          "&",
          "oauth_token_secret",
          "secret"
        ].map(
          (text, place): Variant<OAuthDraft> => [
            `${JSON.stringify(text)} after the &`,
            { secret: (key) => `${key}&${text}` },
            place < 3 ? USUAL : RARE
          ]
        )
      ]
    }
  },
  {
    id: "public-key-other",
    description: "The signature was made with the private key that belongs to another public key of yours.",
    remedy: "Use the private key whose public key is registered here: sandbox and production keys differ.",
    variants: (draft) => draft.otherPublicKeys.map(({ label, publicKey }) => [label, { publicKey }])
  },
  {
    id: "rsa-key-other",
    description: "The signature was not made with the private key that belongs to the public key.",
    remedy: "Use the private key whose public key is registered here: sandbox and production keys differ.",
    variants: (draft) =>
      draft.algorithm.kind === "rsa"
        ? [["another private key, or a public one", { algorithm: { kind: "rsa-foreign", hash: "" } }]]
        : []
  },
  {
    id: "hash-other",
    description: "Another hash was used than the signature method names.",
    remedy: "HMAC-SHA1 uses SHA-1, RSA-SHA256 uses SHA-256.",
    variants: (draft) =>
      ["md5", "sha1", "sha224", "sha256", "sha384", "sha512"]
        .filter((hash) => hash !== draft.algorithm.hash)
        .map((hash) => [`${hash} was used`, { algorithm: { kind: kindOf(draft), hash } }])
  },
  {
    id: "hmac-for-rsa",
    description: "An HMAC under the control key was made where an RSA signature is expected.",
    remedy: "Sign with the RSA private key: this operation takes RSA-SHA256.",
    variants: (draft) =>
      draft.algorithm.kind === "rsa"
        ? ["sha1", "sha256", "sha512"].flatMap(
            (hash): Variants => [
              [`HMAC-${hash}`, { algorithm: { kind: "hmac", hash } }],
              [`HMAC-${hash} without & after the key`, { algorithm: { kind: "hmac-key", hash, key: draft.key } }],
              ...draft.keyFiles.flatMap(
                ({ key, label }): Variants =>
                  pemKeys(key).map((each) => [
                    `HMAC-${hash} under ${label}`,
                    { algorithm: { kind: "hmac-key", hash, key: each } }
                  ])
              )
            ]
          )
        : []
  },
  {
    id: "rsa-for-hmac",
    description: "An RSA signature was made where an HMAC is expected.",
    remedy: "Sign with the control key: this operation takes HMAC-SHA1.",
    variants: (draft) =>
      draft.algorithm.kind === "hmac"
        ? ["sha256", "sha1", "sha512"].map((hash) => [`RSA-${hash}`, { algorithm: { kind: "rsa", hash } }])
        : []
  },
  {
    id: "rsa-pss",
    description: "The RSA signature has PSS padding.",
    remedy: "Use PKCS #1 v1.5 padding, which is meant by RSA-SHA256 here.",
    variants: () =>
      ["sha256", "sha1", "sha512"].map((hash) => [`PSS with ${hash}`, { algorithm: { kind: "rsa-pss", hash } }])
  },
  {
    id: "rsa-reversed",
    description: "The bytes of the RSA signature are in reverse order, as CryptoAPI of Windows makes them.",
    remedy: "Reverse the bytes before you put them in Base64.",
    variants: (draft) =>
      draft.algorithm.kind === "rsa"
        ? [["the last byte first", { algorithm: { kind: "rsa-reversed", hash: draft.algorithm.hash } }]]
        : []
  },
  {
    id: "rsa-bare-hash",
    description: "RSA signed the digest or the text without the name of the hash (DigestInfo).",
    remedy: "Let the library sign with SHA256withRSA; do not encrypt a digest with the private key.",
    weight: RARE,
    variants: () =>
      ["sha256", "sha1", "md5", "sha512"].map((hash) => [
        `the ${hash} alone`,
        { algorithm: { kind: "rsa-bare", hash } }
      ])
  },
  {
    id: "hash-twice",
    description: "The base string was hashed before it was signed, and then hashed again.",
    remedy: "Give the base string itself to the function that signs; it makes the hash.",
    weight: RARE,
    variants: () =>
      ["sha256", "sha1", "md5", "sha512"].flatMap(
        (name): Variants => [
          [`the bytes of its ${name}`, { bytes: (text) => crypto.hash(name, text, "buffer") }],
          [`the hex digits of its ${name}`, { bytes: (text) => crypto.hash(name, text) }],
          [`the capital hex digits of its ${name}`, { bytes: (text) => crypto.hash(name, text).toUpperCase() }],
          [`the Base64 of its ${name}`, { bytes: (text) => crypto.hash(name, text, "base64") }]
        ]
      )
  },
  {
    id: "hmac-exchanged",
    description: "Key and text of the HMAC were exchanged.",
    remedy: "The key of the HMAC is the control key followed by &; its text is the base string.",
    weight: RARE,
    variants: (draft) =>
      draft.algorithm.kind === "hmac"
        ? [["the base string as the key", { algorithm: { kind: "hmac-exchanged", hash: draft.algorithm.hash } }]]
        : []
  },
  {
    id: "hash-without-key",
    description: "The base string was only hashed, without an HMAC and without RSA.",
    remedy: "Make an HMAC with the control key, or an RSA signature, as the operation wants.",
    variants: () =>
      ["sha1", "sha256", "md5", "sha512"].flatMap(
        (hash): Variants =>
          withoutKey.map(([detail, input], place) => [
            `${hash} of ${detail}`,
            { algorithm: { kind: "hash", hash, input } },
            place < 2 && hash !== "sha512" ? USUAL : RARE
          ])
      )
  },
  {
    id: "plaintext",
    description: "The key itself was sent as the signature (PLAINTEXT). The key is no longer secret.",
    remedy: "Ask for a new control key now, and sign with the method of the operation.",
    variants: () => [["PLAINTEXT", { algorithm: { kind: "key-itself", hash: "" } }]]
  }
]

/** Adds variants in which the changed key is not percent-encoded, as most libraries of one's own leave it. */
const alsoPlain = (mistake: Mistake<OAuthDraft>): Mistake<OAuthDraft> => ({
  ...mistake,
  variants: (draft) =>
    [...mistake.variants(draft)].flatMap(([detail, steps, weight = mistake.weight ?? USUAL]): Variants => {
      const { key = draft.key } = steps
      const plain = `${key}&`
      const encoded: Variant<OAuthDraft> = [detail, steps, weight]
      return correct.secret(key) === plain ? [encoded] : [encoded, [detail, { ...steps, secret: () => plain }, weight]]
    })
})

/** A key whose characters are taken for hex digits or Base64, and may be no text. */
const keyBytes: Mistake<OAuthDraft> = {
  id: "key-decoded",
  description: "The key was decoded from Base64 or hex digits before it was used.",
  remedy: "Use the key as text, exactly as it was given to you.",
  weight: RARE,
  variants: ({ key }) =>
    KeyForms.bytes(key).flatMap(
      ([detail, bytes]): Variants => [
        [`decoded ${detail}`, { secret: () => Buffer.concat([bytes, Buffer.from("&")]) }],
        [`decoded ${detail}, without &`, { secret: () => bytes }]
      ]
    )
}

/** A mistake with the control key, which has no part in a signature by RSA. */
const ofHmac = (mistake: Mistake<OAuthDraft>): Mistake<OAuthDraft> => ({
  ...mistake,
  variants: (draft) => (kindOf(draft) === "hmac" ? mistake.variants(draft) : [])
})

export const oauthMistakes: ReadonlyArray<Mistake<OAuthDraft>> = [
  ...baseStringMistakes,
  ...parameterMistakes,
  ...addressMistakes,
  ...joinMistakes,
  ...keyMistakes<OAuthDraft>({ of: ({ key }) => key, replace: (key) => ({ key }) })
    .filter(({ id }) => id !== keyBytes.id)
    .map(alsoPlain)
    .map(ofHmac),
  ofHmac(keyBytes),
  ...secretMistakes,
  ...printMistakes
]
