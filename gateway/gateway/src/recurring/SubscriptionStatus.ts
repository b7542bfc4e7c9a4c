/** The fields of `status` about a recurring payment. */
import { Effect } from "effect"
import { Store } from "../kernel/Store.ts"
import type { LoadSection } from "../orders/requests/AnswerStatus.ts"
import * as BillingDays from "./decide/BillingDays.ts"
import { Subscription } from "./decide/Subscription.ts"
import * as SubscriptionLifecycle from "./decide/SubscriptionLifecycle.ts"
import { lastOccurrence } from "./LoadSubscription.ts"

/** Returns the day of the next scheduled charge, after one that is in flight; undefined if no charge is scheduled. */
const nextChargeDate = Effect.fnUntraced(function* (store: Store["Service"], subscription: Subscription) {
  const { next, state, subscriptionId } = subscription
  const begins = SubscriptionLifecycle.next(state, "begin") !== undefined
  if (!begins && !SubscriptionLifecycle.isCharged(state)) return undefined
  const last = yield* lastOccurrence(store, subscriptionId)
  return BillingDays.dayOf(subscription, Math.max(next, last === undefined ? 0 : last.n + 1))
})

export const of = Effect.fnUntraced(function* (store: Store["Service"], subscription: Subscription) {
  const day = yield* nextChargeDate(store, subscription)
  return {
    status: subscription.state,
    "recurring-payment-id": subscription.subscriptionId,
    ...(day === undefined ? {} : { "next-charge-date": day })
  }
})

/** Loads the section of `status` about the recurring payment that an order created or charges. */
export const section = Effect.map(
  Store,
  (store): LoadSection =>
    Effect.fnUntraced(function* ({ subscriptionId }) {
      const subscription = subscriptionId === null ? undefined : yield* store.load(Subscription, [subscriptionId])
      if (subscription === undefined) return undefined
      const { status, ...others } = yield* of(store, subscription)
      return { fields: { ...others, "recurring-payment-status": status } }
    })
)
