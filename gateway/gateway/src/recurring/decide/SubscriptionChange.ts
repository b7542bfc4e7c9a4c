/**
 * Decides what an update changes of a recurring payment, pure: its amount, its card, pause, resume, cancel. It sets the
 * values in the request, so a repeated update changes nothing. Occurrences that were due before it are skipped in its
 * commit.
 */

import { Result } from "effect"
import * as Answer from "../../kernel/Answer.ts"
import * as Decision from "../../kernel/Decision.ts"
import { Job } from "../../kernel/Job.ts"
import * as Jobs from "../../kernel/Jobs.ts"
import type * as Payment from "../../orders/record/Payment.ts"
import * as Billing from "./Billing.ts"
import * as BillingDecisions from "./BillingDecisions.ts"
import * as SkippedOccurrences from "./SkippedOccurrences.ts"
import type { Subscription } from "./Subscription.ts"
import { Occurrence } from "./Subscription.ts"
import * as SubscriptionEvents from "./SubscriptionEvents.ts"
import * as SubscriptionLifecycle from "./SubscriptionLifecycle.ts"

export interface RequestedChange {
  readonly change: "pause" | "resume" | "cancel" | undefined
  readonly amountMinor: number | undefined
  readonly card: (Payment.CardFacts & Pick<Subscription, "encryptedPan" | "panHash">) | undefined
}

export interface Changed {
  readonly subscription: Subscription
  /**
   * False: only a part of the occurrences that were due is skipped by this commit, and the change itself is still to be
   * made.
   */
  readonly isWhole: boolean
  /** The occurrences that were due before and are skipped in this commit. */
  readonly skipped: ReadonlyArray<Occurrence>
  readonly decision: Decision.Decision
}

const refused = ({ state, subscriptionId }: Subscription, says: string): Result.Result<never, Answer.Refusal> =>
  Answer.refusal("orderState", `Recurring payment ${subscriptionId} is ${state}; ${says}`, "recurring-payment-id")

/** The state in which each change has already been made. */
const already: Readonly<Record<NonNullable<RequestedChange["change"]>, SubscriptionLifecycle.State>> = {
  pause: "paused",
  resume: "active",
  cancel: "cancelled"
}

/** Returns the state with another card: active, or paused if it was paused before the suspension. */
const withCard = ({ paused, state }: Subscription): SubscriptionLifecycle.State => {
  const revived = SubscriptionLifecycle.next(state, "revive")
  if (revived === undefined) return state
  return (paused === 1 ? SubscriptionLifecycle.next(revived, "pause") : undefined) ?? revived
}

/** Returns the state after the update. A new card takes effect before the change. */
const stateAfter = (
  subscription: Subscription,
  { card, change }: RequestedChange
): Result.Result<SubscriptionLifecycle.State, Answer.Refusal> => {
  const { state } = subscription
  const revived = card === undefined ? state : withCard(subscription)
  if (change === undefined || revived === already[change]) return Result.succeed(revived)
  const moved = SubscriptionLifecycle.next(revived, change)
  if (moved !== undefined) return Result.succeed(moved)
  return SubscriptionLifecycle.next(state, "revive") === undefined
    ? refused(subscription, `it cannot be asked to ${change}`)
    : refused(subscription, `give another card, by cardrefid or its number, to go on with it`)
}

/** Ends the attempts of a declined charge: its job runs now and ends its order, whatever the state is by then. */
const stopRetrying = (
  { merchantId, subscriptionId }: Subscription,
  occurrence: Occurrence,
  nowMs: number
): ReadonlyArray<Decision.Write> => [
  Decision.put(Occurrence, { ...occurrence, nextTryAtMs: null }),
  Decision.put(Job, Jobs.make({ kind: "recurring", subject: subscriptionId, merchantId, nowMs }))
]

export const decide = (
  billed: SkippedOccurrences.BilledBeforeChange,
  request: RequestedChange,
  nowMs: number
): Result.Result<Changed, Answer.Refusal> => {
  const { subscription } = billed
  const { amountMinor, card } = request
  if (!SubscriptionLifecycle.isScheduled(subscription.state) && (amountMinor !== undefined || card !== undefined)) {
    return refused(subscription, "its amount and card cannot be changed")
  }
  return Result.map(stateAfter(subscription, request), (state) => changeTo(state, billed, request, nowMs))
}

/** Returns the update that leads to `state`. */
const changeTo = (
  state: SubscriptionLifecycle.State,
  billed: SkippedOccurrences.BilledBeforeChange,
  { amountMinor, card }: RequestedChange,
  nowMs: number
): Changed => {
  const { occurrence, subscription } = billed
  const isOver = SubscriptionLifecycle.isOver(state)
  const skips = SkippedOccurrences.make(billed, { state, hasNewCard: card !== undefined }, nowMs)
  const skipping = BillingDecisions.skipping(skips.skipped)
  const notifications = SubscriptionEvents.announce(subscription, skipping.events, nowMs)
  const skippedTo: Subscription = { ...notifications.subscription, next: skips.next }
  const changed: Subscription = skips.hasMore
    ? skippedTo
    : {
        ...skippedTo,
        ...card,
        amountMinor: amountMinor ?? subscription.amountMinor,
        state,
        ...(SubscriptionLifecycle.hasCard(state) ? { reasonCode: null, reasonMessage: null, paused: 0 } : {}),
        ...(isOver ? { encryptedPan: Billing.erasedPan } : {})
      }
  const stops =
    occurrence?.progress === "retrying" &&
    !skips.hasMore &&
    (!SubscriptionLifecycle.isCharged(state) || (card !== undefined && SkippedOccurrences.isTooLate(billed, nowMs)))
  const onward =
    skips.next === subscription.next
      ? Billing.updateRow(changed, isOver && !stops)
      : Billing.advance(changed, [], nowMs)
  return {
    subscription: onward.subscription,
    isWhole: !skips.hasMore,
    skipped: skips.skipped,
    decision: {
      guards: [Billing.guard(billed)],
      writes: [
        ...skipping.writes,
        ...notifications.writes,
        ...onward.writes,
        ...(stops ? stopRetrying(subscription, occurrence, nowMs) : [])
      ]
    }
  }
}
