/**
 * What a second approver signs before money leaves a merchant's balance: one statement that names the order, the amount and
 * the recipient, under a personal Ed25519 key (RFC 8032). No operation of the interface is signed with such a key, so that it
 * can approve and nothing else. The interface has no such statement: it is ours (docs/assumptions.md).
 */
import {
  createPrivateKey,
  createPublicKey,
  type KeyObject,
  sign as signBytes,
  verify as verifyBytes
} from "node:crypto"

export type Decision = "approve" | "reject"

/** Everything that the approver has seen and agrees to, or refuses. */
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

/** A look at what waits, before deciding. */
export interface Look {
  readonly decision: "look"
  readonly orderId: string
  readonly approver: string
  /** Seconds since 1970: a look is good for a few minutes. */
  readonly timestampSeconds: number
}

/** What of a merchant waits for a second person; its own kind of statement, so that it shows one and nothing else. */
export interface List {
  readonly decision: "list"
  /** The merchant's login. */
  readonly merchant: string
  readonly approver: string
  /** Seconds since 1970. A list is good for a few minutes, like a look. */
  readonly timestampSeconds: number
}

type Signed = Statement | Look | List

const lines = (parts: ReadonlyArray<readonly [name: string, value: string]>): string =>
  parts.map(([name, value]) => `${name}: ${value.replace(/[\r\n]/g, " ")}\n`).join("")

/** The exact text under the signature, one line for each part. */
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

/** Characters: 88 of base64, and the line ends that some tools write. A signature is kept, so it has an end. */
const longest = 128

/** Base64 of the Ed25519 signature. */
export const sign = (statement: Signed, privateKey: KeyObject): string =>
  signBytes(null, Buffer.from(text(statement)), privateKey).toString("base64")

export const verify = (statement: Signed, signature: string, publicKey: KeyObject): boolean =>
  signature.length <= longest &&
  verifyBytes(null, Buffer.from(text(statement)), publicKey, Buffer.from(signature, "base64"))

export type Loaded =
  | { readonly ok: true; readonly key: KeyObject }
  | { readonly ok: false; readonly reason: "Malformed" | "NotEd25519" | "PrivateKeyGiven" }

/** An approver's own key (`PRIVATE KEY`, PKCS#8). */
export const privateFromPem = (pem: string): Loaded => load(() => createPrivateKey(pem))

/** The half of it that the gateway knows (`PUBLIC KEY`, SPKI). */
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
