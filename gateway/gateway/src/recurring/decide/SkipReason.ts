/**
 * Why an occurrence of a recurring payment was not charged, as the text that is stored with it and sent to the merchant. Each
 * occurrence gets the reason that applied on its own day, also if it is recorded later.
 */
import * as BillingDays from "./BillingDays.ts"
import type { Occurrence, Subscription } from "./Subscription.ts"
import * as SubscriptionLifecycle from "./SubscriptionLifecycle.ts"

/** The reason for a recurring payment that is paused or suspended. */
export const inState = (state: SubscriptionLifecycle.State): string => `The recurring payment is ${state}`
export const missed = "Missed while the gateway was not running"
export const mayBeCharged = "It may have been charged before the gateway was restored"
export const awaited = "The outcome of the charge before it was not known yet"
export const switchedOff = "The endpoint was switched off"
export const over = "It could not be charged before the schedule was over"
export const beforePause = "It had not been charged when the recurring payment was paused"

/** The facts on which the reason depends. */
export interface SkipFacts {
  /** The last occurrence before the skipped ones that has an order. */
  readonly lastCharge: Occurrence | undefined
  /** Whether the endpoint is switched off or missing. */
  readonly isSwitchedOff: boolean
}

/** Returns the time until which the previous charge was in flight and delayed the occurrences that became due. */
const awaitedUntilMs = ({ lastCharge }: SkipFacts): number =>
  (lastCharge?.progress === "charged" ? lastCharge.endedAtMs : null) ?? Number.NEGATIVE_INFINITY

/** Returns why occurrence `n`, which was due, is not charged. `isOver`: it would be charged if the schedule had not ended. */
export const of = (subscription: Subscription, n: number, isOver: boolean, facts: SkipFacts): string => {
  const { state } = subscription
  const dueAtMs = BillingDays.dueAtMs(subscription, n) ?? 0
  if (SubscriptionLifecycle.isPaused(state)) return inState(state)
  if (dueAtMs < awaitedUntilMs(facts)) return awaited
  if (!SubscriptionLifecycle.isCharged(state)) return inState(state)
  if (isOver) return over
  return facts.isSwitchedOff ? switchedOff : missed
}
