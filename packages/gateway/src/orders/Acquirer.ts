/**
 * The acquiring bank. Every call carries our own reference, so that its outcome can be asked for again: an answer that was
 * lost is a question, never a guess.
 */

import { Context, type Effect, type Redacted, Schema } from "effect"
import * as PortShape from "../kernel/PortShape.ts"
import type { AttemptReference } from "./Booking.ts"

export type { AttemptReference } from "./Booking.ts"

/** The bank was not reached: provably nothing was sent. */
export class NotSent extends Schema.TaggedClass<NotSent>()("NotSent", { message: Schema.String }) {}
/** The request may have reached the bank; its answer did not reach us. */
export class AnswerLost extends Schema.TaggedClass<AnswerLost>()("AnswerLost", { message: Schema.String }) {}

export class AcquirerError extends Schema.TaggedError<AcquirerError>()("AcquirerError", {
  reason: Schema.Union([NotSent, AnswerLost])
}) {}

/** What the bank says of one reference. A decline is an answer, not an error. */
export type BankAnswer =
  | {
      readonly _tag: "Approved"
      readonly approvalCode: string
      readonly processorTxId: string
      /** What was booked under the reference, where the bank tells: another amount than asked for is nobody's approval. */
      readonly amountMinor?: number
    }
  | { readonly _tag: "Declined"; readonly code: number; readonly message: string }

export type InquiryAnswer =
  | BankAnswer
  /** The bank has no such reference; definite once `longestProcessingMs` have passed since it was sent. */
  | { readonly _tag: "NotFound" }
  /** The bank itself does not know yet. */
  | { readonly _tag: "CannotSay" }

/** Card data as the bank needs it; `cvv` is absent on merchant-initiated charges. */
export interface BankCard {
  readonly pan: Redacted.Redacted<string>
  readonly cvv: Redacted.Redacted<string> | undefined
  readonly expireMonth: number
  readonly expireYear: number
  readonly cardholder: string
}

/** What 3-D Secure says of the cardholder, where it ran. */
export interface CardholderProof {
  /** `2.2.0` or `1.0.2`. */
  readonly protocol: string
  /** Y: authenticated; A: attempted; U: the issuer could not say, and the endpoint goes on without. */
  readonly transStatus: string
  /** The transaction at the 3-D Secure server, or the XID of version 1. */
  readonly transactionId: string
  readonly eci: string | undefined
  /** CAVV or AAV. */
  readonly authenticationValue: Redacted.Redacted<string> | undefined
}

/** Whose order it is: told to the bank with every request, so that its list of bookings can be matched without our database. */
export interface Named {
  /** The merchant's own number of the order. */
  readonly clientOrderId: string
  /** The merchant's login. */
  readonly merchantId: string
}

export interface Authorization extends Named {
  /** `orderid-kind-n`: sent again unchanged on every resubmission. */
  readonly reference: AttemptReference
  readonly orderId: string
  readonly amountMinor: number
  readonly currency: string
  readonly card: BankCard
  /** True: authorise and capture at once (a sale). */
  readonly capture: boolean
  readonly authentication?: CardholderProof | undefined
  /**
   * Number of the card that receives the money, always with `capture`: one movement from card to card under one reference,
   * approved or declined as a whole, and nothing follows it.
   */
  readonly recipient?: Redacted.Redacted<string> | undefined
}

/** Whether a card can send money. Nothing is authorised, and the expiry need not be known. */
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
  /** The reference of the authorisation that this acts on. */
  readonly original: string
  /** For `cancel`: what is left of the hold. */
  readonly amountMinor: number
  readonly currency: string
}

export class Acquirer extends Context.Service<
  Acquirer,
  {
    /** Data, not behaviour: what the bank promises. */
    readonly capabilities: {
      /** After so long a reference that the bank does not know will never be known. */
      readonly longestProcessingMs: number
      /** We stop waiting for an answer after this. */
      readonly deadlineMs: number
      /** Whether `authorize` takes a `recipient`. */
      readonly transfers: boolean
      /** Whether `eligible` may be asked. */
      readonly eligibility: boolean
      /** Set only by a simulator. Production refuses an adapter that sets it. */
      readonly simulated?: true
    }
    readonly authorize: (authorization: Authorization) => Effect.Effect<BankAnswer, AcquirerError>
    /** Approved: the card can send money. */
    readonly eligible: (question: EligibilityQuestion) => Effect.Effect<BankAnswer, AcquirerError>
    readonly capture: (followUp: FollowUp) => Effect.Effect<BankAnswer, AcquirerError>
    readonly cancel: (followUp: FollowUp) => Effect.Effect<BankAnswer, AcquirerError>
    readonly refund: (followUp: FollowUp) => Effect.Effect<BankAnswer, AcquirerError>
    /** What became of a reference. */
    readonly inquire: (reference: AttemptReference) => Effect.Effect<InquiryAnswer, AcquirerError>
  }
>()("@pay/gateway/Acquirer") {}

export const shape: PortShape.PortShape<Acquirer["Service"]> = {
  methods: {
    authorize: PortShape.method,
    eligible: PortShape.method,
    capture: PortShape.method,
    cancel: PortShape.method,
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
