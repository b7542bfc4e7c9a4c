/**
 * The port of the acquiring bank. Every call carries a reference of the gateway, by which the gateway can inquire about the
 * outcome later. A lost answer is inquired about and never guessed.
 */

import { Context, type Effect, Option, Predicate, type Redacted, Schema, SchemaTransformation } from "effect"
import * as AdapterCall from "../../kernel/AdapterCall.ts"
import * as ForeignText from "../../kernel/ForeignText.ts"
import * as PortShape from "../../kernel/PortShape.ts"
import { AmountMinor, type AttemptReference, parse, wholeFrom } from "../record/Booking.ts"

export type { AttemptReference } from "../record/Booking.ts"

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

/** A time that may be wrong in any way: an answer is worth more than its time. */
const Time = Schema.Unknown.pipe(
  Schema.decodeTo(
    Schema.UndefinedOr(Schema.Number),
    SchemaTransformation.transform({
      decode: (value) => (Predicate.isNumber(value) ? value : undefined),
      encode: (ms): unknown => ms
    })
  )
)

const dated = {
  /**
   * The bank's own time at its answer, Unix time in milliseconds, such as the header `Date` of its answer. The gateway compares the
   * machine's clock with it. A value that is no time is ignored.
   */
  bankTimeMs: Schema.optional(Time)
}

const Approved = Schema.TaggedStruct("Approved", {
  ...dated,
  /** "" if the bank gives none, as for a void. */
  approvalCode: ForeignText.Text(64),
  processorTxId: ForeignText.Name(255),
  /**
   * The amount that the bank booked under the reference, if it reports one. An approval of another amount than requested is not
   * applied.
   */
  amountMinor: Schema.optional(AmountMinor)
})
const Declined = Schema.TaggedStruct("Declined", {
  ...dated,
  code: wholeFrom(1),
  message: ForeignText.Line
})
/** The bank has no such reference. This is definite once `longestProcessingMs` have passed since the request was sent. */
const NotFound = Schema.TaggedStruct("NotFound", dated)
/** The bank cannot report the outcome yet. */
const CannotSay = Schema.TaggedStruct("CannotSay", dated)

/** The bank's answer about one reference. A decline is an answer, not an error. */
export const BankAnswer = Schema.Union([Approved, Declined]).annotate({ message: "Expected Approved or Declined" })
export type BankAnswer = typeof BankAnswer.Type

export const InquiryAnswer = Schema.Union([Approved, Declined, NotFound, CannotSay]).annotate({
  message: "Expected Approved, Declined, NotFound or CannotSay"
})
export type InquiryAnswer = typeof InquiryAnswer.Type

/** Card data that the bank requires. `cvv` is absent on merchant-initiated charges. */
export interface BankCard {
  readonly pan: Redacted.Redacted<string>
  readonly cvv: Redacted.Redacted<string> | undefined
  readonly expireMonth: number
  readonly expireYear: number
  readonly cardholder: string
}

/** The result of 3-D Secure for the cardholder. */
export interface CardholderProof {
  /** `2.2.0` or `1.0.2`. */
  readonly protocol: string
  /**
   * Y: authenticated; A: attempted; U: the issuer could not decide, and the endpoint accepts payments without authentication.
   */
  readonly transStatus: string
  /** The identifier of the transaction at the 3-D Secure server, or the XID of version 1. */
  readonly transactionId: string
  readonly eci: string | undefined
  /** CAVV or AAV. */
  readonly authenticationValue: Redacted.Redacted<string> | undefined
}

/**
 * Names of an order's merchant. They are sent to the bank with every request, so that its list of bookings can be matched
 * without our database.
 */
export interface Named {
  /** The merchant's own number of the order. */
  readonly clientOrderId: string
  /** The merchant's login. */
  readonly merchantId: string
}

export interface Authorization extends Named {
  /** The reference `orderid-kind-n`. A resubmission has the same reference. */
  readonly reference: AttemptReference
  readonly orderId: string
  readonly amountMinor: number
  readonly currency: string
  readonly card: BankCard
  /** True: the bank authorises and captures at once (a sale). */
  readonly capture: boolean
  readonly authentication?: CardholderProof | undefined
  /**
   * Number of the card that receives the money, always with `capture`: one movement from card to card under one reference,
   * approved or declined as a whole, and nothing follows it.
   */
  readonly recipient?: Redacted.Redacted<string> | undefined
}

/** The question whether a card can send money. Nothing is authorised, and the expiry date may be missing. */
export interface EligibilityQuestion extends Named {
  readonly reference: AttemptReference
  readonly orderId: string
  readonly currency: string
  readonly pan: Redacted.Redacted<string>
  readonly expiry: { readonly month: number; readonly year: number } | undefined
}

export interface FollowUp extends Named {
  readonly reference: AttemptReference
  readonly orderId: string
  /** The reference of the authorisation that is captured, cancelled or refunded. */
  readonly original: string
  /** The amount to capture or refund. For `void`: the amount that is left of the hold. */
  readonly amountMinor: number
  readonly currency: string
}

/** Returns what the log names of a call with this reference. */
export const aboutOf = (reference: AttemptReference): AdapterCall.About => ({
  orderId: parse(reference)?.orderId,
  reference
})

/** What the operator of a gateway implements for his bank. */
export interface Adapter {
  /** The properties that the bank's adapter declares. */
  readonly capabilities: {
    /**
     * Longest time until a request that was sent is booked. A reference that the bank still does not have after this time
     * will never be booked.
     */
    readonly longestProcessingMs: number
    /** Longest time for which the gateway waits for an answer. */
    readonly deadlineMs: number
    /** Whether `authorize` takes a `recipient`. */
    readonly transfers: boolean
    /** Whether `eligible` may be called. */
    readonly eligibility: boolean
    /** Set only by a simulator. Production refuses an adapter that sets it. */
    readonly simulated?: true
  }
  readonly authorize: (authorization: Authorization) => Effect.Effect<BankAnswer, AcquirerError>
  /** Requests whether the card can send money. `Approved` means that it can. */
  readonly eligible: (question: EligibilityQuestion) => Effect.Effect<BankAnswer, AcquirerError>
  readonly capture: (followUp: FollowUp) => Effect.Effect<BankAnswer, AcquirerError>
  readonly void: (followUp: FollowUp) => Effect.Effect<BankAnswer, AcquirerError>
  readonly refund: (followUp: FollowUp) => Effect.Effect<BankAnswer, AcquirerError>
  /** Requests the outcome of an earlier request by its reference. */
  readonly inquire: (reference: AttemptReference) => Effect.Effect<InquiryAnswer, AcquirerError>
}

const call = AdapterCall.make(failures("acquirer", (failed) => new AcquirerError(failed)))

export class Acquirer extends Context.Service<Acquirer, AdapterCall.Checked<Adapter>>()("@pay/gateway/Acquirer") {
  /** Returns the adapter with every answer decoded. */
  static readonly checked = (adapter: Adapter): Acquirer["Service"] => {
    const followUp = (kind: "capture" | "void" | "refund") => {
      const ask = call(kind, BankAnswer)
      return (request: FollowUp) => ask(aboutOf(request.reference), () => adapter[kind](request))
    }
    const authorize = call("authorize", BankAnswer)
    const eligible = call("eligible", BankAnswer)
    const inquire = call("inquire", InquiryAnswer)
    return {
      ...AdapterCall.mark,
      capabilities: adapter.capabilities,
      authorize: (request) => authorize(aboutOf(request.reference), () => adapter.authorize(request)),
      eligible: (question) => eligible(aboutOf(question.reference), () => adapter.eligible(question)),
      capture: followUp("capture"),
      void: followUp("void"),
      refund: followUp("refund"),
      inquire: (reference) => inquire(aboutOf(reference), () => adapter.inquire(reference))
    }
  }
}

export const shape: PortShape.PortShape<Adapter> = {
  methods: {
    authorize: PortShape.method,
    eligible: PortShape.method,
    capture: PortShape.method,
    void: PortShape.method,
    refund: PortShape.method,
    inquire: PortShape.method
  },
  capabilities: {
    longestProcessingMs: PortShape.milliseconds,
    deadlineMs: PortShape.milliseconds,
    transfers: PortShape.boolean,
    eligibility: PortShape.boolean,
    simulated: PortShape.simulatorOnly
  }
}
