/**
 * The recurring payment whose present occurrence an order charges, or which it began; undefined for other orders, a charge
 * out of turn among them, which moves no schedule.
 */
import { Effect } from "effect"
import { Store } from "../kernel/Store.ts"
import type { Load } from "../orders/Continuations.ts"
import type { Order } from "../orders/Order.ts"
import * as BillingOutcome from "./BillingOutcome.ts"
import type { Billed } from "./BillingPlan.ts"
import { Occurrence } from "./Occurrence.ts"
import { Subscription } from "./Subscription.ts"
import * as SubscriptionLife from "./SubscriptionLife.ts"

const billedOf = Effect.fnUntraced(function* (store: Store["Service"], { orderId, subscriptionId }: Order) {
  if (subscriptionId === null) return undefined
  const subscription = yield* store.load(Subscription, [subscriptionId])
  if (subscription === undefined) return undefined
  const occurrence = yield* store.load(Occurrence, [subscriptionId, subscription.next])
  if (occurrence?.orderId === orderId) return { subscription, occurrence } satisfies Billed
  return subscription.orderId === orderId && SubscriptionLife.next(subscription.state, "begin") !== undefined
    ? ({ subscription, occurrence: undefined } satisfies Billed)
    : undefined
})

/** What an order of a recurring payment belongs to. */
export const continuation = Effect.map(
  Store,
  (store): Load =>
    (order) =>
      Effect.map(billedOf(store, order), (billed) => billed && BillingOutcome.continuation(billed))
)
