/**
 * Inquires about attempts of a request that the former gateway may have made. The list of bank or rail counts, too: what it contains was
 * made, even if an inquiry does not find it. What the bank has sent by itself, or two people state, is not inquired about.
 */
import { Clock, Effect, Option } from "effect"
import { Store } from "../kernel/Store.ts"
import * as Acquirers from "../orders/bank/Acquirers.ts"
import type * as Inquiry from "../orders/decide/Inquiry.ts"
import * as BankJob from "../orders/outcomes/BankJob.ts"
import * as BankQuestion from "../orders/outcomes/BankQuestion.ts"
import * as NoticedOutcome from "../orders/outcomes/NoticedOutcome.ts"
import * as Actions from "../orders/record/Actions.ts"
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

/** Stands for the rail if the gateway has none: it can say nothing. */
const noRail = {
  capabilities: { deadlineMs: 1, longestProcessingMs: 0 },
  inquire: (): Effect.Effect<Inquiry.Answer> => Effect.succeed({ _tag: "CannotSay" })
}

type Attempted = Pick<OrderRequest, "action" | "orderId" | "sequence"> & Partial<OrderRequest>

export const make = Effect.fnUntraced(function* (startedAtMs: number) {
  const store = yield* Store
  const acquirerOf = yield* Acquirers.lookup
  const rail = Option.getOrElse(yield* Effect.serviceOption(PayoutRail), () => noRail)

  const inquireBank = Effect.fnUntraced(function* (
    order: BankQuestion.NamedOrder,
    request: BankQuestion.NamedRequest & Partial<OrderRequest>
  ) {
    const original = Actions.isCreation(request.action) ? undefined : yield* BankQuestion.originalOf(store, order)
    const { amountMinor = order.amountMinor } = request
    const inquiry = BankQuestion.inquiryOf(order, request, { amountMinor, original })
    const acquirer = acquirerOf(order)
    return yield* BankJob.answerOf(acquirer.inquire(inquiry), acquirer.capabilities.deadlineMs)
  })

  const of = Effect.fnUntraced(function* (order: BankQuestion.NamedOrder, request: Attempted) {
    const reference = referenceOf(request)
    const { action } = request
    const noticed = yield* NoticedOutcome.of(store, reference)
    if (noticed !== undefined) return { _tag: "Made", answer: noticed } satisfies Attempt
    const isBank = Actions.isOfBank(action)
    const source = isBank ? "bank" : "rail"
    const { capabilities } = isBank ? acquirerOf(order) : rail
    const answer = BankJob.inquired(
      isBank
        ? yield* inquireBank(order, { ...request, action })
        : yield* BankJob.answerOf(rail.inquire(reference), capabilities.deadlineMs)
    )
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
      const attempt = yield* of(order, made)
      if (attempt._tag === "Unclear")
        return { _tag: "Unclear", reference: referenceOf(made), order, request } satisfies AttemptsOutcome
      if (attempt._tag === "Made" && (decides === "outcome" || attempt.answer._tag === "Approved"))
        return { ...attempt, sequence } satisfies AttemptsOutcome
    }
    return { _tag: "NeverMade" } satisfies AttemptsOutcome
  })

  return { of, between }
})
