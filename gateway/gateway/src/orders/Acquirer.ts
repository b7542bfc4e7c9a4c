/**
 * The port of the acquiring bank. Every call carries a reference of the gateway, by which the gateway can inquire about the
 * outcome later. A lost answer is inquired about and never guessed.
 */

import { Context, type Effect, type Redacted, Schema } from "effect"
import * as PortShape from "../kernel/PortShape.ts"
import type { AttemptReference } from "./Booking.ts"

export type { AttemptReference } from "./Booking.ts"

/** The bank was not reached: it is certain that nothing was sent. */
export class NotSent extends Schema.TaggedClass<NotSent>()("NotSent", { message: Schema.String }) {}
/** The request may have reached the bank, but its answer did not reach the gateway. */
export class AnswerLost extends Schema.TaggedClass<AnswerLost>()("AnswerLost", { message: Schema.String }) {}

export class AcquirerError extends Schema.TaggedError<AcquirerError>()("AcquirerError", {
  reason: Schema.Union([NotSent, AnswerLost])
}) {}

/** The bank's answer about one reference. A decline is an answer, not an error. */
export type BankAnswer =
  | {
      readonly _tag: "Approved"
      readonly approvalCode: string
      readonly processorTxId: string
      /**
       * The amount that the bank booked under the reference, if it reports one. An approval of another amount than requested is
       * not applied.
       */
      readonly amountMinor?: number
    }
  | { readonly _tag: "Declined"; readonly code: number; readonly message: string }

export type InquiryAnswer =
  | BankAnswer
  /** The bank has no such reference. This is definite once `longestProcessingMs` have passed since the request was sent. */
  | { readonly _tag: "NotFound" }
  /** The bank cannot report the outcome yet. */
  | { readonly _tag: "CannotSay" }

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

export class Acquirer extends Context.Service<
  Acquirer,
  {
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
>()("@pay/gateway/Acquirer") {}

export const shape: PortShape.PortShape<Acquirer["Service"]> = {
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
