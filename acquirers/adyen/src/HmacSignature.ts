/**
 * The signature of a webhook event: HMAC-SHA256 over eight fields of the event, joined by colons
 * (https://docs.adyen.com/development-resources/webhooks/secure-webhooks/verify-hmac-signatures). Nothing else in the event is signed:
 * neither its reason, nor its time, nor its `additionalData`.
 */
import { createHmac, timingSafeEqual } from "node:crypto"
import type { AdyenAmount } from "./AdyenAmount.ts"

/** The fields of an event that its signature covers. */
export interface SignedFields {
  readonly pspReference: string
  readonly originalReference?: string | undefined
  readonly merchantAccountCode: string
  readonly merchantReference: string
  readonly amount: AdyenAmount
  readonly eventCode: string
  readonly success: string
}

const signedValues = ({ amount, eventCode, merchantAccountCode, merchantReference, ...event }: SignedFields) => [
  event.pspReference,
  event.originalReference ?? "",
  merchantAccountCode,
  merchantReference,
  String(amount.value),
  amount.currency,
  eventCode,
  event.success
]

/** Returns the signature of an event. `key`: 64 hexadecimal digits. */
export const sign = (event: SignedFields, key: string): string =>
  createHmac("sha256", Buffer.from(key, "hex")).update(signedValues(event).join(":"), "utf8").digest("base64")

/**
 * Whether one of the keys signed this event. A colon in a field is refused: the same signature would then also be right for another
 * event, whose fields begin and end elsewhere.
 */
export const isRight = (event: SignedFields, signature: string, keys: ReadonlyArray<string>): boolean => {
  if (signedValues(event).some((value) => value.includes(":"))) return false
  const given = Buffer.from(signature, "base64")
  return keys.some((key) => {
    const right = Buffer.from(sign(event, key), "base64")
    return given.length === right.length && timingSafeEqual(given, right)
  })
}
