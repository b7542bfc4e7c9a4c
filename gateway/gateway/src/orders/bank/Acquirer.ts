/**
 * The port of the acquiring bank. Every call carries a reference of the gateway, by which the gateway can inquire about the
 * outcome later. A lost answer is inquired about and never guessed. An adapter passes on what its bank has fields for.
 */

import { Context, Effect, Predicate } from "effect"
import * as AdapterCall from "../../kernel/AdapterCall.ts"
import * as PortShape from "../../kernel/PortShape.ts"
import { defaultAcquirer } from "../../merchants/Terminal.ts"
import { type AttemptReference, parse } from "../record/Booking.ts"
import type { Order } from "../record/Order.ts"
import {
  AcquirerError,
  BankAnswer,
  failures,
  InquiryAnswer,
  NotSent,
  RequestAnswer,
  ReversalAnswer
} from "./BankAnswer.ts"
import type { Authorization, EligibilityQuestion, FollowUp, FollowUpKind, Inquiry } from "./BankRequest.ts"
import * as UnknownOutcome from "./UnknownOutcome.ts"

export { defaultAcquirer, Terminal } from "../../merchants/Terminal.ts"
export type { SchemeReference } from "../record/BankDetails.ts"
export type { BillingDetails } from "../record/BillingDetails.ts"
export type { AttemptReference } from "../record/Booking.ts"
export type { StoredCredential } from "../record/StoredCredential.ts"
export {
  AcquirerError,
  AnswerLost,
  BankAnswer,
  type Category,
  failures,
  InquiryAnswer,
  NotSent,
  RequestAnswer,
  ReversalAnswer
} from "./BankAnswer.ts"
export type {
  Authorization,
  BankCard,
  CardholderProof,
  Customer,
  EligibilityQuestion,
  FollowUp,
  FollowUpKind,
  Inquiry,
  Named,
  Original
} from "./BankRequest.ts"
export { hasInquiry, type Way, type Ways } from "./UnknownOutcome.ts"

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
    /** How the outcome of a request ends whose answer is lost, by its kind. Left out: by inquiry. */
    readonly unknownOutcomes?: UnknownOutcome.Ways | undefined
    /**
     * Time for which an uncaptured hold is kept before the gateway releases it, by the brand of the card as `card-type` names it. A brand
     * that is left out has the gateway's setting.
     */
    readonly holdMs?: HoldTimes | undefined
    /** Set only by a simulator. Production refuses an adapter that sets it. */
    readonly simulated?: true
  }
  readonly authorize: (authorization: Authorization) => Effect.Effect<RequestAnswer, AcquirerError>
  /** Requests whether the card can send money. `Approved` means that it can. */
  readonly eligible: (question: EligibilityQuestion) => Effect.Effect<BankAnswer, AcquirerError>
  /** Captures or releases a hold, or refunds captured money. */
  readonly followUp: (kind: FollowUpKind, followUp: FollowUp) => Effect.Effect<RequestAnswer, AcquirerError>
  /** Requests the outcome of an earlier request. It is called only for kinds whose `unknownOutcomes` have an inquiry. */
  readonly inquire: (inquiry: Inquiry) => Effect.Effect<InquiryAnswer, AcquirerError>
  /**
   * Makes sure that an earlier request has no effect, whether or not the bank has it. It is called only for kinds whose
   * `unknownOutcomes` have a reversal, and is repeated until it is answered.
   */
  readonly reverse?: ((inquiry: Inquiry) => Effect.Effect<ReversalAnswer, AcquirerError>) | undefined
}

/** Milliseconds by `card-type`, such as `VISA`. */
export type HoldTimes = Readonly<Record<string, number>>

const areHoldTimes = (value: unknown): value is HoldTimes =>
  Predicate.isObject(value) && Object.values(value).every(PortShape.milliseconds.is)

/** Returns how long the hold of an order is kept. */
export const holdMsOf = (
  { holdMs }: Adapter["capabilities"],
  { cardType }: Pick<Order, "cardType">,
  settingMs: number
): number => holdMs?.[cardType] ?? settingMs

export class Acquirer extends Context.Service<Acquirer, AdapterCall.Checked<Adapter>>()("@pay/gateway/Acquirer") {
  /** Returns the adapter with every answer decoded. `name`: the name of the acquirer in logs and metrics. */
  static readonly checked = (adapter: Adapter, name: string = defaultAcquirer): Acquirer["Service"] => {
    const call = AdapterCall.make(failures(name, (failed) => new AcquirerError(failed)))
    const authorize = call("authorize", RequestAnswer)
    const eligible = call("eligible", BankAnswer)
    const followUps = {
      capture: call("capture", RequestAnswer),
      void: call("void", RequestAnswer),
      refund: call("refund", RequestAnswer)
    }
    const inquire = call("inquire", InquiryAnswer)
    const reverse = call("reverse", ReversalAnswer)
    return {
      ...AdapterCall.mark,
      capabilities: adapter.capabilities,
      authorize: (request) => authorize(aboutOf(request.reference), () => adapter.authorize(request)),
      eligible: (question) => eligible(aboutOf(question.reference), () => adapter.eligible(question)),
      followUp: (kind, request) => followUps[kind](aboutOf(request.reference), () => adapter.followUp(kind, request)),
      inquire: (inquiry) =>
        UnknownOutcome.hasInquiry(adapter.capabilities.unknownOutcomes, inquiry.kind)
          ? inquire(aboutOf(inquiry.reference), () => adapter.inquire(inquiry))
          : Effect.succeed({ _tag: "CannotSay" }),
      reverse:
        adapter.reverse === undefined
          ? undefined
          : (inquiry) => reverse(aboutOf(inquiry.reference), () => adapter.reverse?.(inquiry))
    }
  }

  /** Stands for an acquirer that has no adapter here: nothing is sent to it, and it can say nothing. */
  static readonly absent = (name: string): Acquirer["Service"] => {
    const message = `this gateway has no adapter of the acquirer ${name}`
    const notSent = () => Effect.fail(new AcquirerError({ reason: new NotSent({ message }) }))
    return {
      ...AdapterCall.mark,
      capabilities: { longestProcessingMs: 1, deadlineMs: 1, transfers: false, eligibility: false },
      authorize: notSent,
      eligible: notSent,
      followUp: notSent,
      inquire: () => Effect.succeed({ _tag: "CannotSay" })
    }
  }
}

export const shape: PortShape.PortShape<Adapter> = {
  methods: {
    authorize: PortShape.method,
    eligible: PortShape.method,
    followUp: PortShape.method,
    inquire: PortShape.method,
    reverse: PortShape.optional(PortShape.method)
  },
  capabilities: {
    longestProcessingMs: PortShape.milliseconds,
    deadlineMs: PortShape.milliseconds,
    transfers: PortShape.boolean,
    eligibility: PortShape.boolean,
    unknownOutcomes: PortShape.optional({
      is: UnknownOutcome.is,
      expected: "the ways in which an unknown outcome ends, by kind of request",
      flaws: UnknownOutcome.flaws
    }),
    holdMs: PortShape.optional({ is: areHoldTimes, expected: "milliseconds above 0, by card-type" }),
    simulated: PortShape.simulatorOnly
  }
}
