/**
 * The statement that a second approver signs before money leaves a merchant's balance. It names the order, the amount and the
 * recipient, and is signed with a personal Ed25519 key (RFC 8032). No operation of the interface is signed with such a key, so
 * the key permits approvals only. This project adds the statement to the interface (docs/assumptions.md#second-approver).
 */
import {
  createPrivateKey,
  createPublicKey,
  type KeyObject,
  sign as signBytes,
  verify as verifyBytes
} from "node:crypto"

export type Decision = "approve" | "reject"

/** The decision of an approver about one order, with the facts that the approver has read. */
export interface Statement {
  readonly decision: Decision
  readonly orderId: string
  /** The amount with its currency, as `status` writes it: `100.00 USD`. */
  readonly amount: string
  /** The recipient's fingerprint, as the gateway shows it to the approver. */
  readonly recipient: string
  /** The approver's name in the gateway's configuration. */
  readonly approver: string
}

/** A request to read one order that waits for approval. */
export interface ReadRequest {
  readonly decision: "look"
  readonly orderId: string
  readonly approver: string
  /** Seconds since 1970. The signature is valid for a few minutes. */
  readonly timestampSeconds: number
}

/**
 * A request to list the orders of a merchant that wait for a second approver. It is a kind of statement of its own, so that its
 * signature permits nothing else.
 */
export interface ListRequest {
  readonly decision: "list"
  /** The merchant's login. */
  readonly merchant: string
  readonly approver: string
  /** Seconds since 1970. The signature is valid for a few minutes. */
  readonly timestampSeconds: number
}

type Signed = Statement | ReadRequest | ListRequest

const lines = (parts: ReadonlyArray<readonly [name: string, value: string]>): string =>
  parts.map(([name, value]) => `${name}: ${value.replace(/[\r\n]/g, " ")}\n`).join("")

/** Returns the exact text that is signed, with one line for each part. */
export const text = (statement: Signed): string => {
  const { approver, decision } = statement
  switch (statement.decision) {
    case "list":
    case "look":
      return lines([
        ["pay-approval", "v1"],
        ["decision", decision],
        statement.decision === "list" ? ["merchant", statement.merchant] : ["order", statement.orderId],
        ["approver", approver],
        ["time", String(statement.timestampSeconds)]
      ])
    case "approve":
    case "reject":
      return lines([
        ["pay-approval", "v1"],
        ["decision", decision],
        ["order", statement.orderId],
        ["amount", statement.amount],
        ["recipient", statement.recipient],
        ["approver", approver]
      ])
  }
}

/**
 * Longest signature, in characters: 88 of Base64, and the line ends that some tools write. Signatures are stored, so their length
 * is limited.
 */
const longest = 128

/** Signs a statement with Ed25519. Returns the signature in Base64. */
export const sign = (statement: Signed, privateKey: KeyObject): string =>
  signBytes(null, Buffer.from(text(statement)), privateKey).toString("base64")

/** Whether the signature, in Base64, is that of the statement under the approver's public key. */
export const verify = (statement: Signed, signature: string, publicKey: KeyObject): boolean =>
  signature.length <= longest &&
  verifyBytes(null, Buffer.from(text(statement)), publicKey, Buffer.from(signature, "base64"))

/** A loaded key, or why the text was refused. */
export type Loaded =
  | { readonly ok: true; readonly key: KeyObject }
  | { readonly ok: false; readonly reason: "Malformed" | "NotEd25519" | "PrivateKeyGiven" }

/** Loads an approver's private key (`PRIVATE KEY`, PKCS#8). */
export const privateFromPem = (pem: string): Loaded => load(() => createPrivateKey(pem))

/** Loads an approver's public key, which the gateway has (`PUBLIC KEY`, SPKI). Refuses a private key. */
export const publicFromPem = (pem: string): Loaded =>
  pem.includes("PRIVATE KEY") ? { ok: false, reason: "PrivateKeyGiven" } : load(() => createPublicKey(pem))

const load = (read: () => KeyObject): Loaded => {
  try {
    const key = read()
    return key.asymmetricKeyType === "ed25519" ? { ok: true, key } : { ok: false, reason: "NotEd25519" }
  } catch {
    return { ok: false, reason: "Malformed" }
  }
}
