/**
 * Inquires about attempts of a request that the former gateway may have made. The list of bank or rail counts, too: what it contains was
 * made, even if an inquiry does not find it.
 */
import { Clock, Effect, Option } from "effect"
import { Store } from "../kernel/Store.ts"
import { Acquirer, type AnswerLost, type InquiryAnswer, type NotSent } from "../orders/bank/Acquirer.ts"
import type * as Inquiry from "../orders/decide/Inquiry.ts"
import * as BankJob from "../orders/outcomes/BankJob.ts"
import * as Actions from "../orders/record/Actions.ts"
import type * as Booking from "../orders/record/Booking.ts"
import { type OrderRequest, referenceOf } from "../orders/record/OrderRequest.ts"
import { PayoutRail } from "../payouts/PayoutRail.ts"
import { BankBooking } from "./BankBooking.ts"
import type * as Unclear from "./Unclear.ts"

type Decided = Extract<Inquiry.Answer, { readonly _tag: "Approved" | "Declined" }>

/** What bank or rail says about one attempt. */
export type Attempt =
  | { readonly _tag: "Made"; readonly answer: Decided }
  | { readonly _tag: "NeverMade" }
  | { readonly _tag: "Unclear" }

interface Facts {
  /** Whether a list contains the attempt. */
  readonly isListed: boolean
  /** Whether the attempt may still be on its way to bank or rail. */
  readonly mayArrive: boolean
}

/** Judges an answer to an inquiry. "Not found" proves nothing about an attempt that is listed or on its way. */
const judge = (answer: Inquiry.Answer, { isListed, mayArrive }: Facts): Attempt => {
  if (answer._tag === "Approved" || answer._tag === "Declined") return { _tag: "Made", answer }
  return answer._tag === "NotFound" && !isListed && !mayArrive ? { _tag: "NeverMade" } : { _tag: "Unclear" }
}

/** The result for several attempts: the first one that decides. */
export type AttemptsOutcome =
  | { readonly _tag: "Made"; readonly sequence: number; readonly answer: Decided }
  | { readonly _tag: "NeverMade" }
  | ({ readonly _tag: "Unclear" } & Unclear.Question)

/** The part of a port that inquires. */
interface InquiryPort {
  readonly capabilities: { readonly deadlineMs: number; readonly longestProcessingMs: number }
  readonly inquire: (
    reference: Booking.AttemptReference
  ) => Effect.Effect<InquiryAnswer, { readonly reason: NotSent | AnswerLost }>
}

/** Stands for the rail if the gateway has none: it can say nothing. */
const noRail: InquiryPort = {
  capabilities: { deadlineMs: 1, longestProcessingMs: 0 },
  inquire: () => Effect.succeed({ _tag: "CannotSay" })
}

type Attempted = Pick<OrderRequest, "action" | "orderId" | "sequence">

export const make = Effect.fnUntraced(function* (startedAtMs: number) {
  const store = yield* Store
  const bank: InquiryPort = yield* Acquirer
  const rail: InquiryPort = Option.getOrElse(yield* Effect.serviceOption(PayoutRail), () => noRail)

  const of = Effect.fnUntraced(function* (request: Attempted) {
    const reference = referenceOf(request)
    const source = Actions.facts[request.action].of
    const { capabilities, inquire } = source === "rail" ? rail : bank
    const answer = BankJob.inquired(yield* BankJob.answerOf(inquire(reference), capabilities.deadlineMs))
    return judge(answer, {
      isListed: (yield* store.load(BankBooking, [source, reference])) !== undefined,
      mayArrive: (yield* Clock.currentTimeMillis) - startedAtMs < capabilities.longestProcessingMs
    })
  })

  /** Inquires about the attempts from `first` to `last`. `decides`: the answers after which the former gateway made no other attempt. */
  const between = Effect.fnUntraced(function* (
    order: Unclear.Question["order"],
    request: Attempted,
    [first, last]: readonly [first: number, last: number],
    decides: "approval" | "outcome"
  ) {
    for (let sequence = first; sequence <= last; sequence += 1) {
      const made = { ...request, sequence }
      const attempt = yield* of(made)
      if (attempt._tag === "Unclear")
        return { _tag: "Unclear", reference: referenceOf(made), order, request } satisfies AttemptsOutcome
      if (attempt._tag === "Made" && (decides === "outcome" || attempt.answer._tag === "Approved"))
        return { ...attempt, sequence } satisfies AttemptsOutcome
    }
    return { _tag: "NeverMade" } satisfies AttemptsOutcome
  })

  return { of, between }
})
