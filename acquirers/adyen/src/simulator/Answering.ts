/** The answers of the simulated Adyen: to payments, to modifications, and to requests that it refuses. */
import { Result, Schema } from "effect"
import type { ServiceError } from "../PaymentAnswer.ts"
import type { Answer } from "./IdempotentAnswers.ts"
import type { Modification, SimulatedPayment } from "./SimulatedPayments.ts"
import type { Fault } from "./Weather.ts"

export const json = (status: number, body: object, headers: Answer["headers"] = {}): Answer => ({
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

export const notFound = refused({ status: 404, errorCode: "000", message: "Not found", errorType: "validation" })

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

/** Returns the answer to a payment. */
export const payment = (
  { amount, authorised, pspReference, reference, refusal }: SimulatedPayment,
  additionalData: Readonly<Record<string, string>>
): Answer => {
  const answer = { additionalData, pspReference, merchantReference: reference }
  if (refusal !== undefined) {
    const { code: refusalReasonCode, text: refusalReason } = refusal
    return json(200, { ...answer, resultCode: "Refused", refusalReason, refusalReasonCode, amount })
  }
  const resultCode = authorised < amount.value ? "PartiallyAuthorised" : "Authorised"
  return json(200, { ...answer, resultCode, amount: { ...amount, value: authorised } })
}

/** Returns the answer to a modification: it is received, and its outcome follows in an event. */
export const modification = (
  { amount, kind, merchantAccount, pspReference, reference }: Modification,
  original: { readonly pspReference: string | undefined; readonly reference: string | undefined }
): Answer =>
  json(201, {
    merchantAccount,
    ...(kind === "technicalCancels"
      ? { paymentReference: original.reference }
      : { paymentPspReference: original.pspReference }),
    ...{ reference, pspReference, status: "received" },
    ...(amount === undefined ? {} : { amount })
  })

type Body = Readonly<Record<string, unknown>>
const decodeBody = Schema.decodeUnknownResult(Schema.fromJsonString(Schema.Record(Schema.String, Schema.Unknown)))

/** What faults change in the body of an answer. */
const changes: { readonly [F in Fault]?: (body: Body) => Body } = {
  otherReference: (body) =>
    "merchantReference" in body
      ? { ...body, merchantReference: "1-authorize-0" }
      : { ...body, reference: "1-capture-1" },
  otherCurrency: (body) => ({ ...body, amount: { currency: "XTS", value: 1042 } }),
  unknownResult: (body) => ("resultCode" in body ? { ...body, resultCode: "Perhaps" } : { ...body, status: "perhaps" })
}

/** Returns what arrives of an answer. */
export const spoiled = (answer: Answer, fault: Fault | undefined): Answer => {
  if (fault === "serverError")
    return refused({ status: 500, errorCode: "000", message: "Unknown", errorType: "internal" })
  if (fault === "garbled") return { ...answer, body: "<html>Service" }
  const change = fault === undefined ? undefined : changes[fault]
  const body = change === undefined ? undefined : decodeBody(answer.body)
  return change === undefined || body === undefined || Result.isFailure(body)
    ? answer
    : { ...answer, body: JSON.stringify(change(body.success)) }
}
