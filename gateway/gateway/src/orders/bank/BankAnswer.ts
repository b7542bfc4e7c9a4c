/**
 * What an acquirer answers: to a request, to an inquiry about it, and to its reversal. Every answer is decoded. A detail that cannot
 * be read is left out, because an answer is worth more than its details; what decides about money must be readable.
 */

import * as Decline from "@pay/schema/Decline"
import { Option, Predicate, Schema, SchemaTransformation } from "effect"
import * as ForeignText from "../../kernel/ForeignText.ts"
import { SchemeReference } from "../record/BankDetails.ts"
import { AmountMinor, wholeFrom } from "../record/Booking.ts"

/** The bank was not reached: it is certain that nothing was sent. */
export class NotSent extends Schema.TaggedClass<NotSent>()("NotSent", { message: Schema.String }) {}
/** The request may have reached the bank, but its answer did not reach the gateway. */
export class AnswerLost extends Schema.TaggedClass<AnswerLost>()("AnswerLost", {
  message: Schema.String,
  /** What the adapter gave instead of an answer that the gateway can read, as text for operators. */
  answer: Schema.optionalKey(Schema.String)
}) {}

export class AcquirerError extends Schema.TaggedError<AcquirerError>()("AcquirerError", {
  reason: Schema.Union([NotSent, AnswerLost])
}) {}

/** Returns the reason of a failure that an adapter reported; undefined if it is neither `NotSent` nor `AnswerLost`. */
const reasonOf = Schema.decodeUnknownOption(
  Schema.Struct({
    reason: Schema.Union([
      Schema.TaggedStruct("NotSent", { message: ForeignText.Line }),
      Schema.TaggedStruct("AnswerLost", { message: ForeignText.Line })
    ])
  })
)

/** Returns the failures of a port whose calls fail like those of a bank. */
export const failures = <E>(port: string, make: (failed: { reason: NotSent | AnswerLost }) => E) => ({
  port,
  reported: (error: unknown): E | undefined => {
    const reason = Option.getOrUndefined(reasonOf(error))?.reason
    if (reason === undefined) return undefined
    return make({ reason: reason._tag === "NotSent" ? new NotSent(reason) : new AnswerLost(reason) })
  },
  lost: (message: string, answer: string) => make({ reason: new AnswerLost({ message, answer }) })
})

/** A detail of an answer, read by `read`. What it returns undefined for counts as not reported. */
const detail = <A>(schema: Schema.Codec<A>, read: (value: unknown) => A | undefined) =>
  Schema.optional(
    Schema.Unknown.pipe(
      Schema.decodeTo(
        Schema.UndefinedOr(schema),
        SchemaTransformation.transform({ decode: read, encode: (value): unknown => value })
      )
    )
  )

const textOf =
  (longest: number) =>
  (value: unknown): string | undefined => {
    const text = Predicate.isString(value) ? value.trim() : ""
    return text === "" || text.length > longest ? undefined : ForeignText.storable(text)
  }

const text = (longest: number) => detail(Schema.String, textOf(longest))

const word = <const W extends string>(words: ReadonlyArray<W>) =>
  detail(Schema.Literals(words), (value) => words.find((each) => each === value))

const dated = {
  /**
   * The bank's own time at its answer, Unix time in milliseconds, such as the header `Date` of its answer. The gateway compares the
   * machine's clock with it. A value that is no time is ignored.
   */
  bankTimeMs: detail(Schema.Number, (value) => (Predicate.isNumber(value) ? value : undefined))
}

const readScheme = (value: unknown): SchemeReference | undefined => {
  const part = (name: string, longest: number) =>
    textOf(longest)(Predicate.hasProperty(value, name) ? value[name] : undefined)
  const [id, brand, date] = [part("id", 36), part("brand", 32), part("date", 4)]
  return id === undefined
    ? undefined
    : { id, ...(brand === undefined ? {} : { brand }), ...(date === undefined ? {} : { date }) }
}

/** What networks and issuers report beside an outcome. Each is absent where it is unknown. Sources: public interfaces of acquirers. */
const networkDetails = {
  /** The scheme's reference of this transaction. */
  schemeReference: detail(SchemeReference, readScheme),
  /** The retrieval reference number or the acquirer's reference (ISO 8583, element 37). */
  retrievalReference: text(64),
  /** The electronic commerce indicator as the network answered it. It decides about liability, not the one that was sent. */
  eci: text(2),
  /** The raw result of the address check: a letter whose meaning depends on the brand. */
  avsResult: text(8),
  /** The raw result of the check of the security code. */
  cvvResult: text(8),
  /** The network's own response code, as text: `00`, `51`, `1A`, `N7`. */
  networkCode: text(16),
  /** The scheme's advice about further tries, such as a merchant advice code. */
  advice: text(16)
}

const Approved = Schema.TaggedStruct("Approved", {
  ...dated,
  ...networkDetails,
  /** "" if the bank gives none, as for a void. */
  approvalCode: ForeignText.Text(64),
  /** The bank's own identifier of this request. Follow-ups and inquiries pass it back. */
  processorTxId: ForeignText.Name(255),
  /**
   * The amount that the bank booked under the reference, if it reports one. An approval of another amount than requested is not
   * applied.
   */
  amountMinor: Schema.optional(AmountMinor)
})

/**
 * What a decline means for further tries. `final`: never with this card. `later`: possibly later. `data`: after its data are
 * corrected. `authenticate`: after the cardholder is authenticated (a soft decline). `stopped`: the cardholder or the issuer has
 * ended all charges of this series.
 */
const categories = ["final", "later", "data", "authenticate", "stopped"] as const
export type Category = (typeof categories)[number]

const reasons = Object.keys(Decline.declines).filter((name): name is Decline.Name =>
  Object.hasOwn(Decline.declines, name)
)

const Declined = Schema.TaggedStruct("Declined", {
  ...dated,
  ...networkDetails,
  /**
   * The bank's own code. A whole number from 100 counts as an action code of ISO 8583:1993, and is the `error-code` of `status`. Text
   * and smaller numbers are kept for operators only, because they mean something else there: give `reason` with them.
   */
  code: Schema.Union([wholeFrom(1), ForeignText.Name(64)]).annotate({
    message: "Expected a whole number from 1, or text of 1 to 64 characters"
  }),
  /** The bank's words. */
  message: ForeignText.Line,
  /** The entry of the gateway's table of declines, from which the merchant's `error-code` follows. */
  reason: word(reasons),
  category: word(categories)
})

/** The bank has no such reference. This is definite once `longestProcessingMs` have passed since the request was sent. */
const NotFound = Schema.TaggedStruct("NotFound", dated)
/** The bank cannot report the outcome yet. */
const CannotSay = Schema.TaggedStruct("CannotSay", dated)
/**
 * The bank has taken the request, and its outcome follows: in a notification, or on inquiry. Until then the order is `processing`.
 */
const Accepted = Schema.TaggedStruct("Accepted", {
  ...dated,
  /** The bank's own identifier of this request. */
  processorTxId: ForeignText.Name(255)
})
/** The bank has made sure that the request has no effect, whether or not it was ever booked. */
const Reversed = Schema.TaggedStruct("Reversed", dated)

/** The bank's final answer about one reference. A decline is an answer, not an error. */
export const BankAnswer = Schema.Union([Approved, Declined]).annotate({ message: "Expected Approved or Declined" })
export type BankAnswer = typeof BankAnswer.Type

/** The bank's answer to a request. */
export const RequestAnswer = Schema.Union([Approved, Declined, Accepted]).annotate({
  message: "Expected Approved, Declined or Accepted"
})
export type RequestAnswer = typeof RequestAnswer.Type

export const InquiryAnswer = Schema.Union([Approved, Declined, Accepted, NotFound, CannotSay]).annotate({
  message: "Expected Approved, Declined, Accepted, NotFound or CannotSay"
})
export type InquiryAnswer = typeof InquiryAnswer.Type

/** `Approved`: the payment stands and cannot be reversed. `Declined`: it was declined. */
export const ReversalAnswer = Schema.Union([Reversed, Approved, Declined, CannotSay]).annotate({
  message: "Expected Reversed, Approved, Declined or CannotSay"
})
export type ReversalAnswer = typeof ReversalAnswer.Type
