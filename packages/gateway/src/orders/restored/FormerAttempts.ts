/**
 * The tries of a payment that a restored copy does not know: of a scheduled charge, or on a hosted page. The former life may
 * have made them after the copy, each under the reference of its number. The bank is asked about every one before the
 * payment is tried again or given up.
 */

import { Clock, Effect } from "effect"
import { Acquirer, type AnswerLost, type InquiryAnswer, type NotSent } from "../Acquirer.ts"
import type { AttemptReference } from "../Booking.ts"
import type { Order } from "../Order.ts"
import type { BankRequest } from "../OrderRequest.ts"
import * as BankJob from "../outcomes/BankJob.ts"
import * as CardAnswer from "../outcomes/CardAnswer.ts"
import type * as Inquiry from "../outcomes/Inquiry.ts"
import * as Restored from "./Restored.ts"
import * as RestoredAt from "./RestoredAt.ts"

/** A bank or a payout rail. */
interface Other {
  readonly capabilities: { readonly deadlineMs: number; readonly longestProcessingMs: number }
  readonly inquire: (
    reference: AttemptReference
  ) => Effect.Effect<InquiryAnswer, { readonly reason: NotSent | AnswerLost }>
}

/** What decides, or that nobody can say yet. */
type ReportedAnswer<A extends Inquiry.Answer> = A | Extract<Inquiry.Answer, { readonly _tag: "CannotSay" }>

/** A try that decides, or of which nobody can say yet. */
export interface FormerAttempt<A extends Inquiry.Answer> {
  readonly sequence: number
  readonly answer: ReportedAnswer<A>
}

export const asking = Effect.fnUntraced(function* ({ capabilities, inquire }: Other) {
  const restoredAtMs = yield* RestoredAt.make
  const { deadlineMs, longestProcessingMs } = capabilities

  /** Undefined: no try from `first` to `last` decides, or can any more. */
  return Effect.fnUntraced(function* <A extends Inquiry.Answer>(
    order: Order,
    [first, last]: readonly [first: number, last: number],
    referenceOf: (sequence: number) => AttemptReference,
    decides: (answer: Inquiry.Answer) => answer is ReportedAnswer<A>
  ) {
    if (restoredAtMs === undefined || !Restored.asksFirst(order, restoredAtMs)) return undefined
    const mayArrive = (yield* Clock.currentTimeMillis) - restoredAtMs < longestProcessingMs
    for (let sequence = first; sequence <= last; sequence += 1) {
      const reported = (answer: ReportedAnswer<A>): FormerAttempt<A> => ({ sequence, answer })
      const answer = BankJob.inquired(yield* BankJob.answerOf(inquire(referenceOf(sequence)), deadlineMs))
      if (decides(answer)) return reported(answer)
      if (answer._tag === "NotFound" && mayArrive) return reported({ _tag: "CannotSay" })
    }
    return undefined
  })
})

type Approved = Extract<Inquiry.Answer, { readonly _tag: "Approved" }>

const decides = (answer: Inquiry.Answer): answer is ReportedAnswer<Approved> =>
  answer._tag === "Approved" || answer._tag === "CannotSay"

export const make = Effect.gen(function* () {
  const ask = yield* asking(yield* Acquirer)

  /** `last`: the greatest number of a try. Undefined: none after the one that the copy knows was approved, or can be any more. */
  return (order: Order, request: BankRequest, last: number, first = request.sequence + 1) => {
    const kind = request.action === "refundThenCancel" ? "refund" : request.action
    const referenceOf = (sequence: number) => CardAnswer.reference({ ...request, sequence }, kind)
    return ask<Approved>(order, [first, last], referenceOf, decides)
  }
})

/**
 * Asks the bank again about a scheduled charge that it has declined, before the charge is tried again or given up: one that it
 * has approved after all would be charged twice.
 */
export const last = Effect.map(Acquirer, ({ capabilities: { deadlineMs }, inquire }) => (request: BankRequest) => {
  const kind = request.action === "refundThenCancel" ? "refund" : request.action
  return Effect.map(BankJob.answerOf(inquire(CardAnswer.reference(request, kind)), deadlineMs), BankJob.inquired)
})
