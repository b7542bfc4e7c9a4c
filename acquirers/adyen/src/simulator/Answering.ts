/** The answers of the simulated Adyen: to payments, to modifications, and to requests that it refuses. */
import type { ServiceError } from "../PaymentAnswer.ts"
import type { Answer } from "./IdempotentAnswers.ts"
import type { Modification, SimulatedPayment } from "./SimulatedPayments.ts"
import type { Fault } from "./Weather.ts"

const json = (status: number, body: object, headers: Answer["headers"] = {}): Answer => ({
  status,
  headers: { "content-type": "application/json", ...headers },
  body: JSON.stringify(body)
})

/** Returns a refusal of the request itself: nothing was done. */
export const refused = (error: Required<ServiceError>, headers: Answer["headers"] = {}): Answer =>
  json(error.status, error, headers)

export const unauthorized = refused({
  status: 401,
  errorCode: "000",
  message: "HTTP Status Response - Unauthorized",
  errorType: "security"
})

export const notAllowed = refused({
  status: 403,
  errorCode: "901",
  message: "Invalid Merchant Account",
  errorType: "security"
})

export const invalid = (message: string): Answer =>
  refused({ status: 422, errorCode: "702", message, errorType: "validation" })

/** A request whose key belongs to another one, or to one that is under way. */
export const conflict = (isTransient: boolean): Answer =>
  refused(
    { status: 422, errorCode: "704", message: "request already processed or in progress", errorType: "validation" },
    { "transient-error": String(isTransient) }
  )

const unavailable = refused(
  { status: 503, errorCode: "703", message: "required resource temporarily unavailable", errorType: "internal" },
  { "transient-error": "true" }
)

/** Returns the answer of a fault that prevents that the request is done; undefined if it does not. */
export const prevented = (fault: Fault | undefined): Answer | undefined =>
  fault === "transientError" ? unavailable : undefined

/** Returns what an approval says besides. `networkTxReference`: as the scheme's reference of the payment. */
export const additionalDataOf = ({ pspReference, refusal }: SimulatedPayment, hasCvc: boolean) =>
  refusal === undefined
    ? {
        authCode: String(100_000 + (Number.parseInt(pspReference.slice(-5), 36) % 900_000)),
        networkTxReference: String(Number.parseInt(pspReference.slice(-9), 36))
          .padStart(15, "4")
          .slice(0, 15),
        cvcResult: hasCvc ? "1 Matches" : "0 Unknown",
        cvcResultRaw: hasCvc ? "M" : "P",
        avsResult: "4 AVS not supported for this card type",
        eci: "07",
        refusalReasonRaw: "AUTHORISED"
      }
    : { refusalReasonRaw: refusal.raw }

const otherCurrency = (currency: string): string => (currency === "USD" ? "EUR" : "USD")

/** Returns the answer to a payment, with what a fault makes of it. */
export const payment = (
  simulated: SimulatedPayment,
  additionalData: Readonly<Record<string, string>>,
  fault: Fault | undefined
): Answer => {
  const { amount, pspReference, reference, refusal } = simulated
  if (fault === "serverError")
    return json(500, { status: 500, errorCode: "000", message: "Unknown", errorType: "internal" })
  if (fault === "garbled") return { ...json(200, {}), body: "<html>Service" }
  const isPartial = fault === "partial" && refusal === undefined
  const value = isPartial ? Math.floor(amount.value / 2) : amount.value
  const currency = fault === "otherCurrency" ? otherCurrency(amount.currency) : amount.currency
  const resultCode = isPartial ? "PartiallyAuthorised" : refusal === undefined ? "Authorised" : "Refused"
  return json(200, {
    additionalData,
    pspReference,
    ...(refusal === undefined ? {} : { refusalReason: refusal.text, refusalReasonCode: refusal.code }),
    resultCode: fault === "unknownResult" ? "Perhaps" : resultCode,
    amount: { currency, value },
    merchantReference: fault === "otherReference" ? "1-authorize-0" : reference
  })
}

/** Returns the answer to a modification: it is received, and its outcome follows in an event. */
export const modification = (
  { amount, kind, merchantAccount, pspReference, reference }: Modification,
  original: { readonly pspReference: string | undefined; readonly reference: string | undefined },
  fault: Fault | undefined
): Answer => {
  if (fault === "serverError")
    return json(500, { status: 500, errorCode: "000", message: "Unknown", errorType: "internal" })
  if (fault === "garbled") return { ...json(201, {}), body: "<html>Service" }
  return json(201, {
    merchantAccount,
    ...(kind === "technicalCancels"
      ? { paymentReference: original.reference }
      : { paymentPspReference: original.pspReference }),
    reference: fault === "otherReference" ? "1-capture-1" : reference,
    pspReference,
    status: fault === "unknownResult" ? "perhaps" : "received",
    ...(amount === undefined
      ? {}
      : { amount: fault === "otherCurrency" ? { ...amount, currency: otherCurrency(amount.currency) } : amount })
  })
}
