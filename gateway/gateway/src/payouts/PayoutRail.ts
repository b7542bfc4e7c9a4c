/**
 * The port of the payout rail, which pays to cards, bank accounts, wallets or phones. Every payment carries a reference
 * of the gateway, by which the gateway can inquire about the outcome later. A lost answer is inquired about and never
 * guessed.
 */

import { Context, type Effect, Schema } from "effect"
import * as AdapterCall from "../kernel/AdapterCall.ts"
import * as PortShape from "../kernel/PortShape.ts"
import {
  AnswerLost,
  aboutOf,
  BankAnswer,
  failures,
  InquiryAnswer,
  type Named,
  NotSent
} from "../orders/bank/Acquirer.ts"
import type { AttemptReference } from "../orders/record/Booking.ts"
import { type Destination, type Kind, kinds } from "../recipients/Destination.ts"

export class RailError extends Schema.TaggedError<RailError>()("RailError", {
  reason: Schema.Union([NotSent, AnswerLost])
}) {}

export interface RailRequest extends Named {
  /** The reference `orderid-kind-n`. A resubmission has the same reference. */
  readonly reference: AttemptReference
  readonly orderId: string
  readonly amountMinor: number
  readonly currency: string
  readonly destination: Destination
  /** Text for the recipient's statement. */
  readonly purpose: string | undefined
}

export interface Capabilities {
  /**
   * Longest time until a request that was sent is booked. A reference that the rail still does not have after this time
   * will never be booked.
   */
  readonly longestProcessingMs: number
  /** Longest time for which the gateway waits for an answer. */
  readonly deadlineMs: number
  readonly destinations: ReadonlySet<Kind>
  /**
   * Times after the confirmation at which the gateway inquires whether a payout was refused after all, rising. After the
   * last one a confirmed payout stays paid. Empty: the rail never refuses late.
   */
  readonly lateRefusalAfterMs: ReadonlyArray<number>
  /** Set only by a simulator. Production refuses an adapter that sets it. */
  readonly simulated?: true
}

/** What the operator of a gateway implements for his payout rail. */
export interface Adapter {
  /** The properties that the rail's adapter declares. */
  readonly capabilities: Capabilities
  /** Checks whether the recipient can be paid. It moves no money, and may be called again at any time. */
  readonly check: (request: RailRequest) => Effect.Effect<BankAnswer, RailError>
  /** Requests a payment. A refusal is an answer, not an error. */
  readonly pay: (request: RailRequest) => Effect.Effect<BankAnswer, RailError>
  /** Requests the outcome of an earlier payment by its reference, which includes a late refusal. */
  readonly inquire: (reference: AttemptReference) => Effect.Effect<InquiryAnswer, RailError>
}

const call = AdapterCall.make(failures("payoutRail", (failed) => new RailError(failed)))

export class PayoutRail extends Context.Service<PayoutRail, AdapterCall.Checked<Adapter>>()("@pay/gateway/PayoutRail") {
  /** Returns the adapter with every answer decoded. */
  static readonly checked = (adapter: Adapter): PayoutRail["Service"] => {
    const check = call("check", BankAnswer)
    const pay = call("pay", BankAnswer)
    const inquire = call("inquire", InquiryAnswer)
    return {
      ...AdapterCall.mark,
      capabilities: adapter.capabilities,
      check: (request) => check(aboutOf(request.reference), () => adapter.check(request)),
      pay: (request) => pay(aboutOf(request.reference), () => adapter.pay(request)),
      inquire: (reference) => inquire(aboutOf(reference), () => adapter.inquire(reference))
    }
  }
}

export const shape: PortShape.PortShape<Adapter> = {
  methods: { check: PortShape.method, pay: PortShape.method, inquire: PortShape.method },
  capabilities: {
    longestProcessingMs: PortShape.milliseconds,
    deadlineMs: PortShape.milliseconds,
    destinations: PortShape.setOf(kinds),
    lateRefusalAfterMs: PortShape.risingMilliseconds,
    simulated: PortShape.simulatorOnly
  }
}
