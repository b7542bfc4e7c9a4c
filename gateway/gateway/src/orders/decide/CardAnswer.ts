/** Decides what a bank's answer changes of a card order: pure, for every action and every answer. */
import { declines } from "@pay/schema/Decline"
import * as Actions from "../record/Actions.ts"
import * as Lifecycle from "../record/Lifecycle.ts"
import type { Order } from "../record/Order.ts"
import type { OrderRequest } from "../record/OrderRequest.ts"
import { approved, ended, failureOf, neverHappened } from "./ApprovedAnswer.ts"
import * as DeclineReason from "./DeclineReason.ts"
import * as Inquiry from "./Inquiry.ts"
import type { CardTimes, OutcomeContext } from "./OutcomeContext.ts"
import { isCreation } from "./RequestEnd.ts"
import * as Unexpected from "./Unexpected.ts"

export { type Answer, isTooLate, type Next } from "./Inquiry.ts"
export type { CardTimes, OutcomeContext } from "./OutcomeContext.ts"

const ofRequest = (_: Order, { amountMinor }: OrderRequest): number => amountMinor

const followUpMinor: Readonly<Record<Actions.FollowUpAction, typeof ofRequest>> = {
  capture: ofRequest,
  void: ({ authorizedMinor, capturedMinor }) => authorizedMinor - capturedMinor,
  refund: ofRequest,
  refundThenVoid: ofRequest
}

/** Returns the amount that the bank is requested to move. */
export const askedMinor = ({ order, request }: Pick<OutcomeContext, "order" | "request">): number =>
  Actions.isFollowUp(request.action) ? followUpMinor[request.action](order, request) : order.amountMinor

const partly = failureOf("declined", {
  ...declines.doNotHonour,
  message: "The bank approved only a part of the amount"
})

const decideFitting = Inquiry.decide<OutcomeContext, CardTimes>({
  approved,
  // A merchant who gets less than it requested has no use for it: the payment is declined, and the bank returns the part.
  partlyApproved: (context, terms, answer) =>
    isCreation(context.request) && Unexpected.isReversible(context.request)
      ? { ...ended(context, terms, { ...partly, bankDetails: DeclineReason.detailsOf(answer) }), unexpected: true }
      : undefined,
  declined: (context, terms, answer) => {
    const { code, message } = DeclineReason.of(answer)
    const failure = { progress: "declined", errorCode: code, errorMessage: message } as const
    const isHard = DeclineReason.isHard(answer)
    return ended(context, terms, { ...failure, isHard, bankDetails: DeclineReason.detailsOf(answer) })
  },
  neverHappened: (context, terms) =>
    Unexpected.bankFits(context, "failed") ? neverHappened(context, terms) : Inquiry.unexpected(context),
  askedMinor,
  // A follow-up whose outcome is unknown leaves the approved order as it is.
  lost: ({ order }) => (Lifecycle.isFinal(order.state) ? order.state : Lifecycle.after(order.state, "lose"))
})

/** Decides what an answer changes. An answer for which the lifecycle has no transition changes nothing of the order. */
export const decide = (context: OutcomeContext, answer: Inquiry.Answer, terms: CardTimes): Inquiry.Next => {
  const verdict = Unexpected.verdictOf(answer)
  return verdict === undefined || Unexpected.bankFits(context, verdict)
    ? decideFitting(context, answer, terms)
    : Inquiry.unexpected(context)
}
