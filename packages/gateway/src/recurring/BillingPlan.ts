/**
 * What is to be done when a recurring payment has its turn, decided from its rows and the time: nothing is charged before
 * its day, twice, or after its schedule; after an outage only the latest missed occurrences are, and none after the last day
 * of the schedule (decisions: recurring).
 */
import * as CardRules from "@pay/schema/Card"
import * as BillingDays from "./BillingDays.ts"
import type { Occurrence, Subscription } from "./Subscription.ts"
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
  /** So many occurrences are recorded as skipped. `isOver`: because the last day of the schedule is past. */
  | { readonly _tag: "Skip"; readonly count: number; readonly isOver: boolean }
  /** The present occurrence was skipped before its turn: on to the first without a record. */
  | { readonly _tag: "Pass" }
  | { readonly _tag: "Charge" }
  /** The declined charge is tried again. */
  | { readonly _tag: "Retry" }
  /** The declined charge is not tried again. `suspends`: it could have been, but its time went by. */
  | { readonly _tag: "GiveUp"; readonly suspends: boolean }
  /** The card is past its expiry. */
  | { readonly _tag: "Expired" }

/** Recorded in one commit; more take several turns. */
export const mostSkipped = 50

const drop: Plan = { _tag: "Drop" }

const isExpired = ({ expireMonth, expireYear }: Subscription, nowMs: number): boolean =>
  CardRules.isExpired({ month: expireMonth, year: expireYear }, nowMs)

const again = ({ subscription }: Billed, occurrence: Occurrence, nowMs: number): Plan => {
  const { nextTryAtMs } = occurrence
  if (nextTryAtMs === null || !SubscriptionLife.isCharged(subscription.state))
    return { _tag: "GiveUp", suspends: false }
  if (nowMs < nextTryAtMs) return { _tag: "Wait", untilMs: nextTryAtMs }
  if (nowMs >= BillingDays.triedUntilMs(subscription, occurrence.n)) return { _tag: "GiveUp", suspends: true }
  return isExpired(subscription, nowMs) ? { _tag: "Expired" } : { _tag: "Retry" }
}

/** `catchUp`: how many missed occurrences are charged. The latest due one always is. */
export const make = (billed: Billed, catchUp: number, nowMs: number): Plan => {
  const { occurrence, subscription } = billed
  if (occurrence?.progress === "skipped") return { _tag: "Pass" }
  if (occurrence?.progress === "retrying") return again(billed, occurrence, nowMs)
  if (occurrence !== undefined || !SubscriptionLife.isScheduled(subscription.state)) return drop
  const dueAtMs = BillingDays.dueAtMs(subscription, subscription.next)
  if (dueAtMs === undefined) return drop
  if (nowMs < dueAtMs) return { _tag: "Wait", untilMs: dueAtMs }
  const due = BillingDays.dueFrom(subscription, subscription.next, nowMs)
  const isCharged = SubscriptionLife.isCharged(subscription.state)
  const missed = isCharged ? due - Math.max(1, catchUp) : due
  const isOver = missed <= 0 && nowMs >= BillingDays.overAtMs(subscription)
  const count = Math.min(isOver ? due : missed, mostSkipped)
  if (count > 0) return { _tag: "Skip", count, isOver }
  return isExpired(subscription, nowMs) ? { _tag: "Expired" } : { _tag: "Charge" }
}
