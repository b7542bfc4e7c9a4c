/**
 * A payout that a restored copy knows as unpaid, as pure decisions: the former life may have had it paid after the copy was
 * made, under one of a few references. What the rail knows under one of them is the payout's outcome.
 */

import * as Hosted from "../hosted/HostedSession.ts"
import * as Change from "../kernel/Change.ts"
import * as Decision from "../kernel/Decision.ts"
import { Job } from "../kernel/Job.ts"
import * as Jobs from "../kernel/Jobs.ts"
import { Order } from "../orders/Order.ts"
import { OrderRequest, type RailRequest } from "../orders/OrderRequest.ts"
import * as PayoutLifecycle from "../orders/PayoutLifecycle.ts"
import { Payout } from "../recipients/Recipient.ts"
import { Approval } from "./Approval.ts"

export interface Unpaid {
  readonly order: Order
  /** What would be paid, or was checked. */
  readonly request: RailRequest
  /** The hosted page on which the recipient names the destination, if there is one. */
  readonly form?: Hosted.Form | undefined
  /** The approval by a second person, if one is needed. */
  readonly approval?: Approval | undefined
}

/** The greatest number of a payment: of one that waits its own, of a page its last attempt's, of a check the one after it. */
export const last = ({ form, request }: Unpaid): number =>
  request.action === "pay" ? request.sequence : (form?.session.attemptsAllowed ?? request.sequence + 1)

/** The rail is asked about this payment, and nothing else happens to the payout any more. */
export const paidBefore = (
  { approval, form, order, request }: Unpaid,
  sequence: number,
  nowMs: number,
  claim: Jobs.Claim | undefined
): Hosted.Next => {
  const { orderId } = order
  const item = Jobs.make({ kind: "rail", subject: request.requestId, merchantId: order.merchantId, nowMs, claim })
  const state =
    PayoutLifecycle.next(order.state, "pay") ??
    PayoutLifecycle.after(PayoutLifecycle.after(order.state, "accept"), "pay")
  const guards = [Decision.versionIs(Order, [orderId], order.version)]
  const writes = [
    Decision.put(Order, Change.next(order, { state, sequence })),
    Decision.put(OrderRequest, {
      ...request,
      action: "pay",
      sequence,
      progress: "moving",
      acceptedAtMs: nowMs,
      finishedAtMs: null
    }),
    Decision.put(Job, item),
    Decision.remove(Job, [Jobs.id("lapse", orderId)])
  ]
  if (form !== undefined) {
    const { session } = form
    guards.push(Decision.versionIs(Hosted.HostedSession, [session.token], session.version))
    writes.push(
      Decision.put(Hosted.HostedSession, Change.next(session, { attempts: sequence })),
      Decision.remove(Job, [Jobs.id("session", orderId)])
    )
    // Another attempt's recipient: nobody here knows whose the money is.
    if (sequence !== request.sequence) writes.push(Decision.remove(Payout, [orderId]))
  }
  if (approval !== undefined) {
    guards.push(Decision.versionIs(Approval, [orderId], approval.version))
    writes.push(Decision.put(Approval, Change.next(approval, { state: "approved", decidedAtMs: nowMs })))
  }
  return { decision: { guards, writes }, started: claim === undefined ? [] : [item] }
}
