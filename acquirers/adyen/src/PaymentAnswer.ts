/** Adyen's answers as values, and what each says about the request. An answer that says nothing certain counts as lost. */
import type { RequestAnswer } from "@pay/gateway/Acquirer"
import { Result, Schema } from "effect"
import { AdyenAmount, amountMinorOf } from "./AdyenAmount.ts"
import type { HttpAnswer } from "./Exchange.ts"
import * as RefusalReason from "./RefusalReason.ts"

/** The parts of `PaymentResponse` that the adapter reads. */
export const PaymentAnswer = Schema.Struct({
  resultCode: Schema.String,
  pspReference: Schema.optionalKey(Schema.NonEmptyString),
  merchantReference: Schema.optionalKey(Schema.String),
  amount: Schema.optionalKey(AdyenAmount),
  refusalReason: Schema.optionalKey(Schema.String),
  refusalReasonCode: Schema.optionalKey(Schema.String),
  additionalData: Schema.optionalKey(Schema.Record(Schema.String, Schema.String))
})
export type PaymentAnswer = typeof PaymentAnswer.Type

/** The parts that the answers to a capture, a cancel and a refund have in common. Their outcome comes by webhook. */
export const ModificationAnswer = Schema.Struct({
  pspReference: Schema.NonEmptyString,
  reference: Schema.optionalKey(Schema.String),
  amount: Schema.optionalKey(AdyenAmount),
  status: Schema.Literal("received")
})
export type ModificationAnswer = typeof ModificationAnswer.Type

/** The body of an answer with an HTTP status of 400 or more. */
export const ServiceError = Schema.Struct({
  status: Schema.Int,
  errorCode: Schema.String,
  message: Schema.String,
  errorType: Schema.optionalKey(Schema.String)
})
export type ServiceError = typeof ServiceError.Type

/** What an HTTP answer says. */
export type Reading<A> =
  | { readonly _tag: "Answered"; readonly answer: A }
  /** Adyen has not done it, and will not. */
  | { readonly _tag: "Refused"; readonly code: string; readonly message: string }
  /** Adyen has not done it; the same request may be sent again. */
  | { readonly _tag: "Undone"; readonly message: string }
  /** It is not certain what Adyen has done. */
  | { readonly _tag: "Lost"; readonly message: string }

/** Decodes the body of an answer. The error names the field, and never repeats a value. */
const decode = <A>(schema: Schema.Decoder<A>, body: string): Result.Result<A, string> =>
  Result.mapError(Schema.decodeUnknownResult(Schema.fromJsonString(schema))(body), ({ message }) => message)

/** The error of a request whose key is that of an earlier one, which is under way or had another content. */
const sameKey = "704"

/** The statuses with which Adyen refuses a request before it does anything. */
const refusing: ReadonlySet<number> = new Set([400, 422])
/** The statuses of a wrong API key, or of one without the right to this call. */
const unauthorized: ReadonlySet<number> = new Set([401, 403])

/** Reads an HTTP answer (https://docs.adyen.com/development-resources/api-idempotency, Error handling). */
export const read = <A>(schema: Schema.Decoder<A>, { body, header, status }: HttpAnswer): Reading<A> => {
  if (status === 200 || status === 201) {
    const answer = decode(schema, body)
    return Result.isSuccess(answer)
      ? { _tag: "Answered", answer: answer.success }
      : { _tag: "Lost", message: `the answer cannot be read: ${answer.failure}` }
  }
  const message = `HTTP ${status}`
  if (header("transient-error") === "true") return { _tag: "Undone", message: `${message}, transient` }
  if (unauthorized.has(status)) return { _tag: "Undone", message: `${message}: check the API key and its permissions` }
  const error = decode(ServiceError, body)
  if (!refusing.has(status) || Result.isFailure(error) || error.success.errorCode === sameKey)
    return { _tag: "Lost", message }
  return { _tag: "Refused", code: error.success.errorCode, message: error.success.message }
}

/** Returns an entry of `additionalData`, if Adyen reports it. */
type Additional = (name: string) => string | undefined

/** Returns the part of a text before a colon, such as `05` of `05 : Do not honor`. */
const codeIn = (text: string | undefined): string | undefined =>
  text?.includes(":") ? text.split(":")[0]?.trim() : undefined

const schemeReferenceOf = (id: string | undefined, date: string | undefined) =>
  id === undefined ? undefined : { id, ...(date === undefined ? {} : { date }) }

/** Returns what Adyen reports besides the outcome, where the account is set to report it. */
export const detailsOf = (additional: Additional) => ({
  schemeReference: schemeReferenceOf(additional("networkTxReference"), additional("networkTxDate")),
  retrievalReference: additional("receipt.retrievalReferenceNumber") ?? additional("acquirerReference"),
  eci: additional("eci"),
  avsResult: additional("avsResultRaw") ?? additional("avsResult")?.split(" ")[0],
  cvvResult: additional("cvcResultRaw") ?? additional("cvcResult")?.split(" ")[0],
  networkCode: additional("acquirerResponseCode") ?? codeIn(additional("refusalReasonRaw")),
  advice: codeIn(additional("merchantAdviceCode")) ?? additional("merchantAdviceCode")
})

/** The scheme's advice never to charge this card again for this series. */
const stopAdvice: ReadonlySet<string | undefined> = new Set(["03", "21"])

/** Returns the decline of a refusal with Adyen's code and words. */
const declined = (code: string | undefined, text: string | undefined, additional: Additional) => {
  const reason = RefusalReason.refusalReasons.get(code ?? "") ?? RefusalReason.otherReason
  const details = detailsOf(additional)
  return {
    _tag: "Declined" as const,
    code: reason.code,
    category: stopAdvice.has(details.advice) ? ("stopped" as const) : reason.category,
    message: `${text ?? "Refused"} (Adyen ${code ?? "gave no code"})`,
    ...details
  }
}

/** Returns the decline of an event, which has Adyen's words without the code. */
export const declinedFor = (text: string, additional: Additional) =>
  declined(RefusalReason.codeOf(text), text, additional)

/** Returns the decline of a request that Adyen refused before it did anything. */
export const refused = ({ code, message }: { readonly code: string; readonly message: string }) => ({
  _tag: "Declined" as const,
  code: `Adyen ${code}`,
  reason: "systemMalfunction" as const,
  message
})

/** What each `resultCode` of a card payment means. One that is not listed says nothing certain. */
const meanings: Readonly<Record<string, "approved" | "declined" | "accepted" | "authenticate">> = {
  Authorised: "approved",
  PartiallyAuthorised: "approved",
  Refused: "declined",
  Cancelled: "declined",
  Error: "declined",
  Received: "accepted",
  Pending: "accepted",
  RedirectShopper: "authenticate",
  IdentifyShopper: "authenticate",
  ChallengeShopper: "authenticate"
}

/** What a payment asked for, as far as its answer must agree. */
interface PaymentNames {
  readonly reference: string
  readonly currency: string
}

type Outcome = Result.Result<RequestAnswer, string>

/** Returns the outcome of a payment. A failure says why the answer cannot be that of this payment: it counts as lost. */
export const outcomeOf = (answer: PaymentAnswer, { currency, reference }: PaymentNames): Outcome => {
  const { additionalData, amount, merchantReference, pspReference, refusalReason, refusalReasonCode } = answer
  const additional: Additional = (name) => additionalData?.[name]
  if (merchantReference !== undefined && merchantReference !== reference)
    return Result.fail("the answer has the reference of another payment")
  if (amount !== undefined && amount.currency !== currency) return Result.fail("the answer has another currency")
  switch (meanings[answer.resultCode]) {
    case "approved": {
      const amountMinor = amount === undefined ? undefined : amountMinorOf(amount)
      if (pspReference === undefined) return Result.fail("the approval has no pspReference")
      if (amount !== undefined && amountMinor === undefined) return Result.fail("the amount is no whole minor unit")
      const approvalCode = additional("authCode") ?? ""
      const money = amountMinor === undefined ? {} : { amountMinor }
      const details = detailsOf(additional)
      return Result.succeed({ _tag: "Approved", approvalCode, processorTxId: pspReference, ...money, ...details })
    }
    case "declined":
      return Result.succeed(declined(refusalReasonCode, refusalReason, additional))
    case "accepted":
      return pspReference === undefined
        ? Result.fail("the receipt has no pspReference")
        : Result.succeed({ _tag: "Accepted", processorTxId: pspReference })
    case "authenticate":
      return Result.succeed(declined("38", "Adyen requires 3-D Secure", additional))
    default:
      return Result.fail("the answer has a resultCode that Adyen's documentation lacks")
  }
}

/** What a modification asked for, as far as its answer must agree. */
interface Modification {
  readonly reference: string
  readonly amount?: AdyenAmount | undefined
}

/** Returns the outcome of a capture, a cancel or a refund: Adyen has received it. */
export const receiptOf = (answer: ModificationAnswer, { amount, reference }: Modification): Outcome => {
  if (answer.reference !== undefined && answer.reference !== reference)
    return Result.fail("the answer has the reference of another request")
  const other = answer.amount
  if (other !== undefined && (other.currency !== amount?.currency || other.value !== amount.value))
    return Result.fail("the answer has another amount")
  return Result.succeed({ _tag: "Accepted", processorTxId: answer.pspReference })
}
