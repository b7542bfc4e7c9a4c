/**
 * Occurrences that were due before a change of a recurring payment and not charged by then. They are skipped in the
 * commit of the change, with the reason that applied on their own day. A resume or a new card charges nothing that was
 * due before it, and after a pause nothing that was due before it is charged.
 */
import * as CardRules from "@pay/schema/Card"
import { declines } from "@pay/schema/Decline"
import * as BillingDays from "./BillingDays.ts"
import * as BillingPlan from "./BillingPlan.ts"
import * as SkipReason from "./SkipReason.ts"
import type { Occurrence, Subscription } from "./Subscription.ts"
import * as SubscriptionLifecycle from "./SubscriptionLifecycle.ts"

/** A recurring payment before a change. */
export interface BilledBeforeChange extends BillingPlan.Billed {
  /** The occurrence with the highest number that has a row. */
  readonly last: Occurrence | undefined
}

export interface Change {
  /** The state after the change. */
  readonly state: SubscriptionLifecycle.State
  readonly hasNewCard: boolean
}

export interface Skips {
  readonly skipped: ReadonlyArray<Occurrence>
  /** Number of the occurrence that is due next or is being charged. */
  readonly next: number
  /** True: more occurrences were due than one commit can skip. */
  readonly hasMore: boolean
}

/** Whether the current occurrence has an order whose outcome, or next attempt, schedules the next job. */
const isUnderWay = ({ occurrence }: BillingPlan.Billed): boolean =>
  occurrence?.progress === "charging" || occurrence?.progress === "retrying"

/** Whether a declined charge is not tried again because the time for it has passed. */
export const isTooLate = ({ occurrence, subscription }: BillingPlan.Billed, nowMs: number): boolean =>
  occurrence?.progress === "retrying" && nowMs >= BillingDays.triedUntilMs(subscription, occurrence.n)

type Reason = (dueAtMs: number) => string

/**
 * Returns the reasons to skip. Undefined: nothing is skipped here, and the job of the recurring payment charges what is
 * due.
 */
const reasonOf = (billed: BilledBeforeChange, { hasNewCard, state }: Change, nowMs: number): Reason | undefined => {
  const { subscription } = billed
  if (!SubscriptionLifecycle.isCharged(subscription.state)) return () => SkipReason.inState(subscription.state)
  if (!SubscriptionLifecycle.isCharged(state)) return () => SkipReason.beforePause
  if (!hasNewCard) return undefined
  if (isTooLate(billed, nowMs)) return () => SkipReason.inState("suspended")
  const isExpired = (atMs: number) =>
    CardRules.isExpired({ month: subscription.expireMonth, year: subscription.expireYear }, atMs)
  const { next } = subscription
  const dueAtMs = BillingDays.dueAtMs(subscription, next) ?? Number.POSITIVE_INFINITY
  if (isUnderWay(billed) || nowMs < dueAtMs) return undefined
  const latest = next + BillingDays.dueFrom(subscription, next, nowMs) - 1
  if (!isExpired(BillingDays.dueAtMs(subscription, latest) ?? dueAtMs)) return undefined
  return (dueAtMs) => (isExpired(dueAtMs) ? declines.expiredCard.message : SkipReason.missed)
}

/** Returns the row of an occurrence that was not charged. */
export const skipped = (subscription: Subscription, n: number, reason: string, nowMs: number): Occurrence => ({
  subscriptionId: subscription.subscriptionId,
  n,
  day: BillingDays.dayOf(subscription, n) ?? subscription.anchorDay,
  progress: "skipped",
  orderId: null,
  attempts: 0,
  firstAtMs: null,
  nextTryAtMs: null,
  reason,
  endedAtMs: nowMs
})

export const make = (billed: BilledBeforeChange, change: Change, nowMs: number): Skips => {
  const { last, subscription } = billed
  const moves = change.hasNewCard || change.state !== subscription.state
  const reason = moves && !SubscriptionLifecycle.isOver(change.state) ? reasonOf(billed, change, nowMs) : undefined
  const first = Math.max(subscription.next, last === undefined ? 0 : last.n + 1)
  const isDue = (n: number) => (BillingDays.dueAtMs(subscription, n) ?? Number.POSITIVE_INFINITY) <= nowMs
  const rows: Array<Occurrence> = []
  for (let n = first; reason !== undefined && isDue(n) && rows.length < BillingPlan.mostSkipped; n += 1) {
    rows.push(skipped(subscription, n, reason(BillingDays.dueAtMs(subscription, n) ?? nowMs), nowMs))
  }
  return {
    skipped: rows,
    next: isUnderWay(billed) || reason === undefined ? subscription.next : first + rows.length,
    hasMore: rows.length === BillingPlan.mostSkipped && isDue(first + rows.length)
  }
}
