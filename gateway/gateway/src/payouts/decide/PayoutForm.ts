/**
 * Pure decisions about payouts whose recipient enters the destination on a hosted page. The amount is reserved when the
 * page is requested. The rail first checks the destination, so that the recipient can correct a mistake. Then the payout
 * is paid, or waits for the second approver.
 */

import * as Hosted from "../../hosted/decide/HostedSession.ts"
import * as Change from "../../kernel/Change.ts"
import * as Decision from "../../kernel/Decision.ts"
import { Job } from "../../kernel/Job.ts"
import * as Jobs from "../../kernel/Jobs.ts"
import type * as Inquiry from "../../orders/decide/Inquiry.ts"
import { Order } from "../../orders/record/Order.ts"
import { OrderRequest, type RailRequest } from "../../orders/record/OrderRequest.ts"
import * as PayoutLifecycle from "../../orders/record/PayoutLifecycle.ts"
import { Payout } from "../../recipients/Recipient.ts"
import * as PayoutApproval from "./PayoutApproval.ts"

export interface Entered {
  readonly order: Order
  /** The request that created the order. */
  readonly request: OrderRequest
  readonly session: Hosted.HostedSession
  /** The recipient that was entered before and is replaced. */
  readonly previous: Payout | undefined
  readonly payout: Omit<Payout, "version">
  readonly attemptId: string
  readonly nowMs: number
  readonly claim: Jobs.Claim | undefined
}

/** Starts the check of the destination that the recipient entered. Undefined if it is too late for that. */
export const begin = (entered: Entered): Decision.Decision | undefined => {
  const { attemptId, claim, previous, nowMs, order, payout, request, session } = entered
  const state = PayoutLifecycle.next(order.state, "check")
  if (state === undefined) return undefined
  const sequence = order.sequence + 1
  const checking: OrderRequest = { ...request, action: "check", sequence, acceptedAtMs: nowMs }
  const job = Jobs.make({ kind: "rail", subject: request.requestId, merchantId: order.merchantId, nowMs, claim })
  return {
    guards: [
      ...Hosted.guards(order, session),
      ...(previous === undefined ? [] : [Decision.versionIs(Payout, [previous.orderId], previous.version)])
    ],
    writes: [
      Decision.put(Order, Change.next(order, { state, sequence })),
      ...Hosted.beginAttempt(session, checking, attemptId),
      Decision.put(Payout, { ...payout, version: (previous?.version ?? 0) + 1 }),
      Decision.append(Job, job)
    ]
  }
}

interface HostedPayoutContext extends Inquiry.JobContext {
  readonly request: RailRequest
  readonly form: Hosted.Form
}

interface PaymentTimes {
  readonly nowMs: number
  readonly claim: Jobs.Claim | undefined
  /** Time until which a second approver may approve; undefined if no approval is needed. */
  readonly approvalUntilMs: number | undefined
}

/** Applies a successful check: the same request now requests the payment, or waits for the second approver. */
export const accepted = (
  context: HostedPayoutContext,
  { approvalUntilMs, claim, nowMs }: PaymentTimes
): Inquiry.Next => {
  const { job, order, request } = context
  const checked = PayoutLifecycle.after(order.state, "accept")
  const state = PayoutLifecycle.after(checked, approvalUntilMs === undefined ? "pay" : "wait")
  const paying: OrderRequest = { ...request, action: "pay", acceptedAtMs: nowMs }
  const again: Job = {
    ...job,
    tries: 0,
    dueAtMs: nowMs,
    openAttempts: claim === undefined ? 0 : 1,
    startedAtMs: claim === undefined ? null : nowMs,
    token: claim?.token ?? null,
    leaseUntilMs: claim?.leaseUntilMs ?? 0
  }
  return {
    decision: {
      guards: [Decision.leaseOf(job), Decision.versionIs(Order, [order.orderId], order.version)],
      writes: [
        Decision.put(Order, Change.next(order, { state })),
        Decision.put(OrderRequest, paying),
        ...(approvalUntilMs === undefined
          ? [Decision.put(Job, again)]
          : [Decision.remove(Job, [job.jobId]), ...PayoutApproval.begin(paying, nowMs, approvalUntilMs)]),
        Decision.remove(Job, [Jobs.id("session", order.orderId)])
      ]
    },
    resend: false
  }
}

/** Applies a failed check: the recipient may enter another destination. */
export const tryAgain = (
  { form, job, order, request }: HostedPayoutContext,
  nowMs: number,
  errorCode: number,
  errorMessage: string
): Inquiry.Next => ({
  decision: {
    guards: [Decision.leaseOf(job), Decision.versionIs(Order, [order.orderId], order.version)],
    writes: [
      Decision.put(Order, Change.next(order, { state: PayoutLifecycle.after(order.state, "retry") })),
      ...Hosted.reopenPage(form, request, { progress: "declined", errorCode, errorMessage }, nowMs),
      Decision.remove(Job, [job.jobId])
    ]
  },
  resend: false
})
