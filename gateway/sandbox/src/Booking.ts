/** The entries of the bank's journal. The bank's books are computed from them. */
import type { Authorization, EligibilityQuestion, FollowUp, Inquiry, Named } from "@pay/gateway/Acquirer"
import type { RailRequest } from "@pay/gateway/PayoutRail"
import { Redacted, Schema } from "effect"
import { type FollowUpKind, Kind, type RailKind } from "./Outcome.ts"
import * as TestCards from "./TestCards.ts"
import * as TestRecipients from "./TestRecipients.ts"

/** A request as the bank stores it: without the card's number and without its security code. */
export const Request = Schema.Struct({
  kind: Kind,
  reference: Schema.String,
  orderId: Schema.String,
  /** The merchant's own number of the order. */
  clientOrderId: Schema.String,
  merchantId: Schema.String,
  amountMinor: Schema.Int,
  currency: Schema.String,
  /** Whether an authorisation is captured at once. */
  capture: Schema.optionalKey(Schema.Boolean),
  card: Schema.optionalKey(
    Schema.Struct({
      lastFour: Schema.String,
      /** The expiry of the card. Absent if the request had none. */
      expireMonth: Schema.optionalKey(Schema.Int),
      expireYear: Schema.optionalKey(Schema.Int),
      /** Name of the test card, if the card is one. */
      testCard: Schema.optionalKey(Schema.String)
    })
  ),
  /** The reference of the authorisation, for follow-ups. */
  original: Schema.optionalKey(Schema.String),
  /** The recipient of a transfer or a payout, with as much as distinguishes it from another recipient. */
  recipient: Schema.optionalKey(
    Schema.Struct({
      kind: Schema.String,
      lastFour: Schema.String,
      /** Name of the test recipient, if the recipient is one. */
      testRecipient: Schema.optionalKey(Schema.String)
    })
  )
})
export type Request = typeof Request.Type

/** The bank's answer to a request. The codes of declines are action codes of ISO 8583:1993. */
export const Answer = Schema.Union([
  Schema.TaggedStruct("Approved", {
    approvalCode: Schema.String,
    processorTxId: Schema.String,
    amountMinor: Schema.optionalKey(Schema.Int)
  }),
  Schema.TaggedStruct("Declined", { code: Schema.Int, message: Schema.String })
])
export type Answer = typeof Answer.Type

const LateRefusal = Schema.Struct({ fromMs: Schema.Int, code: Schema.Int, message: Schema.String })

const ruling = {
  answer: Answer,
  /** Time from which the bank can report its answer. Absent: not before the request is settled. */
  knownFromMs: Schema.optionalKey(Schema.Int)
}

/** One entry of the bank's journal. */
export const Entry = Schema.Union([
  Schema.TaggedStruct("Booked", {
    request: Request,
    bookedAtMs: Schema.Int,
    /** The answer to an inquiry before the bank can report its answer. */
    before: Schema.Literals(["NotFound", "CannotSay"]),
    /** The refusal of a payout after its confirmation, with the time from which it applies. */
    lateRefusal: Schema.optionalKey(LateRefusal),
    ...ruling
  }),
  /** A request arrived again that was already booked, with the same content. */
  Schema.TaggedStruct("Repeated", { reference: Schema.String }),
  /** A request was lost on its way. */
  Schema.TaggedStruct("Missed", { reference: Schema.String }),
  /** An answer that the bank could not report is known from now on. */
  Schema.TaggedStruct("Settled", { reference: Schema.String, ...ruling }),
  /** A confirmed payout was refused through the control interface. */
  Schema.TaggedStruct("RefusedLate", { reference: Schema.String, lateRefusal: LateRefusal }),
  /** A request that was reported as declined was approved after all. */
  Schema.TaggedStruct("Contradicted", { reference: Schema.String, answer: Answer, atMs: Schema.Int }),
  /** The bank has made sure that a request has no effect. */
  Schema.TaggedStruct("Reversed", { reference: Schema.String, answer: Answer, atMs: Schema.Int }),
  /** The gateway did something that no gateway may do. */
  Schema.TaggedStruct("Violated", { reference: Schema.String, message: Schema.String })
])
export type Entry = typeof Entry.Type

/** One request in the books. */
export interface Booking extends Omit<Entry & { readonly _tag: "Booked" }, "_tag"> {
  /** Number of repetitions of the request after it was booked. */
  readonly repeats: number
  /** Time at which the request was approved, after it had been reported as declined. */
  readonly contradictedAtMs?: number
  /** Time at which the bank made sure that the request has no effect. */
  readonly reversedAtMs?: number
}

/** Whether the bank can report its answer at the time `nowMs`. */
export const isKnown = ({ knownFromMs }: Booking, nowMs: number): boolean =>
  knownFromMs !== undefined && knownFromMs <= nowMs

/** Returns the answer that the bank reports at `nowMs`, if it can report one. */
export const answerAt = ({ answer, lateRefusal }: Booking, nowMs: number): Answer =>
  lateRefusal !== undefined && lateRefusal.fromMs <= nowMs && answer._tag === "Approved"
    ? { _tag: "Declined", code: lateRefusal.code, message: lateRefusal.message }
    : answer

const ofCard = (number: Redacted.Redacted<string>) => {
  const pan = Redacted.value(number)
  const testCard = TestCards.find(pan)
  return { lastFour: pan.slice(-4), ...(testCard === undefined ? {} : { testCard: testCard.name }) }
}

const ofRecipient = (kind: string, number: Redacted.Redacted<string>) => {
  const text = Redacted.value(number)
  const testRecipient = TestRecipients.find(text)
  return {
    kind,
    lastFour: text.slice(-4),
    ...(testRecipient === undefined ? {} : { testRecipient: testRecipient.name })
  }
}

interface Sent extends Named {
  readonly reference: string
  readonly orderId: string
  readonly amountMinor: number
  readonly currency: string
}

const sent = (kind: Kind, { amountMinor, clientOrderId, currency, merchantId, orderId, reference }: Sent): Request => ({
  kind,
  reference,
  orderId,
  clientOrderId,
  merchantId,
  amountMinor,
  currency
})

export const ofAuthorization = ({ card, recipient, ...request }: Authorization): Request => ({
  ...sent("authorize", request),
  capture: request.capture,
  card: { ...ofCard(card.pan), expireMonth: card.expireMonth, expireYear: card.expireYear },
  ...(recipient === undefined ? {} : { recipient: ofRecipient("card", recipient) })
})

export const ofQuestion = ({ expiry, pan, ...question }: EligibilityQuestion): Request => ({
  ...sent("eligible", { ...question, amountMinor: 0 }),
  card: { ...ofCard(pan), ...(expiry === undefined ? {} : { expireMonth: expiry.month, expireYear: expiry.year }) }
})

export const ofPayout = (kind: RailKind, request: RailRequest): Request => ({
  ...sent(kind, request),
  recipient: ofRecipient(request.destination.kind, request.destination.number)
})

export const ofFollowUp = (kind: FollowUpKind, request: FollowUp): Request => ({
  ...sent(kind, request),
  original: request.original.reference
})

/** A request that the bank knows by an inquiry alone, because it has not arrived. */
export const ofInquiry = ({ kind, original, ...inquiry }: Inquiry): Request => ({
  ...sent(kind === "capture" || kind === "void" || kind === "refund" ? kind : "authorize", inquiry),
  ...(original === undefined ? {} : { original: original.reference })
})
