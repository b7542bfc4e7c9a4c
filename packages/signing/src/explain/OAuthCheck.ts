/** Compares an OAuth signature that was received with the one that the steps of a draft give. */
import * as crypto from "node:crypto"
import * as PercentEncoding from "../PercentEncoding.ts"
import { type Algorithm, correct, type OAuthDraft, text } from "./OAuthDraft.ts"
import * as Printed from "./Printed.ts"
import * as RsaSignature from "./RsaSignature.ts"
import type { Ending } from "./Search.ts"

/** Whether the steps of the draft give the received signature. */
export const reproduces = (draft: OAuthDraft, received: string): boolean => {
  const { algorithm } = draft
  const bytes = () => draft.bytes(text(draft))
  switch (algorithm.kind) {
    case "hmac":
    case "hmac-key": {
      const secret = "key" in algorithm ? algorithm.key : draft.secret(draft.key)
      const hmac = crypto.createHmac(algorithm.hash, secret).update(bytes())
      return draft.print === correct.print
        ? hmac.digest("base64") === received
        : draft.print(hmac.digest()) === received
    }
    case "hmac-exchanged":
      return (
        draft.print(crypto.createHmac(algorithm.hash, bytes()).update(draft.secret(draft.key)).digest()) === received
      )
    case "hash":
      return draft.print(crypto.hash(algorithm.hash, algorithm.input(text(draft), draft.key), "buffer")) === received
    case "key-itself":
      return [draft.secret(draft.key), draft.key].includes(received)
    case "rsa":
    case "rsa-bare":
    case "rsa-pss":
    case "rsa-reversed":
    case "rsa-foreign": {
      const { publicKey } = draft
      const signature = signatureIn(received, draft.print)
      return publicKey !== undefined && signature !== undefined && isRsaOf(algorithm, bytes, signature, publicKey)
    }
  }
}

const digits = /^[0-9a-f]{256,}$/i
const base64 = /^[A-Za-z0-9+/]{170,}={0,2}$/
/** A long text of Base64 in the middle of another one. */
const inner = /[A-Za-z0-9+/_-]{170,}={0,2}/

/** Removes percent-encoding as long as there is some. */
const decoded = (text: string): string => {
  const plain = PercentEncoding.decode(text) ?? text
  return plain === text ? text : decoded(plain)
}

/**
 * Returns the bytes of a signature in Base64 or hex digits, or in Base64 of one of the two, with or without percent-encoding, and with
 * what stands around it. A space stands for a + that was decoded as in a form.
 */
const unprint = (received: string): Buffer => {
  const plain = decoded(received)
    .replaceAll(/ (?=.)/g, "+")
    .replaceAll(/[\r\n]/g, "")
  const core = inner.exec(plain)?.[0] ?? plain
  if (digits.test(core)) return Buffer.from(core, "hex")
  const bytes = Buffer.from(core, "base64")
  const text = bytes.toString("latin1")
  return digits.test(text) ? Buffer.from(text, "hex") : base64.test(text) ? Buffer.from(text, "base64") : bytes
}

/** What the last received text holds, by the way of printing. A search asks for the same thousands of times. */
let last: {
  readonly received: string
  readonly signature: Buffer
  readonly isOf: WeakMap<OAuthDraft["print"], boolean>
} = {
  received: "",
  signature: Buffer.alloc(0),
  isOf: new WeakMap()
}

/** Returns the signature that is printed as the received text. `undefined` if it is printed in another way. */
const signatureIn = (received: string, print: OAuthDraft["print"]): Buffer | undefined => {
  if (last.received !== received) last = { received, signature: unprint(received), isOf: new WeakMap() }
  const { isOf, signature } = last
  const is = isOf.get(print) ?? print(signature) === received
  isOf.set(print, is)
  return is ? signature : undefined
}

/** The opened signatures, by their keys. A search asks for the same few thousands of times. */
const opened = new WeakMap<Buffer, Map<crypto.KeyObject, RsaSignature.Opened>>()

const open = (signature: Buffer, publicKey: crypto.KeyObject): RsaSignature.Opened => {
  const contents = opened.get(signature) ?? new Map<crypto.KeyObject, RsaSignature.Opened>()
  opened.set(signature, contents)
  const content = contents.get(publicKey) ?? RsaSignature.open(signature, publicKey)
  contents.set(publicKey, content)
  return content
}

/** Returns the content of a received RSA signature. */
export const contentOf = (received: string, publicKey: crypto.KeyObject): RsaSignature.Opened =>
  open(unprint(received), publicKey)

const isRsaOf = (
  algorithm: Pick<Algorithm, "hash" | "kind">,
  bytes: () => string | Buffer,
  signature: Buffer,
  publicKey: crypto.KeyObject
): boolean => {
  const content = open(signature, publicKey)
  if (!isOfKind(algorithm, content)) return false
  const { hash } = algorithm
  switch (content.kind) {
    case "foreign":
    case "cut":
      return true
    case "digest":
    case "reversed":
      return crypto.hash(hash, bytes(), "buffer").equals(content.digest)
    case "bare":
      return [
        crypto.hash(hash, bytes(), "buffer"),
        Buffer.from(crypto.hash(hash, bytes())),
        Buffer.from(crypto.hash(hash, bytes()).toUpperCase()),
        Buffer.from(crypto.hash(hash, bytes(), "base64")),
        Buffer.from(bytes())
      ].some((each) => each.equals(content.bytes))
    case "pss": {
      const key = { key: publicKey, padding: crypto.constants.RSA_PKCS1_PSS_PADDING }
      return crypto.verify(hash, Buffer.from(bytes()), key, signature)
    }
  }
}

/** The last steps of a signature, and whether they can give the received one. */
export const ending = (received: string): Ending<OAuthDraft> => ({
  steps: ["algorithm", "print", "publicKey"],
  isPossible: ({ algorithm, print, publicKey }) => {
    switch (algorithm.kind) {
      case "key-itself":
        return true
      case "hmac":
      case "hmac-key":
      case "hmac-exchanged":
      case "hash": {
        const { least, most } = Printed.lengths(crypto.hash(algorithm.hash, "", "buffer").length, print)
        return least <= received.length && received.length <= most
      }
      case "rsa":
      case "rsa-bare":
      case "rsa-pss":
      case "rsa-reversed":
      case "rsa-foreign": {
        const signature = signatureIn(received, print)
        return publicKey !== undefined && signature !== undefined && isOfKind(algorithm, open(signature, publicKey))
      }
    }
  }
})

/** Whether the content of a signature can come of an algorithm. */
const isOfKind = ({ hash, kind }: Pick<Algorithm, "hash" | "kind">, content: RsaSignature.Opened): boolean => {
  switch (content.kind) {
    case "foreign":
      return kind === "rsa-foreign"
    case "cut":
      return false
    case "digest":
    case "reversed":
      return kind === (content.kind === "digest" ? "rsa" : "rsa-reversed") && content.hash === hash
    case "bare":
      return kind === "rsa-bare"
    case "pss":
      return kind === "rsa-pss"
  }
}
