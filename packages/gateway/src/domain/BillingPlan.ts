/**
 * What is to be done when a recurring payment has its turn, decided from its rows and the time: nothing is charged before
 * its day, twice, or after its schedule; after an outage only the latest missed occurrences are (decisions: recurring).
 */
import * as CardRules from "@pay/schema/Card"
import * as BillingDays from "./BillingDays.ts"
import type { Occurrence } from "./entities/Occurrence.ts"
import type { Subscription } from "./entities/Subscription.ts"
import * as SubscriptionLife from "./SubscriptionLife.ts"

/** A recurring payment and its present occurrence; undefined: that has no order yet. */
export interface Billed {
  readonly subscription: Subscription
  readonly occurrence: Occurrence | undefined
}

export type Plan =
  /** Nothing: it is over, or its charge is under way, whose outcome brings the next turn. */
  | { readonly _tag: "Drop" }
  /** Not yet. */
  | { readonly _tag: "Wait"; readonly untilMs: number }
  /** So many occurrences are recorded as skipped. */
  | { readonly _tag: "Skip"; readonly count: number; readonly reason: string }
  | { readonly _tag: "Charge" }
  /** The declined charge is tried again. */
  | { readonly _tag: "Retry" }
  /** The declined charge is not tried again. */
  | { readonly _tag: "GiveUp" }
  /** The card is past its expiry. */
  | { readonly _tag: "Expired" }

/** Recorded in one commit; more take several turns. */
export const mostSkipped = 50

const drop: Plan = { _tag: "Drop" }

const isExpired = ({ expireMonth, expireYear }: Subscription, nowMs: number): boolean =>
  CardRules.isExpired({ month: expireMonth, year: expireYear }, nowMs)

const again = ({ subscription }: Billed, occurrence: Occurrence, nowMs: number): Plan => {
  const { nextTryAtMs } = occurrence
  if (!SubscriptionLife.isCharged(subscription.state)) return { _tag: "GiveUp" }
  if (nextTryAtMs !== null && nowMs < nextTryAtMs) return { _tag: "Wait", untilMs: nextTryAtMs }
  if (nowMs >= BillingDays.triedUntilMs(subscription, occurrence.n)) return { _tag: "GiveUp" }
  return isExpired(subscription, nowMs) ? { _tag: "Expired" } : { _tag: "Retry" }
}

/** `catchUp`: how many missed occurrences are charged. The latest due one always is. */
export const make = (billed: Billed, catchUp: number, nowMs: number): Plan => {
  const { occurrence, subscription } = billed
  if (occurrence?.progress === "retrying") return again(billed, occurrence, nowMs)
  if (occurrence !== undefined || !SubscriptionLife.isScheduled(subscription.state)) return drop
  const dueAtMs = BillingDays.dueAtMs(subscription, subscription.next)
  if (dueAtMs === undefined) return drop
  if (nowMs < dueAtMs) return { _tag: "Wait", untilMs: dueAtMs }
  const due = BillingDays.dueFrom(subscription, subscription.next, nowMs)
  if (!SubscriptionLife.isCharged(subscription.state)) {
    return { _tag: "Skip", count: Math.min(due, mostSkipped), reason: `The recurring payment is ${subscription.state}` }
  }
  const missed = due - Math.max(1, catchUp)
  if (missed > 0) {
    return { _tag: "Skip", count: Math.min(missed, mostSkipped), reason: "Missed while the gateway was not running" }
  }
  return isExpired(subscription, nowMs) ? { _tag: "Expired" } : { _tag: "Charge" }
}
