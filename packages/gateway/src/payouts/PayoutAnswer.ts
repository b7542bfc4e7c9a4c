/**
 * What the rail's answer makes of a payout: pure, for every request and every answer. The amount stays held until the rail
 * has said what became of it; a refusal after the confirmation is a new movement back (decisions: payouts).
 */

import { declines } from "@pay/schema/Decline"
import * as HostedAttempt from "../hosted/HostedAttempt.ts"
import * as Change from "../kernel/Change.ts"
import * as Decision from "../kernel/Decision.ts"
import { Job } from "../kernel/Job.ts"
import * as Jobs from "../kernel/Jobs.ts"
import * as Booking from "../orders/Booking.ts"
import { Order } from "../orders/Order.ts"
import { OrderRequest, type RailRequest } from "../orders/OrderRequest.ts"
import * as Inquiry from "../orders/outcomes/Inquiry.ts"
import * as Unexpected from "../orders/outcomes/Unexpected.ts"
import * as PayoutLifecycle from "../orders/PayoutLifecycle.ts"
import { Payout } from "../recipients/Payout.ts"
import * as PayoutEnd from "./PayoutEnd.ts"
import * as PayoutForm from "./PayoutForm.ts"

export interface Held extends Inquiry.Held {
  readonly request: RailRequest
  /** Undefined: it was paid in the former life of a restored copy, to somebody of whom nobody here knows. */
  readonly payout: Payout | undefined
  /** Where the recipient says on a hosted page where the money goes. */
  readonly form?: HostedAttempt.Form | undefined
}

export interface Terms extends Inquiry.Terms {
  /** When the rail may be asked whether it refused late, from the confirmation on; rising. */
  readonly lateRefusalAfterMs: ReadonlyArray<number>
  /** Until when a second approver may agree to what a form asks for; undefined: none is needed. */
  readonly approvalUntilMs: number | undefined
}

export const reference = ({ action, orderId, sequence }: RailRequest): string =>
  Booking.referenceOf({ kind: action, orderId, sequence })

/** The rail has confirmed it: what is asked now is whether that still holds. */
export const isPosted = ({ request }: Pick<Held, "request">): boolean => request.progress === "approved"

type Reason = Pick<OrderRequest, "errorCode" | "errorMessage">

const without = (held: Held, { started, writes }: ReturnType<typeof PayoutEnd.finish>): Inquiry.Next => ({
  decision: { guards: Inquiry.guards(held), writes: [...writes, Decision.remove(Job, [held.item.itemId])] },
  started,
  resend: false
})

const none: Reason = { errorCode: null, errorMessage: null }

/** The recipient can be paid: the payout waits for its merchant, who is not told before the end. */
const checked = (held: Held, terms: Terms): Inquiry.Next => {
  const { item, order, request } = held
  const state = PayoutLifecycle.after(order.state, "accept")
  return {
    decision: {
      guards: Inquiry.guards(held),
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
const nextLook = (held: Held, terms: Terms, paidAtMs: number): Job | undefined => {
  const afterMs = terms.lateRefusalAfterMs.find((ms) => paidAtMs + ms > terms.nowMs)
  if (afterMs === undefined) return undefined
  return { ...Inquiry.wait(held, { startedAtMs: null, openAttempts: 0 }, paidAtMs + afterMs), tries: 0 }
}

const paid = (held: Held, terms: Terms, processorTxId: string): Inquiry.Next => {
  const { order, payout } = held
  const { started, writes } = PayoutEnd.finish(
    held,
    terms,
    { state: PayoutLifecycle.after(order.state, "confirm"), processorTxId },
    { progress: "approved", ...none },
    "payout"
  )
  const item = nextLook(held, terms, terms.nowMs)
  return {
    decision: {
      guards: [
        ...Inquiry.guards(held),
        ...(payout === undefined ? [] : [Decision.versionIs(Payout, [payout.orderId], payout.version)])
      ],
      writes: [
        ...writes,
        ...(payout === undefined ? [] : [Decision.put(Payout, Change.next(payout, { paidAtMs: terms.nowMs }))]),
        item === undefined ? Decision.remove(Job, [held.item.itemId]) : Decision.put(Job, item)
      ]
    },
    started,
    resend: false
  }
}

/** The recipient cannot be paid, or was not: the amount is the merchant's again. */
export const refused = (
  held: Held,
  terms: Terms,
  progress: "declined" | "error",
  errorCode: number,
  errorMessage: string
): Inquiry.Next => {
  const { order, request } = held
  const state = PayoutLifecycle.after(order.state, progress === "declined" ? "decline" : "fail")
  const ended = PayoutEnd.finish(held, terms, { state }, { progress, errorCode, errorMessage }, "payoutRelease")
  const lapse = request.action === "check" ? [Decision.remove(Job, [Jobs.id("lapse", order.orderId)])] : []
  return without(held, { ...ended, writes: [...ended.writes, ...lapse] })
}

/** Refused although it was confirmed: the money is back, by a movement of its own. */
const bounced = (held: Held, terms: Terms, errorCode: number, errorMessage: string): Inquiry.Next => {
  const state = PayoutLifecycle.after(held.order.state, "bounce")
  return without(
    held,
    PayoutEnd.finish(held, terms, { state }, { progress: "declined", errorCode, errorMessage }, "payoutReturn")
  )
}

/** Still paid: look again at the next moment, or never more. */
const stays = (held: Held, terms: Terms): Inquiry.Next => {
  const item = nextLook(held, terms, held.payout?.paidAtMs ?? held.order.processedAtMs ?? terms.nowMs)
  return {
    decision: {
      guards: [Decision.leaseOf(held.item)],
      writes: [item === undefined ? Decision.remove(Job, [held.item.itemId]) : Decision.put(Job, item)]
    },
    started: [],
    resend: false
  }
}

const decidePayment = Inquiry.decide<Held, Terms>({
  approved: (held, terms, { processorTxId }) => paid(held, terms, processorTxId),
  declined: (held, terms, code, message) => refused(held, terms, "declined", code, message),
  neverHappened: (held, terms) =>
    Unexpected.railFits(held, "failed", false)
      ? refused(held, terms, "error", declines.neverSent.code, declines.neverSent.message)
      : Inquiry.unexpected(held),
  askedMinor: ({ order }) => order.amountMinor,
  lost: ({ order }) => PayoutLifecycle.after(order.state, "lose")
})

/** When a check without an answer is asked again: a merchant waits for it, so at first soon; then hourly, until it lapses. */
export const checkDelaysMs = [...Inquiry.resendDelaysMs, 300_000, 3_600_000] as const

/** A check moves nothing: without an answer it is simply asked again. */
const decideCheck = (held: Held, answer: Inquiry.Answer, terms: Terms): Inquiry.Next => {
  const { form } = held
  if (answer._tag === "Approved")
    return form === undefined ? checked(held, terms) : PayoutForm.accepted({ ...held, form }, terms)
  if (answer._tag === "Declined") {
    return form !== undefined && HostedAttempt.mayTryAgain(form.session, terms.nowMs)
      ? PayoutForm.tryAgain({ ...held, form }, terms.nowMs, answer.code, answer.message)
      : refused(held, terms, "declined", answer.code, answer.message)
  }
  return Inquiry.later(held, { openAttempts: 0 }, terms.nowMs + Inquiry.step(checkDelaysMs, held.item.tries))
}

/** Nothing heard is no news: ask again, as after any lost answer. */
const decideLook = (held: Held, answer: Inquiry.Answer, terms: Terms): Inquiry.Next => {
  if (answer._tag === "Approved") return stays(held, terms)
  if (answer._tag === "Declined") return bounced(held, terms, answer.code, answer.message)
  return Inquiry.later(held, {}, terms.nowMs + Inquiry.step(Inquiry.inquiryDelaysMs, held.item.tries))
}

const decideFitting = (held: Held, answer: Inquiry.Answer, terms: Terms): Inquiry.Next =>
  held.request.action === "check"
    ? decideCheck(held, answer, terms)
    : isPosted(held)
      ? decideLook(held, answer, terms)
      : decidePayment(held, answer, terms)

/** Every answer to every question; one for which the lifecycle has no transition is never half applied. */
export const decide = (held: Held, answer: Inquiry.Answer, terms: Terms): Inquiry.Next => {
  const verdict = Unexpected.verdictOf(answer)
  return verdict === undefined || Unexpected.railFits(held, verdict, isPosted(held))
    ? decideFitting(held, answer, terms)
    : Inquiry.unexpected(held)
}
