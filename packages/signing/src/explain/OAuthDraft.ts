/** The making of an OAuth signature, step by step, so that each step can be done wrong on purpose. */
import * as crypto from "node:crypto"
import type { Parameter } from "../Form.ts"
import * as PercentEncoding from "../PercentEncoding.ts"
import type { OtherKey } from "./KeyMistakes.ts"
import * as RsaSignature from "./RsaSignature.ts"

/** The encoded name and the encoded value of a parameter. */
export type Pair = readonly [name: string, value: string]

/**
 * The primitive and its hash that make the signature of a text. `rsa-bare` signs a digest without the name of its hash.
 * `rsa-reversed` has its bytes in
 * reverse order. `rsa-foreign` is a signature of another key, whatever its text is.
 */
interface Algorithm {
  readonly kind:
    | "hmac"
    | "hmac-exchanged"
    | "hash"
    | "rsa"
    | "rsa-bare"
    | "rsa-pss"
    | "rsa-reversed"
    | "rsa-foreign"
    | "key-itself"
  readonly hash: string
}

/** Another public key registered for the merchant. */
export interface OtherPublicKey {
  readonly label: string
  readonly publicKey: crypto.KeyObject
}

/** Another address of the gateway: everything before `/api/`. */
export interface OtherBase {
  readonly label: string
  readonly base: string
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
  /** Returns the bytes that are signed for a base string. */
  readonly bytes: (text: string, secret: string) => Buffer
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
  readonly otherBases: ReadonlyArray<OtherBase>
  /** The paths of all operations: `/api/v2/sale`. */
  readonly paths: ReadonlyArray<string>
}

const byName = (left: Pair, right: Pair): number =>
  left[0] < right[0] ? -1 : left[0] > right[0] ? 1 : left[1] < right[1] ? -1 : left[1] > right[1] ? 1 : 0

/** The correct steps (docs/specification.md#oauth). */
export const correct = {
  encode: PercentEncoding.encode,
  arrange: (pairs) => pairs.toSorted(byName),
  join: (...parts) => parts.map(PercentEncoding.encode).join("&"),
  bytes: (text) => Buffer.from(text),
  secret: (key) => `${PercentEncoding.encode(key)}&`,
  print: (signature) => signature.toString("base64")
} satisfies Partial<OAuthDraft>

/**
 * Remembers the last result of a function. A search tries many drafts in a row that differ from each other in one step only, so that
 * most parts of the text stay the same.
 */
const remembered = <Args extends ReadonlyArray<unknown>, Result>(make: (...args: Args) => Result) => {
  let last: { readonly args: Args; readonly result: Result } | undefined
  return (...args: Args): Result => {
    if (last === undefined || args.some((arg, index) => arg !== last?.args[index]))
      last = { args, result: make(...args) }
    return last.result
  }
}

const parametersOf = remembered(
  (
    query: ReadonlyArray<Parameter>,
    body: ReadonlyArray<Parameter>,
    protocol: ReadonlyArray<Parameter>,
    encode: OAuthDraft["encode"],
    arrange: OAuthDraft["arrange"]
  ): string =>
    arrange([...query, ...body, ...protocol].map(([name, value]) => [encode(name), encode(value)] as const))
      .map(([name, value]) => `${name}=${value}`)
      .join("&")
)

const joined = remembered((join: OAuthDraft["join"], method: string, address: string, parameters: string): string =>
  join(method, address, parameters)
)

/** Returns the base string by the steps of the draft. */
export const text = ({ address, arrange, body, encode, join, method, protocol, query }: OAuthDraft): string =>
  joined(join, method, address, parametersOf(query, body, protocol, encode, arrange))

/** Whether the steps of the draft give the received signature. */
export const reproduces = (draft: OAuthDraft, received: string): boolean => {
  const { kind, hash } = draft.algorithm
  const secret = draft.secret(draft.key)
  const bytes = () => draft.bytes(text(draft), secret)
  switch (kind) {
    case "hmac":
      return draft.print(crypto.createHmac(hash, secret).update(bytes()).digest()) === received
    case "hmac-exchanged":
      return draft.print(crypto.createHmac(hash, bytes()).update(secret).digest()) === received
    case "hash":
      return draft.print(crypto.hash(hash, bytes(), "buffer")) === received
    case "key-itself":
      return secret === received
    case "rsa":
    case "rsa-bare":
    case "rsa-pss":
    case "rsa-reversed":
    case "rsa-foreign": {
      const { publicKey } = draft
      const signature = unprint(received)
      return (
        publicKey !== undefined &&
        draft.print(signature) === received &&
        isRsaOf(draft.algorithm, bytes, signature, publicKey)
      )
    }
  }
}

const digits = /^[0-9a-f]{256,}$/i
const base64 = /^[A-Za-z0-9+/]{170,}={0,2}$/

/**
 * Returns the bytes of a signature in Base64 or hex digits, or in Base64 of one of the two, with or without percent-encoding. A space
 * stands for a + that was decoded as in a form.
 */
const unprint = (received: string): Buffer => {
  const plain = (PercentEncoding.decode(received) ?? received).replaceAll(/ (?=.)/g, "+")
  if (digits.test(plain)) return Buffer.from(plain, "hex")
  const bytes = Buffer.from(plain, "base64")
  const text = bytes.toString("latin1")
  return digits.test(text) ? Buffer.from(text, "hex") : base64.test(text) ? Buffer.from(text, "base64") : bytes
}

/** The opened signatures by their keys. A search asks for the same few thousands of times. */
const opened = new WeakMap<crypto.KeyObject, Map<string, RsaSignature.Opened>>()

const open = (signature: Buffer, publicKey: crypto.KeyObject): RsaSignature.Opened => {
  const contents = opened.get(publicKey) ?? new Map<string, RsaSignature.Opened>()
  opened.set(publicKey, contents)
  const name = signature.toString("latin1")
  const content = contents.get(name) ?? RsaSignature.open(signature, publicKey)
  contents.set(name, content)
  return content
}

/** Returns the content of a received RSA signature. */
export const contentOf = (received: string, publicKey: crypto.KeyObject): RsaSignature.Opened =>
  open(unprint(received), publicKey)

const isRsaOf = (
  { hash, kind }: Algorithm,
  bytes: () => Buffer,
  signature: Buffer,
  publicKey: crypto.KeyObject
): boolean => {
  const content = open(signature, publicKey)
  switch (content.kind) {
    case "foreign":
      return kind === "rsa-foreign"
    case "cut":
      return false
    case "digest":
    case "reversed":
      return (
        kind === (content.kind === "digest" ? "rsa" : "rsa-reversed") &&
        content.hash === hash &&
        crypto.hash(hash, bytes(), "buffer").equals(content.digest)
      )
    case "bare":
      return (
        kind === "rsa-bare" &&
        [crypto.hash(hash, bytes(), "buffer"), Buffer.from(crypto.hash(hash, bytes())), bytes()].some((each) =>
          each.equals(content.bytes)
        )
      )
    case "pss": {
      const key = { key: publicKey, padding: crypto.constants.RSA_PKCS1_PSS_PADDING }
      return kind === "rsa-pss" && crypto.verify(hash, bytes(), key, signature)
    }
  }
}
