/**
 * Inquires whether a payout that is unpaid in a restored copy was paid before the restore. It inquires at the rail about each
 * reference that may have been used, before the amount is released or anything is sent.
 */
import { Effect, Option } from "effect"
import type * as Inquiry from "../orders/outcomes/Inquiry.ts"
import * as AttemptsBeforeRestore from "../orders/restored/AttemptsBeforeRestore.ts"
import * as PayoutBeforeRestore from "./PayoutBeforeRestore.ts"
import { PayoutRail } from "./PayoutRail.ts"

type Outcome = Extract<Inquiry.Answer, { readonly _tag: "Approved" | "Declined" }>

/** Whether the answer decides the payout. A refusal decides it too, because no other attempt followed it. */
const decides = (answer: Inquiry.Answer): answer is AttemptsBeforeRestore.AttemptBeforeRestore<Outcome>["answer"] =>
  answer._tag === "Approved" || answer._tag === "Declined" || answer._tag === "CannotSay"

/** Stands for the rail if the gateway has none: its answer is always `CannotSay`. */
const noRail = {
  capabilities: { deadlineMs: 1, longestProcessingMs: 0 },
  inquire: () => Effect.succeed({ _tag: "CannotSay" } as const)
}

export const make = Effect.gen(function* () {
  const rail = Option.getOrUndefined(yield* Effect.serviceOption(PayoutRail))
  const ask = yield* AttemptsBeforeRestore.makeInquiry(rail ?? noRail)

  /** Inquires about the attempts of a payout. Undefined: it was not paid, and cannot be any more. */
  return (unpaid: PayoutBeforeRestore.Unpaid) => {
    const { order, request } = unpaid
    const paying = { ...request, action: "pay" } as const
    return ask<Outcome>(order, paying, [request.sequence, PayoutBeforeRestore.last(unpaid)], decides)
  }
})
