/**
 * Attempts of a scheduled charge, or of a payment on a hosted page, that a restored copy lacks. The gateway may have made them
 * after the copy was taken, each with the reference of its number. It inquires about each of them before the payment is tried
 * again or given up.
 */

import { Clock, Effect } from "effect"
import { Acquirer, type AnswerLost, type InquiryAnswer, type NotSent } from "../Acquirer.ts"
import type { AttemptReference } from "../Booking.ts"
import type { Order } from "../Order.ts"
import { type BankRequest, type OrderRequest, referenceOf } from "../OrderRequest.ts"
import * as BankJob from "../outcomes/BankJob.ts"
import type * as Inquiry from "../outcomes/Inquiry.ts"
import * as Restored from "./Restored.ts"
import * as RestoredAt from "./RestoredAt.ts"

/** The part of a port that inquires: of the bank or of a payout rail. */
interface InquiryPort {
  readonly capabilities: { readonly deadlineMs: number; readonly longestProcessingMs: number }
  readonly inquire: (
    reference: AttemptReference
  ) => Effect.Effect<InquiryAnswer, { readonly reason: NotSent | AnswerLost }>
}

/** An answer that decides the payment, or `CannotSay`. */
type ReportedAnswer<A extends Inquiry.Answer> = A | Extract<Inquiry.Answer, { readonly _tag: "CannotSay" }>

/** An attempt whose answer decides the payment, or whose outcome is not known yet. */
export interface AttemptBeforeRestore<A extends Inquiry.Answer> {
  readonly sequence: number
  readonly answer: ReportedAnswer<A>
}

export const makeInquiry = Effect.fnUntraced(function* ({ capabilities, inquire }: InquiryPort) {
  const restoredAtMs = yield* RestoredAt.make
  const { deadlineMs, longestProcessingMs } = capabilities

  /** Inquires about the attempts from `first` to `last`. Undefined: none of them decides, and none can arrive any more. */
  return Effect.fnUntraced(function* <A extends Inquiry.Answer>(
    order: Order,
    request: OrderRequest,
    [first, last]: readonly [first: number, last: number],
    decides: (answer: Inquiry.Answer) => answer is ReportedAnswer<A>
  ) {
    if (restoredAtMs === undefined || !Restored.inquiresFirst(order, restoredAtMs)) return undefined
    const mayArrive = (yield* Clock.currentTimeMillis) - restoredAtMs < longestProcessingMs
    for (let sequence = first; sequence <= last; sequence += 1) {
      const reported = (answer: ReportedAnswer<A>): AttemptBeforeRestore<A> => ({ sequence, answer })
      const answer = BankJob.inquired(
        yield* BankJob.answerOf(inquire(referenceOf({ ...request, sequence })), deadlineMs)
      )
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
  const ask = yield* makeInquiry(yield* Acquirer)

  /**
   * Inquires about the attempts after the last one that the copy has. `last`: the highest number of an attempt. Undefined: none
   * of them was approved, and none can be any more.
   */
  return (order: Order, request: BankRequest, last: number, first = request.sequence + 1) =>
    ask<Approved>(order, request, [first, last], decides)
})

/**
 * Inquires again about a scheduled charge that the bank has declined, before the charge is tried again or given up. If the bank
 * has approved it after all, another attempt would charge the card twice.
 */
export const inquireDeclined = Effect.map(
  Acquirer,
  ({ capabilities: { deadlineMs }, inquire }) =>
    (request: BankRequest) =>
      Effect.map(BankJob.answerOf(inquire(referenceOf(request)), deadlineMs), BankJob.inquired)
)
