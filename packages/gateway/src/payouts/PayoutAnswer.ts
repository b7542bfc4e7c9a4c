/**
 * What the rail's answer makes of a payout: pure, for every request and every answer. The amount stays held until the rail
 * has said what became of it; a refusal after the confirmation is a new movement back (decisions: payouts).
 */

import { declines } from "@pay/schema/Decline"
import * as Hosted from "../hosted/HostedSession.ts"
import * as Change from "../kernel/Change.ts"
import * as Decision from "../kernel/Decision.ts"
import { Job } from "../kernel/Job.ts"
import * as Jobs from "../kernel/Jobs.ts"
import type { AttemptReference } from "../orders/Booking.ts"
import * as Booking from "../orders/Booking.ts"
import { Order } from "../orders/Order.ts"
import { OrderRequest, type RailRequest } from "../orders/OrderRequest.ts"
import * as Inquiry from "../orders/outcomes/Inquiry.ts"
import * as Unexpected from "../orders/outcomes/Unexpected.ts"
import * as PayoutLifecycle from "../orders/PayoutLifecycle.ts"
import { Payout } from "../recipients/Recipient.ts"
import * as PayoutEnd from "./PayoutEnd.ts"
import * as PayoutForm from "./PayoutForm.ts"

export interface PayoutContext extends Inquiry.JobContext {
  readonly request: RailRequest
  /** Undefined: it was paid in the former life of a restored copy, to somebody of whom nobody here knows. */
  readonly payout: Payout | undefined
  /** The hosted page on which the recipient names the destination, if there is one. */
  readonly form?: Hosted.Form | undefined
}

export interface Terms extends Inquiry.Terms {
  /** When the rail may be asked whether it refused late, from the confirmation on; rising. */
  readonly lateRefusalAfterMs: ReadonlyArray<number>
  /** Until when a second approver may agree to what a form asks for; undefined: none is needed. */
  readonly approvalUntilMs: number | undefined
}

export const reference = ({ action, orderId, sequence }: RailRequest): AttemptReference =>
  Booking.referenceOf({ kind: action, orderId, sequence })

/** The rail has confirmed it: what is asked now is whether that still holds. */
export const isPosted = ({ request }: Pick<PayoutContext, "request">): boolean => request.progress === "approved"

type Reason = Pick<OrderRequest, "errorCode" | "errorMessage">

const without = (context: PayoutContext, { started, writes }: ReturnType<typeof PayoutEnd.finish>): Inquiry.Next => ({
  decision: { guards: Inquiry.guards(context), writes: [...writes, Decision.remove(Job, [context.item.itemId])] },
  started,
  resend: false
})

const none: Reason = { errorCode: null, errorMessage: null }

/** The recipient can be paid: the payout waits for its merchant, who is not told before the end. */
const checked = (context: PayoutContext, terms: Terms): Inquiry.Next => {
  const { item, order, request } = context
  const state = PayoutLifecycle.after(order.state, "accept")
  return {
    decision: {
      guards: Inquiry.guards(context),
      writes: [
        Decision.put(Order, Change.next(order, { state })),
        Decision.put(OrderRequest, { ...request, progress: "approved", finishedAtMs: terms.nowMs }),
        Decision.remove(Job, [item.itemId])
      ]
    },
    started: [],
    resend: false
  }
}

/** The item of a confirmed payout: due when the rail may have refused it; undefined once it no longer can. */
const nextLook = (context: PayoutContext, terms: Terms, paidAtMs: number): Job | undefined => {
  const afterMs = terms.lateRefusalAfterMs.find((ms) => paidAtMs + ms > terms.nowMs)
  if (afterMs === undefined) return undefined
  return { ...Inquiry.wait(context, { startedAtMs: null, openAttempts: 0 }, paidAtMs + afterMs), tries: 0 }
}

const paid = (context: PayoutContext, terms: Terms, processorTxId: string): Inquiry.Next => {
  const { order, payout } = context
  const { started, writes } = PayoutEnd.finish(
    context,
    terms,
    { state: PayoutLifecycle.after(order.state, "confirm"), processorTxId },
    { progress: "approved", ...none },
    "payout"
  )
  const item = nextLook(context, terms, terms.nowMs)
  return {
    decision: {
      guards: [
        ...Inquiry.guards(context),
        ...(payout === undefined ? [] : [Decision.versionIs(Payout, [payout.orderId], payout.version)])
      ],
      writes: [
        ...writes,
        ...(payout === undefined ? [] : [Decision.put(Payout, Change.next(payout, { paidAtMs: terms.nowMs }))]),
        item === undefined ? Decision.remove(Job, [context.item.itemId]) : Decision.put(Job, item)
      ]
    },
    started,
    resend: false
  }
}

/** The recipient cannot be paid, or was not: the amount is the merchant's again. */
export const refused = (
  context: PayoutContext,
  terms: Terms,
  progress: "declined" | "error",
  errorCode: number,
  errorMessage: string
): Inquiry.Next => {
  const { order, request } = context
  const state = PayoutLifecycle.after(order.state, progress === "declined" ? "decline" : "fail")
  const ended = PayoutEnd.finish(context, terms, { state }, { progress, errorCode, errorMessage }, "payoutRelease")
  const lapse = request.action === "check" ? [Decision.remove(Job, [Jobs.id("lapse", order.orderId)])] : []
  return without(context, { ...ended, writes: [...ended.writes, ...lapse] })
}

/** Refused although it was confirmed: the money is back, by a movement of its own. */
const bounced = (context: PayoutContext, terms: Terms, errorCode: number, errorMessage: string): Inquiry.Next => {
  const state = PayoutLifecycle.after(context.order.state, "bounce")
  return without(
    context,
    PayoutEnd.finish(context, terms, { state }, { progress: "declined", errorCode, errorMessage }, "payoutReturn")
  )
}

/** Still paid: look again at the next moment, or never more. */
const stays = (context: PayoutContext, terms: Terms): Inquiry.Next => {
  const item = nextLook(context, terms, context.payout?.paidAtMs ?? context.order.processedAtMs ?? terms.nowMs)
  return {
    decision: {
      guards: [Decision.leaseOf(context.item)],
      writes: [item === undefined ? Decision.remove(Job, [context.item.itemId]) : Decision.put(Job, item)]
    },
    started: [],
    resend: false
  }
}

const decidePayment = Inquiry.decide<PayoutContext, Terms>({
  approved: (context, terms, { processorTxId }) => paid(context, terms, processorTxId),
  declined: (context, terms, code, message) => refused(context, terms, "declined", code, message),
  neverHappened: (context, terms) =>
    Unexpected.railFits(context, "failed", false)
      ? refused(context, terms, "error", declines.neverSent.code, declines.neverSent.message)
      : Inquiry.unexpected(context),
  askedMinor: ({ order }) => order.amountMinor,
  lost: ({ order }) => PayoutLifecycle.after(order.state, "lose")
})

/** When a check without an answer is asked again: a merchant waits for it, so at first soon; then hourly, until it lapses. */
export const checkDelaysMs = [...Inquiry.resendDelaysMs, 300_000, 3_600_000] as const

/** A check moves nothing: without an answer it is simply asked again. */
const decideCheck = (context: PayoutContext, answer: Inquiry.Answer, terms: Terms): Inquiry.Next => {
  const { form } = context
  if (answer._tag === "Approved")
    return form === undefined ? checked(context, terms) : PayoutForm.accepted({ ...context, form }, terms)
  if (answer._tag === "Declined") {
    return form !== undefined && Hosted.mayTryAgain(form.session, terms.nowMs)
      ? PayoutForm.tryAgain({ ...context, form }, terms.nowMs, answer.code, answer.message)
      : refused(context, terms, "declined", answer.code, answer.message)
  }
  return Inquiry.later(context, { openAttempts: 0 }, terms.nowMs + Jobs.step(checkDelaysMs, context.item.tries))
}

/** Nothing heard is no news: ask again, as after any lost answer. */
const decideLook = (context: PayoutContext, answer: Inquiry.Answer, terms: Terms): Inquiry.Next => {
  if (answer._tag === "Approved") return stays(context, terms)
  if (answer._tag === "Declined") return bounced(context, terms, answer.code, answer.message)
  return Inquiry.later(context, {}, terms.nowMs + Jobs.step(Inquiry.inquiryDelaysMs, context.item.tries))
}

const decideFitting = (context: PayoutContext, answer: Inquiry.Answer, terms: Terms): Inquiry.Next =>
  context.request.action === "check"
    ? decideCheck(context, answer, terms)
    : isPosted(context)
      ? decideLook(context, answer, terms)
      : decidePayment(context, answer, terms)

/** Every answer to every question; one for which the lifecycle has no transition is never half applied. */
export const decide = (context: PayoutContext, answer: Inquiry.Answer, terms: Terms): Inquiry.Next => {
  const verdict = Unexpected.verdictOf(answer)
  return verdict === undefined || Unexpected.railFits(context, verdict, isPosted(context))
    ? decideFitting(context, answer, terms)
    : Inquiry.unexpected(context)
}
