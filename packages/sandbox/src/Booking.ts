/** What the bank writes down: one entry after another, from which all it knows can be told again. */
import type { Authorization, EligibilityQuestion, FollowUp, Named } from "@pay/gateway/Acquirer"
import type { RailRequest } from "@pay/gateway/PayoutRail"
import { Equal, Redacted, Schema } from "effect"
import { type FollowUpKind, Kind, type RailKind } from "./Outcome.ts"
import * as TestCards from "./TestCards.ts"
import * as TestRecipients from "./TestRecipients.ts"

/** A request as far as the bank keeps it: neither the card's number nor its security code. */
export const Request = Schema.Struct({
  kind: Kind,
  reference: Schema.String,
  orderId: Schema.String,
  /** The merchant's own number and login; left out of what an earlier release booked. */
  clientOrderId: Schema.optionalKey(Schema.String),
  merchantId: Schema.optionalKey(Schema.String),
  amountMinor: Schema.Int,
  currency: Schema.String,
  /** Authorisations: capture at once. */
  capture: Schema.optionalKey(Schema.Boolean),
  card: Schema.optionalKey(
    Schema.Struct({
      lastFour: Schema.String,
      /** Left out where the bank was not told. */
      expireMonth: Schema.optionalKey(Schema.Int),
      expireYear: Schema.optionalKey(Schema.Int),
      /** Name of the test card, where it is one. */
      testCard: Schema.optionalKey(Schema.String)
    })
  ),
  /** Follow-ups: the reference of the authorisation. */
  original: Schema.optionalKey(Schema.String),
  /** Transfers and payouts: as much of the recipient as tells another one apart. */
  recipient: Schema.optionalKey(
    Schema.Struct({
      kind: Schema.String,
      lastFour: Schema.String,
      /** Name of the test recipient, where it is one. */
      testRecipient: Schema.optionalKey(Schema.String)
    })
  )
})
export type Request = typeof Request.Type

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
  /** From when on the bank can tell its answer; left out: not until somebody settles it. */
  knownFromMs: Schema.optionalKey(Schema.Int)
}

export const Entry = Schema.Union([
  Schema.TaggedStruct("Booked", {
    request: Request,
    bookedAtMs: Schema.Int,
    /** What an inquiry hears until the answer is known. */
    before: Schema.Literals(["NotFound", "CannotSay"]),
    /** From when on a payout that was confirmed is refused. */
    lateRefusal: Schema.optionalKey(LateRefusal),
    ...ruling
  }),
  /** A booked request came again, with the same content. */
  Schema.TaggedStruct("Repeated", { reference: Schema.String }),
  /** A request that did not arrive. */
  Schema.TaggedStruct("Missed", { reference: Schema.String }),
  /** An answer that could not be told was settled by hand. */
  Schema.TaggedStruct("Settled", { reference: Schema.String, ...ruling }),
  /** A payout that was confirmed is refused, by hand. */
  Schema.TaggedStruct("RefusedLate", { reference: Schema.String, lateRefusal: LateRefusal }),
  /** A decline that was told is an approval after all. */
  Schema.TaggedStruct("Contradicted", { reference: Schema.String, answer: Answer, atMs: Schema.Int }),
  /** Something no gateway may do. */
  Schema.TaggedStruct("Violated", { reference: Schema.String, message: Schema.String })
])
export type Entry = typeof Entry.Type

/** One reference in the books. */
export interface Booking extends Omit<Entry & { readonly _tag: "Booked" }, "_tag"> {
  /** How often the request came again after it was booked. */
  readonly repeats: number
  /** When it was approved after it had been told as declined. */
  readonly contradictedAtMs?: number
}

export const isKnown = ({ knownFromMs }: Booking, nowMs: number): boolean =>
  knownFromMs !== undefined && knownFromMs <= nowMs

/** What is told of it now, once that is known. */
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

const namesOf = ({ clientOrderId, merchantId, orderId }: Named & { readonly orderId: string }) => ({
  orderId,
  clientOrderId,
  merchantId
})

/**
 * Returns whether a repeated request equals the booked one. An earlier release may have booked it without the merchant's names.
 */
export const isSame = (booked: Request, again: Request): boolean => {
  const { clientOrderId: _, merchantId: __, ...rest } = again
  return Equal.equals(booked, booked.merchantId === undefined ? rest : again)
}

export const ofAuthorization = ({ card, recipient, ...request }: Authorization): Request => ({
  kind: "authorize",
  reference: request.reference,
  ...namesOf(request),
  amountMinor: request.amountMinor,
  currency: request.currency,
  capture: request.capture,
  card: { ...ofCard(card.pan), expireMonth: card.expireMonth, expireYear: card.expireYear },
  ...(recipient === undefined ? {} : { recipient: ofRecipient("card", recipient) })
})

export const ofQuestion = ({ currency, expiry, pan, reference, ...names }: EligibilityQuestion): Request => ({
  kind: "eligible",
  reference,
  ...namesOf(names),
  amountMinor: 0,
  currency,
  card: { ...ofCard(pan), ...(expiry === undefined ? {} : { expireMonth: expiry.month, expireYear: expiry.year }) }
})

export const ofPayout = (kind: RailKind, request: RailRequest): Request => ({
  kind,
  reference: request.reference,
  ...namesOf(request),
  amountMinor: request.amountMinor,
  currency: request.currency,
  recipient: ofRecipient(request.destination.kind, request.destination.number)
})

export const ofFollowUp = (kind: FollowUpKind, request: FollowUp): Request => ({
  kind,
  reference: request.reference,
  ...namesOf(request),
  amountMinor: request.amountMinor,
  currency: request.currency,
  original: request.original
})
