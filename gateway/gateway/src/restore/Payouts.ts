/**
 * Compares a payout that is unpaid in a restored copy. The former gateway may have paid it under one of a few references. The rail's
 * answer about one of these references is the outcome of the payout, also a refusal: no other attempt followed it.
 */
import { Clock, Effect } from "effect"
import * as Hosted from "../hosted/decide/HostedSession.ts"
import * as HostedPage from "../hosted/HostedPage.ts"
import * as Change from "../kernel/Change.ts"
import * as Decision from "../kernel/Decision.ts"
import { Job } from "../kernel/Job.ts"
import * as Jobs from "../kernel/Jobs.ts"
import { Scheduler } from "../kernel/Scheduler.ts"
import { Store } from "../kernel/Store.ts"
import { Order } from "../orders/record/Order.ts"
import { isOfRail, OrderRequest, type RailRequest } from "../orders/record/OrderRequest.ts"
import * as PayoutLifecycle from "../orders/record/PayoutLifecycle.ts"
import { Approval } from "../payouts/decide/Approval.ts"
import { Payout } from "../recipients/Recipient.ts"
import * as Attempts from "./Attempts.ts"
import type { Comparison } from "./Comparison.ts"

export interface Unpaid {
  readonly order: Order
  /** The request that would pay, or that checked. */
  readonly request: RailRequest
  /** The hosted page on which the recipient enters the destination, if there is one. */
  readonly form?: Hosted.Form | undefined
  /** The approval by a second approver, if one is needed. */
  readonly approval?: Approval | undefined
}

/**
 * Returns the highest sequence number that a payment of the payout may have: its own if it waits to be paid, that of the last
 * attempt on a hosted page, or one more than that of a check.
 */
export const last = ({ form, request }: Unpaid): number =>
  request.action === "pay" ? request.sequence : (form?.session.maxAttempts ?? request.sequence + 1)

/** Inquires about this payment. Nothing else happens to the payout from now on. */
export const paidBefore = (
  { approval, form, order, request }: Unpaid,
  sequence: number,
  nowMs: number,
  claim: Jobs.Claim | undefined
): Decision.Decision => {
  const { orderId } = order
  const job = Jobs.make({ kind: "rail", subject: request.requestId, merchantId: order.merchantId, nowMs, claim })
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
      progress: "processing",
      acceptedAtMs: nowMs,
      finishedAtMs: null
    }),
    Decision.put(Job, job),
    Decision.remove(Job, [Jobs.id("lapse", orderId)])
  ]
  if (form !== undefined) {
    const { session } = form
    guards.push(Decision.versionIs(Hosted.HostedSession, [session.token], session.version))
    writes.push(
      Decision.put(Hosted.HostedSession, Change.next(session, { attempts: sequence })),
      Decision.remove(Job, [Jobs.id("session", orderId)])
    )
    // The recipient of another attempt is not stored here, so the row of this one is removed.
    if (sequence !== request.sequence) writes.push(Decision.remove(Payout, [orderId]))
  }
  if (approval !== undefined) {
    guards.push(Decision.versionIs(Approval, [orderId], approval.version))
    writes.push(Decision.put(Approval, Change.next(approval, { state: "approved", decidedAtMs: nowMs })))
  }
  return { guards, writes }
}

const same: Comparison = { _tag: "Same" }

/** Whether the payout waits: for its recipient, for its check, for the merchant's request to pay or for a second approver. */
const isUnpaid = ({ state }: Order): boolean =>
  PayoutLifecycle.isUnpaid(state) ||
  PayoutLifecycle.next(state, "abandon") !== undefined ||
  PayoutLifecycle.next(state, "accept") !== undefined

export const make = Effect.fnUntraced(function* (startedAtMs: number) {
  const store = yield* Store
  const scheduler = yield* Scheduler
  const attempts = yield* Attempts.make(startedAtMs)

  return Effect.fnUntraced(function* (order: Order) {
    if (!isUnpaid(order)) return same
    const approval = PayoutLifecycle.isWaiting(order.state) ? yield* store.load(Approval, [order.orderId]) : undefined
    const request = yield* store.load(OrderRequest, [approval?.requestId ?? order.requestId])
    if (request === undefined || !isOfRail(request)) return same
    const unpaid = { order, request, approval, form: yield* HostedPage.formOf(store, request) }
    const paying = { ...request, action: "pay" } as const
    const outcome = yield* attempts.between(order, paying, [request.sequence, last(unpaid)], "outcome")
    if (outcome._tag === "NeverMade") return same
    if (outcome._tag === "Unclear") return outcome
    const nowMs = yield* Clock.currentTimeMillis
    const decision = paidBefore(unpaid, outcome.sequence, nowMs, scheduler.claim(nowMs, "rail", order.merchantId))
    return { _tag: "Becomes", decision } satisfies Comparison
  })
})
