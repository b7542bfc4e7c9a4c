/** The making of an OAuth signature, step by step, so that each step can be done wrong on purpose. */
import * as crypto from "node:crypto"
import type { Parameter } from "../Form.ts"
import * as PercentEncoding from "../PercentEncoding.ts"
import type { OtherKey } from "./KeyMistakes.ts"

/** The encoded name and the encoded value of a parameter. */
export type Pair = readonly [name: string, value: string]

/** The primitive and its hash that make the signature of a text. */
interface Algorithm {
  readonly kind: "hmac" | "hash" | "rsa" | "rsa-pss" | "key-itself"
  readonly hash: string
}

/** Another public key registered for the merchant. */
export interface OtherPublicKey {
  readonly label: string
  readonly publicKey: crypto.KeyObject
}

/** The input of an OAuth signature and its steps, each of which a mistake can replace. */
export interface OAuthDraft {
  readonly method: string
  /** Scheme, host and path in the signed text. */
  readonly address: string
  readonly body: ReadonlyArray<Parameter>
  readonly query: ReadonlyArray<Parameter>
  /** The header's parameters, without the signature. */
  readonly protocol: ReadonlyArray<Parameter>
  readonly encode: (text: string) => string
  readonly arrange: (pairs: ReadonlyArray<Pair>) => ReadonlyArray<Pair>
  readonly join: (method: string, address: string, parameters: string) => string
  /** The control key. */
  readonly key: string
  /** Returns the key of the HMAC for a control key. */
  readonly secret: (key: string) => string
  readonly algorithm: Algorithm
  readonly publicKey: crypto.KeyObject | undefined
  readonly print: (signature: Buffer) => string
  /** The realm of the header, which a step may use by mistake. */
  readonly realm: string | undefined
  /** The address after parsing. */
  readonly url: URL
  /** The address as it was written, before parsing. */
  readonly writtenUrl: string
  readonly otherKeys: ReadonlyArray<OtherKey>
  readonly otherPublicKeys: ReadonlyArray<OtherPublicKey>
  readonly otherIds: ReadonlyArray<string>
}

const byName = (left: Pair, right: Pair): number =>
  left[0] < right[0] ? -1 : left[0] > right[0] ? 1 : left[1] < right[1] ? -1 : left[1] > right[1] ? 1 : 0

/** The correct steps (docs/specification.md#oauth). */
export const correct = {
  encode: PercentEncoding.encode,
  arrange: (pairs) => pairs.toSorted(byName),
  join: (...parts) => parts.map(PercentEncoding.encode).join("&"),
  secret: (key) => `${PercentEncoding.encode(key)}&`,
  print: (signature) => signature.toString("base64")
} satisfies Partial<OAuthDraft>

/** Returns the base string by the steps of the draft. */
export const text = (draft: OAuthDraft): string => {
  const pairs = [...draft.query, ...draft.body, ...draft.protocol].map(
    ([name, value]) => [draft.encode(name), draft.encode(value)] as const
  )
  const parameters = draft
    .arrange(pairs)
    .map(([name, value]) => `${name}=${value}`)
    .join("&")
  return draft.join(draft.method, draft.address, parameters)
}

/** Whether the steps of the draft give the received signature. */
export const reproduces = (draft: OAuthDraft, received: string): boolean => {
  const { kind, hash } = draft.algorithm
  switch (kind) {
    case "hmac":
      return draft.print(crypto.createHmac(hash, draft.secret(draft.key)).update(text(draft)).digest()) === received
    case "hash":
      return draft.print(crypto.hash(hash, text(draft), "buffer")) === received
    case "key-itself":
      return draft.secret(draft.key) === received
    case "rsa":
    case "rsa-pss": {
      const signature = unprint(received)
      return draft.print(signature) === received && verifies(draft, Buffer.from(text(draft)), signature)
    }
  }
}

/** Returns the bytes of a signature in Base64 or hex digits, with or without percent-encoding. */
const unprint = (received: string): Buffer => {
  const plain = PercentEncoding.decode(received) ?? received
  return /^[0-9a-f]{256,}$/i.test(plain) ? Buffer.from(plain, "hex") : Buffer.from(plain, "base64")
}

const verifies = ({ algorithm, publicKey }: OAuthDraft, bytes: Buffer, signature: Buffer): boolean => {
  if (publicKey === undefined) return false
  const padding = algorithm.kind === "rsa" ? crypto.constants.RSA_PKCS1_PADDING : crypto.constants.RSA_PKCS1_PSS_PADDING
  return crypto.verify(algorithm.hash, bytes, { key: publicKey, padding }, signature)
}
