/**
 * Decides what a recurring payment does next, from its rows and the time. Nothing is charged before its day, twice, or after
 * its schedule. After an outage only the latest missed occurrences are charged, and none after the last day of the schedule
 * (docs/assumptions.md#scheduled-charges).
 */
import * as CardRules from "@pay/schema/Card"
import * as BillingDays from "./BillingDays.ts"
import type { Occurrence, Subscription } from "./Subscription.ts"
import * as SubscriptionLifecycle from "./SubscriptionLifecycle.ts"

/** A recurring payment and its current occurrence; `occurrence` is undefined while it has no row yet. */
export interface Billed {
  readonly subscription: Subscription
  readonly occurrence: Occurrence | undefined
}

export type Plan =
  /** Nothing to do: the recurring payment is over, or a charge is in flight whose outcome schedules the next job. */
  | { readonly _tag: "Drop" }
  /** Nothing is due before `untilMs`. */
  | { readonly _tag: "Wait"; readonly untilMs: number }
  /** Records `count` occurrences as skipped. `isOver`: because the last day of the schedule is past. */
  | { readonly _tag: "Skip"; readonly count: number; readonly isOver: boolean }
  /** The current occurrence was already skipped: go on to the first one without a row. */
  | { readonly _tag: "Pass" }
  | { readonly _tag: "Charge" }
  /** Tries the declined charge again. */
  | { readonly _tag: "Retry" }
  /** Ends the declined charge without another attempt. `suspends`: another attempt was planned, but its time has passed. */
  | { readonly _tag: "GiveUp"; readonly suspends: boolean }
  /** The card has expired. */
  | { readonly _tag: "Expired" }

/** Highest number of occurrences that one commit records as skipped. More need several commits. */
export const mostSkipped = 50

const drop: Plan = { _tag: "Drop" }

const isExpired = ({ expireMonth, expireYear }: Subscription, nowMs: number): boolean =>
  CardRules.isExpired({ month: expireMonth, year: expireYear }, nowMs)

const again = ({ subscription }: Billed, occurrence: Occurrence, nowMs: number): Plan => {
  const { nextTryAtMs } = occurrence
  if (nextTryAtMs === null || !SubscriptionLifecycle.isCharged(subscription.state))
    return { _tag: "GiveUp", suspends: false }
  if (nowMs < nextTryAtMs) return { _tag: "Wait", untilMs: nextTryAtMs }
  if (nowMs >= BillingDays.triedUntilMs(subscription, occurrence.n)) return { _tag: "GiveUp", suspends: true }
  return isExpired(subscription, nowMs) ? { _tag: "Expired" } : { _tag: "Retry" }
}

/**
 * Returns the plan. `catchUp`: number of missed occurrences that are charged. The latest one that is due is always charged.
 */
export const make = (billed: Billed, catchUp: number, nowMs: number): Plan => {
  const { occurrence, subscription } = billed
  if (occurrence?.progress === "skipped") return { _tag: "Pass" }
  if (occurrence?.progress === "retrying") return again(billed, occurrence, nowMs)
  if (occurrence !== undefined || !SubscriptionLifecycle.isScheduled(subscription.state)) return drop
  const dueAtMs = BillingDays.dueAtMs(subscription, subscription.next)
  if (dueAtMs === undefined) return drop
  if (nowMs < dueAtMs) return { _tag: "Wait", untilMs: dueAtMs }
  const due = BillingDays.dueFrom(subscription, subscription.next, nowMs)
  const isCharged = SubscriptionLifecycle.isCharged(subscription.state)
  const missed = isCharged ? due - Math.max(1, catchUp) : due
  const isOver = missed <= 0 && nowMs >= BillingDays.overAtMs(subscription)
  const count = Math.min(isOver ? due : missed, mostSkipped)
  if (count > 0) return { _tag: "Skip", count, isOver }
  return isExpired(subscription, nowMs) ? { _tag: "Expired" } : { _tag: "Charge" }
}
