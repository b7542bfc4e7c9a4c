/**
 * Decides what an answer of the rail changes of a payout: pure, for every request and every answer. The amount stays reserved
 * until the rail has reported the outcome. A refusal after the confirmation is booked as a separate movement back
 * (docs/assumptions.md#payout-balance).
 */

import { declines } from "@pay/schema/Decline"
import * as Hosted from "../../hosted/decide/HostedSession.ts"
import * as Change from "../../kernel/Change.ts"
import * as Decision from "../../kernel/Decision.ts"
import { Job } from "../../kernel/Job.ts"
import * as Jobs from "../../kernel/Jobs.ts"
import * as DeclineReason from "../../orders/decide/DeclineReason.ts"
import * as Inquiry from "../../orders/decide/Inquiry.ts"
import * as Unexpected from "../../orders/decide/Unexpected.ts"
import { Order } from "../../orders/record/Order.ts"
import { OrderRequest, type RailRequest } from "../../orders/record/OrderRequest.ts"
import * as PayoutLifecycle from "../../orders/record/PayoutLifecycle.ts"
import { Payout } from "../../recipients/Recipient.ts"
import * as PayoutEnd from "./PayoutEnd.ts"
import * as PayoutForm from "./PayoutForm.ts"

export interface PayoutContext extends Inquiry.JobContext {
  readonly request: RailRequest
  /** The recipient's row. Undefined if the payout was paid before a restore to a recipient that the copy lacks. */
  readonly payout: Payout | undefined
  /** The hosted page on which the recipient enters the destination, if there is one. */
  readonly form?: Hosted.Form | undefined
}

export interface RailTimes extends Inquiry.InquiryTimes {
  /** Times after the confirmation at which the gateway inquires about a late refusal, rising. */
  readonly lateRefusalAfterMs: ReadonlyArray<number>
  /** Time until which a second approver may approve a payout of a hosted page; undefined if no approval is needed. */
  readonly approvalUntilMs: number | undefined
}

/** Whether the rail has confirmed the payment, so that the job inquires only about a late refusal. */
export const isPosted = ({ request }: Pick<PayoutContext, "request">): boolean => request.progress === "approved"

type Reason = Pick<OrderRequest, "errorCode" | "errorMessage">

const without = (context: PayoutContext, { writes }: ReturnType<typeof PayoutEnd.finish>): Inquiry.Next => ({
  decision: { guards: Inquiry.guards(context), writes: [...writes, Decision.remove(Job, [context.job.jobId])] },
  resend: false
})

const none: Reason = { errorCode: null, errorMessage: null }

/** Applies a successful check: the payout waits for the merchant's request to pay. The merchant gets no callback yet. */
const checked = (context: PayoutContext, terms: RailTimes): Inquiry.Next => {
  const { job, order, request } = context
  const state = PayoutLifecycle.after(order.state, "accept")
  return {
    decision: {
      guards: Inquiry.guards(context),
      writes: [
        Decision.put(Order, Change.next(order, { state })),
        Decision.put(OrderRequest, { ...request, progress: "approved", finishedAtMs: terms.nowMs }),
        Decision.remove(Job, [job.jobId])
      ]
    },
    resend: false
  }
}

/**
 * Returns the job of a confirmed payout, due at the next time at which the rail may have refused it; undefined if it can no
 * longer refuse.
 */
const nextLook = (context: PayoutContext, terms: RailTimes, paidAtMs: number): Job | undefined => {
  const afterMs = terms.lateRefusalAfterMs.find((ms) => paidAtMs + ms > terms.nowMs)
  if (afterMs === undefined) return undefined
  return { ...Inquiry.wait(context, { startedAtMs: null, openAttempts: 0 }, paidAtMs + afterMs), tries: 0 }
}

const paid = (context: PayoutContext, terms: RailTimes, processorTxId: string): Inquiry.Next => {
  const { order, payout } = context
  const { writes } = PayoutEnd.finish(
    context,
    terms,
    { state: PayoutLifecycle.after(order.state, "confirm"), processorTxId },
    { progress: "approved", ...none },
    "payout"
  )
  const job = nextLook(context, terms, terms.nowMs)
  return {
    decision: {
      guards: [
        ...Inquiry.guards(context),
        ...(payout === undefined ? [] : [Decision.versionIs(Payout, [payout.orderId], payout.version)])
      ],
      writes: [
        ...writes,
        ...(payout === undefined ? [] : [Decision.put(Payout, Change.next(payout, { paidAtMs: terms.nowMs }))]),
        job === undefined ? Decision.remove(Job, [context.job.jobId]) : Decision.put(Job, job)
      ]
    },
    resend: false
  }
}

/** Ends a payout that cannot be paid or was not paid, and releases the reserved amount to the merchant. */
export const refused = (
  context: PayoutContext,
  terms: RailTimes,
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

/** Ends a payout that the rail refused after its confirmation, and books the amount back as a separate movement. */
const bounced = (context: PayoutContext, terms: RailTimes, errorCode: number, errorMessage: string): Inquiry.Next => {
  const state = PayoutLifecycle.after(context.order.state, "bounce")
  return without(
    context,
    PayoutEnd.finish(context, terms, { state }, { progress: "declined", errorCode, errorMessage }, "payoutReturn")
  )
}

/** Keeps a payout paid: the job inquires at the next time, or ends. */
const stays = (context: PayoutContext, terms: RailTimes): Inquiry.Next => {
  const job = nextLook(context, terms, context.payout?.paidAtMs ?? context.order.processedAtMs ?? terms.nowMs)
  return {
    decision: {
      guards: [Decision.leaseOf(context.job)],
      writes: [job === undefined ? Decision.remove(Job, [context.job.jobId]) : Decision.put(Job, job)]
    },
    resend: false
  }
}

const decidePayment = Inquiry.decide<PayoutContext, RailTimes>({
  approved: (context, terms, { processorTxId }) => paid(context, terms, processorTxId),
  declined: (context, terms, answer) => {
    const { code, message } = DeclineReason.of(answer)
    return refused(context, terms, "declined", code, message)
  },
  neverHappened: (context, terms) =>
    Unexpected.railFits(context, "failed", false)
      ? refused(context, terms, "error", declines.neverSent.code, declines.neverSent.message)
      : Inquiry.unexpected(context),
  askedMinor: ({ order }) => order.amountMinor,
  lost: ({ order }) => PayoutLifecycle.after(order.state, "lose")
})

/**
 * Time until each further attempt of a check without an answer. The merchant waits for the check, so the first ones are
 * short; later ones are hourly, until the payout expires.
 */
const checkDelaysMs = [...Inquiry.resendDelaysMs, 300_000, 3_600_000] as const

/** Decides on the answer to a check. A check moves no money, so without an answer it is sent again. */
const decideCheck = (context: PayoutContext, answer: Inquiry.Answer, terms: RailTimes): Inquiry.Next => {
  const { form } = context
  if (answer._tag === "Approved")
    return form === undefined ? checked(context, terms) : PayoutForm.accepted({ ...context, form }, terms)
  if (answer._tag === "Declined") {
    const { code, message } = DeclineReason.of(answer)
    return form !== undefined && Hosted.mayTryAgain(form.session, terms.nowMs)
      ? PayoutForm.tryAgain({ ...context, form }, terms.nowMs, code, message)
      : refused(context, terms, "declined", code, message)
  }
  return Inquiry.later(context, { openAttempts: 0 }, terms.nowMs + Jobs.step(checkDelaysMs, context.job.tries))
}

/** Decides on the answer to an inquiry about a confirmed payment. Without an answer the job inquires again. */
const decideLook = (context: PayoutContext, answer: Inquiry.Answer, terms: RailTimes): Inquiry.Next => {
  if (answer._tag === "Approved") return stays(context, terms)
  if (answer._tag === "Declined") {
    const { code, message } = DeclineReason.of(answer)
    return bounced(context, terms, code, message)
  }
  return Inquiry.later(context, {}, terms.nowMs + Jobs.step(Inquiry.inquiryDelaysMs, context.job.tries))
}

const decideFitting = (context: PayoutContext, answer: Inquiry.Answer, terms: RailTimes): Inquiry.Next =>
  context.request.action === "check"
    ? decideCheck(context, answer, terms)
    : isPosted(context)
      ? decideLook(context, answer, terms)
      : decidePayment(context, answer, terms)

/** Decides what an answer changes. An answer for which the lifecycle has no transition changes nothing of the payout. */
export const decide = (context: PayoutContext, answer: Inquiry.Answer, terms: RailTimes): Inquiry.Next => {
  const verdict = Unexpected.verdictOf(answer)
  return verdict === undefined || Unexpected.railFits(context, verdict, isPosted(context))
    ? decideFitting(context, answer, terms)
    : Inquiry.unexpected(context)
}
