/**
 * Why an occurrence of a recurring payment was not charged, in the words that are kept with it and told to the merchant. Each
 * occurrence has the reason of its own day, whenever it is recorded.
 */
import * as BillingDays from "./BillingDays.ts"
import type { Occurrence, Subscription } from "./Subscription.ts"
import * as SubscriptionLife from "./SubscriptionLife.ts"

/** Paused or suspended. */
export const standing = (state: SubscriptionLife.State): string => `The recurring payment is ${state}`
export const missed = "Missed while the gateway was not running"
export const restored = "It may have been charged before the gateway was restored"
export const awaited = "The outcome of the charge before it was not known yet"
export const switchedOff = "The endpoint was switched off"
export const over = "It could not be charged before the schedule was over"
export const beforePause = "It had not been charged when the recurring payment was paused"

/** What is known when occurrences are skipped. */
export interface Facts {
  /** The last one before them that has an order. */
  readonly lastCharge: Occurrence | undefined
  /** Their endpoint takes nothing now. */
  readonly isSwitchedOff: boolean
  /** When a gateway first started on a restored copy; undefined: this store never was one. */
  readonly restoredAtMs: number | undefined
}

/** Until when the charge before them was under way, where it held back what fell due. */
const awaitedUntilMs = ({ lastCharge }: Facts): number =>
  (lastCharge?.progress === "charged" ? lastCharge.endedAtMs : null) ?? Number.NEGATIVE_INFINITY

/**
 * Whether a restored copy's former instance may have made a scheduled charge: under an order of its own, which nobody can ask
 * about. It is skipped, and the merchant may charge it by hand.
 */
export const mayBeCharged = (
  subscription: Pick<Subscription, "createdAtMs">,
  dueAtMs: number,
  startedAtMs: number | undefined
): boolean => startedAtMs !== undefined && subscription.createdAtMs <= startedAtMs && dueAtMs <= startedAtMs

/** Why occurrence `n`, which was due, is not charged. `isOver`: it would be, but for the end of the schedule. */
export const of = (subscription: Subscription, n: number, isOver: boolean, facts: Facts): string => {
  const { state } = subscription
  const dueAtMs = BillingDays.dueAtMs(subscription, n) ?? 0
  if (SubscriptionLife.isPaused(state)) return standing(state)
  if (mayBeCharged(subscription, dueAtMs, facts.restoredAtMs) && SubscriptionLife.isCharged(state)) return restored
  if (dueAtMs < awaitedUntilMs(facts)) return awaited
  if (!SubscriptionLife.isCharged(state)) return standing(state)
  if (isOver) return over
  return facts.isSwitchedOff ? switchedOff : missed
}
