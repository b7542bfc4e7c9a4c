/**
 * Decides what an update changes of a recurring payment, pure: its amount, its card, pause, resume, cancel. It sets the
 * values in the request, so a repeated update changes nothing. Occurrences that were due before it are skipped in its
 * commit.
 */

import { Result } from "effect"
import * as Answer from "../kernel/Answer.ts"
import * as Decision from "../kernel/Decision.ts"
import { Job } from "../kernel/Job.ts"
import * as Jobs from "../kernel/Jobs.ts"
import type * as Payment from "../orders/Payment.ts"
import * as Billing from "./Billing.ts"
import * as BillingSettlement from "./BillingSettlement.ts"
import * as BillingTurn from "./BillingTurn.ts"
import type { Subscription } from "./Subscription.ts"
import { Occurrence } from "./Subscription.ts"
import * as SubscriptionEvents from "./SubscriptionEvents.ts"
import * as SubscriptionLife from "./SubscriptionLife.ts"

export interface WantedChange {
  readonly change: "pause" | "resume" | "cancel" | undefined
  readonly amountMinor: number | undefined
  readonly card: (Payment.CardFacts & Pick<Subscription, "sealedPan" | "panHash">) | undefined
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
const already: Readonly<Record<NonNullable<WantedChange["change"]>, SubscriptionLife.State>> = {
  pause: "paused",
  resume: "active",
  cancel: "cancelled"
}

/** Returns the state with another card: active, or paused if it was paused before the suspension. */
const withCard = ({ paused, state }: Subscription): SubscriptionLife.State => {
  const revived = SubscriptionLife.next(state, "revive")
  if (revived === undefined) return state
  return (paused === 1 ? SubscriptionLife.next(revived, "pause") : undefined) ?? revived
}

/** Returns the state after the update. A new card takes effect before the change. */
const stateAfter = (
  subscription: Subscription,
  { card, change }: WantedChange
): Result.Result<SubscriptionLife.State, Answer.Refusal> => {
  const { state } = subscription
  const revived = card === undefined ? state : withCard(subscription)
  if (change === undefined || revived === already[change]) return Result.succeed(revived)
  const moved = SubscriptionLife.next(revived, change)
  if (moved !== undefined) return Result.succeed(moved)
  return SubscriptionLife.next(state, "revive") === undefined
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
  billed: BillingSettlement.BilledWithJob,
  wanted: WantedChange,
  nowMs: number
): Result.Result<Changed, Answer.Refusal> => {
  const { subscription } = billed
  const { amountMinor, card } = wanted
  if (!SubscriptionLife.isScheduled(subscription.state) && (amountMinor !== undefined || card !== undefined)) {
    return refused(subscription, "its amount and card cannot be changed")
  }
  return Result.map(stateAfter(subscription, wanted), (state) => changeTo(state, billed, wanted, nowMs))
}

/** Returns the update that leads to `state`. */
const changeTo = (
  state: SubscriptionLife.State,
  billed: BillingSettlement.BilledWithJob,
  { amountMinor, card }: WantedChange,
  nowMs: number
): Changed => {
  const { occurrence, subscription } = billed
  const isOver = SubscriptionLife.isOver(state)
  const settlement = BillingSettlement.make(billed, { state, hasNewCard: card !== undefined }, nowMs)
  const skipping = BillingTurn.skipping(settlement.skipped)
  const news = SubscriptionEvents.tell(subscription, skipping.events, nowMs)
  const settled: Subscription = { ...news.subscription, next: settlement.next }
  const changed: Subscription = settlement.hasMore
    ? settled
    : {
        ...settled,
        ...card,
        amountMinor: amountMinor ?? subscription.amountMinor,
        state,
        ...(SubscriptionLife.hasCard(state) ? { reasonCode: null, reasonMessage: null, paused: null } : {}),
        ...(isOver ? { sealedPan: Billing.nothing } : {})
      }
  const stops =
    occurrence?.progress === "retrying" &&
    !settlement.hasMore &&
    (!SubscriptionLife.isCharged(state) || (card !== undefined && BillingSettlement.isTooLate(billed, nowMs)))
  const onward =
    settlement.next === subscription.next ? Billing.kept(changed, isOver && !stops) : Billing.moved(changed, [], nowMs)
  return {
    subscription: onward.subscription,
    isWhole: !settlement.hasMore,
    skipped: settlement.skipped,
    decision: {
      guards: [Billing.guard(billed)],
      writes: [
        ...skipping.writes,
        ...news.writes,
        ...onward.writes,
        ...(stops ? stopRetrying(subscription, occurrence, nowMs) : [])
      ]
    }
  }
}
