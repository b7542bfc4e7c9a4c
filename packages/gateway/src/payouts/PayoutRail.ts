/**
 * The way by which payouts leave: to cards, bank accounts, wallets or phones. Every payment carries our own reference, so
 * that its outcome can be asked for again: an answer that was lost is a question, never a guess.
 */

import { Context, type Effect, Schema } from "effect"
import * as PortShape from "../kernel/PortShape.ts"
import { AnswerLost, type BankAnswer, type InquiryAnswer, type Named, NotSent } from "../orders/Acquirer.ts"
import type { AttemptReference } from "../orders/Booking.ts"
import { type Destination, type Kind, kinds } from "../recipients/Destination.ts"

export class RailError extends Schema.TaggedError<RailError>()("RailError", {
  reason: Schema.Union([NotSent, AnswerLost])
}) {}

export interface RailRequest extends Named {
  /** `orderid-kind-n`: sent again unchanged on every resubmission. */
  readonly reference: AttemptReference
  readonly orderId: string
  readonly amountMinor: number
  readonly currency: string
  readonly destination: Destination
  /** For the recipient's statement. */
  readonly purpose: string | undefined
}

export interface Capabilities {
  /** After so long a reference that the rail does not know will never be known. */
  readonly longestProcessingMs: number
  /** We stop waiting for an answer after this. */
  readonly deadlineMs: number
  readonly destinations: ReadonlySet<Kind>
  /**
   * When to ask, from the confirmation on, whether a payout was refused after all; rising. After the last moment a
   * confirmed payout stays paid. Empty: the rail never refuses late.
   */
  readonly lateRefusalAfterMs: ReadonlyArray<number>
  /** Set only by a simulator. Production refuses an adapter that sets it. */
  readonly simulated?: true
}

export class PayoutRail extends Context.Service<
  PayoutRail,
  {
    /** Data, not behaviour: what the rail promises. */
    readonly capabilities: Capabilities
    /** Whether the recipient can be paid. Moves nothing, and may be asked again at any time. */
    readonly check: (request: RailRequest) => Effect.Effect<BankAnswer, RailError>
    /** A refusal is an answer, not an error. */
    readonly pay: (request: RailRequest) => Effect.Effect<BankAnswer, RailError>
    /** What became of a payment: also how a late refusal is heard of. */
    readonly inquire: (reference: AttemptReference) => Effect.Effect<InquiryAnswer, RailError>
  }
>()("@pay/gateway/PayoutRail") {}

export const shape: PortShape.PortShape<PayoutRail["Service"]> = {
  methods: { check: PortShape.method, pay: PortShape.method, inquire: PortShape.method },
  capabilities: {
    longestProcessingMs: PortShape.milliseconds,
    deadlineMs: PortShape.milliseconds,
    destinations: PortShape.setOf(kinds),
    lateRefusalAfterMs: PortShape.risingMilliseconds,
    simulated: PortShape.simulatorOnly
  }
}
