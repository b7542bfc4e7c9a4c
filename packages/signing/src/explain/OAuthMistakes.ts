/**
 * The catalogue of mistakes with OAuth signatures. If two mistakes are combined, the one that comes first in the list is made
 * first.
 */

import "../OldNode.ts"
import * as crypto from "node:crypto"
import * as PercentEncoding from "../PercentEncoding.ts"
import { baseStringMistakes } from "./BaseStringMistakes.ts"
import { joinMistakes } from "./JoinMistakes.ts"
import { keyMistakes } from "./KeyMistakes.ts"
import type { Mistake, Variant } from "./Mistake.ts"
import { addressMistakes } from "./OAuthAddressMistakes.ts"
import type { OAuthDraft } from "./OAuthDraft.ts"
import { parameterMistakes } from "./OAuthParameterMistakes.ts"

type Variants = ReadonlyArray<Variant<OAuthDraft>>

const printed = (draft: OAuthDraft, print: (base64: string, signature: Buffer) => string): OAuthDraft => ({
  ...draft,
  print: (signature) => print(signature.toString("base64"), signature)
})

const lines = (text: string, width: number, end: string): string =>
  text.replace(new RegExp(`.{${width}}(?=.)`, "g"), (line) => line + end)

const secretMistakes: ReadonlyArray<Mistake<OAuthDraft>> = [
  {
    id: "ampersand-missing",
    description: "The & after the control key is missing.",
    remedy: "The key of the HMAC is the control key followed by &, since the token secret is empty.",
    aspect: "secret",
    variants: (draft) => [["the control key alone", { ...draft, secret: (key) => key }]]
  },
  {
    id: "ampersand-escaped",
    description: "The & after the control key was percent-encoded.",
    remedy: "Encode the control key, and append & as it is.",
    aspect: "secret",
    variants: (draft) => [["%26", { ...draft, secret: (key) => `${key}%26` }]]
  },
  {
    id: "key-not-encoded",
    description: "The control key was not percent-encoded in the key of the HMAC.",
    remedy: "Percent-encode the control key before the &.",
    aspect: "secret",
    variants: (draft) => {
      const plain = `${draft.key}&`
      return draft.secret(draft.key) === plain ? [] : [["the key as it is", { ...draft, secret: (key) => `${key}&` }]]
    }
  },
  {
    id: "token-secret",
    description: "Something was put after the & of the HMAC key, or the control key came after it.",
    remedy: "The key of the HMAC is the control key followed by &, and nothing else.",
    aspect: "secret",
    variants: (draft) => {
      const login = draft.protocol.find(([name]) => name === "oauth_consumer_key")?.[1] ?? ""
      return [
        ["the control key on both sides", { ...draft, secret: (key) => `${key}&${key}` }],
        ["the control key after the &", { ...draft, secret: (key) => `&${key}` }],
        ["the login before the &", { ...draft, secret: (key) => `${login}&${key}` }],
        ["the login after the &", { ...draft, secret: (key) => `${key}&${login}` }]
      ]
    }
  },
  {
    id: "public-key-other",
    description: "The signature was made with the private key that belongs to another public key of yours.",
    remedy: "Use the private key whose public key is registered here: sandbox and production keys differ.",
    aspect: "key",
    variants: (draft) => draft.otherPublicKeys.map(({ label, publicKey }) => [label, { ...draft, publicKey }])
  },
  {
    id: "rsa-key-other",
    description: "The signature was not made with the private key that belongs to the public key.",
    remedy: "Use the private key whose public key is registered here: sandbox and production keys differ.",
    aspect: "algorithm",
    variants: (draft) =>
      draft.algorithm.kind === "rsa"
        ? [["another private key", { ...draft, algorithm: { kind: "rsa-foreign", hash: "" } }]]
        : []
  },
  {
    id: "hash-other",
    description: "Another hash was used than the signature method names.",
    remedy: "HMAC-SHA1 uses SHA-1, RSA-SHA256 uses SHA-256.",
    aspect: "algorithm",
    variants: (draft) =>
      ["md5", "sha1", "sha256", "sha384", "sha512"]
        .filter((hash) => hash !== draft.algorithm.hash)
        .map((hash) => [`${hash} was used`, { ...draft, algorithm: { ...draft.algorithm, hash } }])
  },
  {
    id: "hmac-for-rsa",
    description: "An HMAC under the control key was made where an RSA signature is expected.",
    remedy: "Sign with the RSA private key: this operation takes RSA-SHA256.",
    aspect: "algorithm",
    variants: (draft) =>
      draft.algorithm.kind === "rsa"
        ? ["sha1", "sha256"].map((hash) => [`HMAC-${hash}`, { ...draft, algorithm: { kind: "hmac", hash } }])
        : []
  },
  {
    id: "rsa-for-hmac",
    description: "An RSA signature was made where an HMAC is expected.",
    remedy: "Sign with the control key: this operation takes HMAC-SHA1.",
    aspect: "algorithm",
    variants: (draft) =>
      draft.algorithm.kind === "hmac"
        ? ["sha256", "sha1", "sha512"].map((hash) => [`RSA-${hash}`, { ...draft, algorithm: { kind: "rsa", hash } }])
        : []
  },
  {
    id: "rsa-pss",
    description: "The RSA signature has PSS padding.",
    remedy: "Use PKCS #1 v1.5 padding, which is meant by RSA-SHA256 here.",
    aspect: "algorithm",
    variants: (draft) =>
      ["sha256", "sha1", "sha512"].map((hash) => [
        `PSS with ${hash}`,
        { ...draft, algorithm: { kind: "rsa-pss", hash } }
      ])
  },
  {
    id: "rsa-reversed",
    description: "The bytes of the RSA signature are in reverse order, as CryptoAPI of Windows makes them.",
    remedy: "Reverse the bytes before you put them in Base64.",
    aspect: "algorithm",
    variants: (draft) =>
      draft.algorithm.kind === "rsa"
        ? [["the last byte first", { ...draft, algorithm: { ...draft.algorithm, kind: "rsa-reversed" } }]]
        : []
  },
  {
    id: "rsa-bare-hash",
    description: "RSA signed the digest or the text without the name of the hash (DigestInfo).",
    remedy: "Let the library sign with SHA256withRSA; do not encrypt a digest with the private key.",
    aspect: "algorithm",
    isRare: true,
    variants: (draft) =>
      ["sha256", "sha1"].map((hash) => [`the ${hash} alone`, { ...draft, algorithm: { kind: "rsa-bare", hash } }])
  },
  {
    id: "hash-twice",
    description: "The base string was hashed before it was signed, and then hashed again.",
    remedy: "Give the base string itself to the function that signs; it makes the hash.",
    aspect: "end",
    isRare: true,
    variants: (draft) =>
      ["sha256", "sha1"].flatMap(
        (name): Variants => [
          [
            `the bytes of its ${name}`,
            { ...draft, bytes: (text, secret) => crypto.hash(name, draft.bytes(text, secret), "buffer") }
          ],
          [
            `the hex digits of its ${name}`,
            { ...draft, bytes: (text, secret) => Buffer.from(crypto.hash(name, draft.bytes(text, secret))) }
          ],
          [
            `the Base64 of its ${name}`,
            { ...draft, bytes: (text, secret) => Buffer.from(crypto.hash(name, draft.bytes(text, secret), "base64")) }
          ]
        ]
      )
  },
  {
    id: "hmac-exchanged",
    description: "Key and text of the HMAC were exchanged.",
    remedy: "The key of the HMAC is the control key followed by &; its text is the base string.",
    aspect: "algorithm",
    isRare: true,
    variants: (draft) =>
      draft.algorithm.kind === "hmac"
        ? [["the base string as the key", { ...draft, algorithm: { ...draft.algorithm, kind: "hmac-exchanged" } }]]
        : []
  },
  {
    id: "hash-without-key",
    description: "The base string was only hashed, without an HMAC and without RSA.",
    remedy: "Make an HMAC with the control key, or an RSA signature, as the operation wants.",
    aspect: "algorithm",
    variants: (draft) =>
      ["sha1", "sha256", "md5"].flatMap((hash): Variants => {
        const hashed = { ...draft, algorithm: { kind: "hash", hash } } as const
        return [
          [`${hash} of the base string`, hashed],
          [`${hash} of base string and key`, { ...hashed, bytes: (text) => Buffer.from(text + draft.key) }],
          [`${hash} of base string, key and &`, { ...hashed, bytes: (text) => Buffer.from(`${text}${draft.key}&`) }],
          [`${hash} of key and base string`, { ...hashed, bytes: (text) => Buffer.from(draft.key + text) }]
        ]
      })
  },
  {
    id: "plaintext",
    description: "The key itself was sent as the signature (PLAINTEXT). The key is no longer secret.",
    remedy: "Ask for a new control key now, and sign with the method of the operation.",
    aspect: "algorithm",
    variants: (draft) => [["PLAINTEXT", { ...draft, algorithm: { kind: "key-itself", hash: "" } }]]
  }
]

const printMistakes: ReadonlyArray<Mistake<OAuthDraft>> = [
  {
    id: "hex",
    description: "The signature was sent in hex digits.",
    remedy: "Send the bytes of the signature in Base64.",
    aspect: "print",
    variants: (draft) => [
      ["lower case", printed(draft, (_, signature) => signature.toString("hex"))],
      ["upper case", printed(draft, (_, signature) => signature.toString("hex").toUpperCase())]
    ]
  },
  {
    id: "base64-of-hex",
    description: "The hex digits or the Base64 text of the signature were put in Base64, not its bytes.",
    remedy: "Ask the HMAC function for raw bytes and put those in Base64.",
    aspect: "print",
    variants: (draft) => [
      ["Base64 of the hex digits", printed(draft, (_, bytes) => Buffer.from(bytes.toString("hex")).toString("base64"))],
      ["Base64 of Base64", printed(draft, (base64) => Buffer.from(base64).toString("base64"))]
    ]
  },
  {
    id: "base64url",
    description: "The signature was sent in Base64url, or without the = at its end.",
    remedy: "Use standard Base64 with + and / and its padding.",
    aspect: "print",
    variants: (draft) => [
      ["Base64url", printed(draft, (_, signature) => signature.toString("base64url"))],
      ["Base64url with padding", printed(draft, (base64) => base64.replaceAll("+", "-").replaceAll("/", "_"))],
      ["no padding", printed(draft, (base64) => base64.replaceAll("=", ""))]
    ]
  },
  {
    id: "base64-lines",
    description: "The Base64 text of the signature has line breaks or blanks in it.",
    remedy: "Write the Base64 text in one line and trim it.",
    aspect: "print",
    variants: (draft) =>
      ["\n", "\r\n"].flatMap(
        (end): Variants => [
          ["a line break at the end", printed(draft, (base64) => base64 + end)],
          ["lines of 64 characters", printed(draft, (base64) => lines(base64, 64, end))],
          ["lines of 76 characters", printed(draft, (base64) => lines(base64, 76, end))],
          ["lines of 64 characters, also at the end", printed(draft, (base64) => lines(base64, 64, end) + end)],
          ["lines of 76 characters, also at the end", printed(draft, (base64) => lines(base64, 76, end) + end)]
        ]
      )
  },
  {
    id: "signature-encoding",
    description: "The signature was percent-encoded twice in the header, or its + arrived as a space.",
    remedy: "Percent-encode the Base64 text exactly once when you write the header.",
    aspect: "print",
    variants: (draft) => [
      ["encoded twice", printed(draft, (base64) => PercentEncoding.encode(base64))],
      ["+ became a space", printed(draft, (base64) => base64.replaceAll("+", " "))]
    ]
  }
]

/** Adds variants in which the changed key is not percent-encoded, as most libraries of one's own leave it. */
const alsoPlain = (mistake: Mistake<OAuthDraft>): Mistake<OAuthDraft> => ({
  ...mistake,
  variants: (draft) =>
    mistake.variants(draft).flatMap(([detail, changed]): Variants => {
      const plain = `${changed.key}&`
      return changed.secret(changed.key) === plain
        ? [[detail, changed]]
        : [
            [detail, changed],
            [detail, { ...changed, secret: (key) => `${key}&` }]
          ]
    })
})

export const oauthMistakes: ReadonlyArray<Mistake<OAuthDraft>> = [
  ...baseStringMistakes,
  ...parameterMistakes,
  ...addressMistakes,
  ...joinMistakes,
  ...keyMistakes<OAuthDraft>().map(alsoPlain),
  ...secretMistakes,
  ...printMistakes
]
