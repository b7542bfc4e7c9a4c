/**
 * The callback's protection against replay: `webhook-id`, `webhook-timestamp` and `webhook-signature` of Standard
 * Webhooks, symmetric scheme v1. The signed content is the body of a POST, or each form of a query (`signedForms` of `Callback`).
 */
import { createHmac, timingSafeEqual } from "node:crypto"

/** The signed parts of one delivery of a callback. */
export interface Message {
  /** The identifier of one event, equal in all its retries. It has no dot, because a dot separates it from the timestamp. */
  readonly id: string
  readonly timestampSeconds: number
  /** The signed text, or several forms of it. */
  readonly content: string | ReadonlyArray<string>
}

/** The three headers of Standard Webhooks by lower-case name. */
export interface Headers {
  readonly "webhook-id": string
  readonly "webhook-timestamp": string
  readonly "webhook-signature": string
}

/** Why a callback is not verified. `Mismatch`: no secret gives one of the received signatures. */
export type Reason =
  | { readonly _tag: "Missing"; readonly name: keyof Headers }
  | { readonly _tag: "Malformed"; readonly name: keyof Headers }
  | { readonly _tag: "Mismatch" }
  /** The timestamp is outside the tolerance. A positive age means that the message is older than the receiver's clock. */
  | { readonly _tag: "OutsideTolerance"; readonly ageSeconds: number }

/** The result of {@link verify}. `id` is the verified `webhook-id`. */
export type Verified = { readonly ok: true; readonly id: string } | { readonly ok: false; readonly reason: Reason }

/** The webhook secret of a merchant: HMAC-SHA256 under the control key. The control key itself is never given to a receiver. */
export const secret = (controlKey: string): Buffer => createHmac("sha256", controlKey).update("pay/webhook/v1").digest()

/** The webhook secret in the text form of Standard Webhooks libraries: `whsec_` and Base64. */
export const secretText = (controlKey: string): string => `whsec_${secret(controlKey).toString("base64")}`

/**
 * Returns the three headers, with one signature for each form of the content and each secret. There are two secrets while a key is
 * being replaced.
 */
export const sign = (message: Message, secrets: ReadonlyArray<Uint8Array>): Headers => ({
  "webhook-id": message.id,
  "webhook-timestamp": String(message.timestampSeconds),
  "webhook-signature": digests(message, secrets)
    .map((digest) => `v1,${digest}`)
    .join(" ")
})

/**
 * Verifies the headers of a received callback. One of the received signatures must match one form of the content and one of the
 * secrets. Signatures of other versions are ignored. The tolerance applies in both directions.
 */
export const verify = (received: {
  readonly headers: { readonly [Name in keyof Headers]?: string | undefined }
  readonly content: Message["content"]
  readonly secrets: ReadonlyArray<Uint8Array>
  readonly nowSeconds: number
  readonly toleranceSeconds: number
}): Verified => {
  const { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signatures } = received.headers
  if (id === undefined) return refused({ _tag: "Missing", name: "webhook-id" })
  if (timestamp === undefined) return refused({ _tag: "Missing", name: "webhook-timestamp" })
  if (signatures === undefined) return refused({ _tag: "Missing", name: "webhook-signature" })
  if (!/^[^.]+$/.test(id)) return refused({ _tag: "Malformed", name: "webhook-id" })
  if (!/^(0|[1-9]\d{0,14})$/.test(timestamp)) return refused({ _tag: "Malformed", name: "webhook-timestamp" })

  const message = { id, timestampSeconds: Number(timestamp), content: received.content }
  const candidates = signatures
    .split(" ")
    .filter((signature) => signature.startsWith("v1,"))
    .map((signature) => Buffer.from(signature.slice("v1,".length)))
  let isFound = false
  for (const digest of digests(message, received.secrets)) {
    const expected = Buffer.from(digest)
    for (const candidate of candidates) isFound = equal(candidate, expected) || isFound
  }
  if (!isFound) return refused({ _tag: "Mismatch" })

  const ageSeconds = received.nowSeconds - message.timestampSeconds
  if (Math.abs(ageSeconds) > received.toleranceSeconds) return refused({ _tag: "OutsideTolerance", ageSeconds })
  return { ok: true, id }
}

const digests = ({ content, id, timestampSeconds }: Message, secrets: ReadonlyArray<Uint8Array>): Array<string> =>
  [content]
    .flat()
    .flatMap((text) =>
      secrets.map((secret) => createHmac("sha256", secret).update(`${id}.${timestampSeconds}.${text}`).digest("base64"))
    )

const equal = (left: Buffer, right: Buffer): boolean => left.length === right.length && timingSafeEqual(left, right)

const refused = (reason: Reason): Verified => ({ ok: false, reason })
