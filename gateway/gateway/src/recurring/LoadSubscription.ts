/** Loads recurring payments and their occurrences for the requests and orders that concern them. */
import { Effect } from "effect"
import type { Rows } from "../kernel/Rows.ts"
import type { Store } from "../kernel/Store.ts"
import type { Load } from "../orders/outcomes/Continuations.ts"
import { Order } from "../orders/record/Order.ts"
import * as BillingOutcome from "./decide/BillingOutcome.ts"
import type { Billed } from "./decide/BillingPlan.ts"
import { Occurrence, Subscription } from "./decide/Subscription.ts"
import * as SubscriptionLifecycle from "./decide/SubscriptionLifecycle.ts"

/**
 * Returns the recurring payment that an order created, or whose current occurrence it charges. Undefined for other orders,
 * such as a charge by `process-recurring-payment`, which does not move the schedule.
 */
const billedOf = Effect.fnUntraced(function* (rows: Rows, { orderId, subscriptionId }: Order) {
  if (subscriptionId === null) return undefined
  const subscription = yield* rows.load(Subscription, [subscriptionId])
  if (subscription === undefined) return undefined
  const occurrence = yield* rows.load(Occurrence, [subscriptionId, subscription.next])
  if (occurrence?.orderId === orderId) return { subscription, occurrence } satisfies Billed
  return subscription.orderId === orderId && SubscriptionLifecycle.next(subscription.state, "begin") !== undefined
    ? ({ subscription, occurrence: undefined } satisfies Billed)
    : undefined
})

/** Loads the continuation of an order that belongs to a recurring payment. */
export const continuation: Load = (rows, order) =>
  Effect.map(billedOf(rows, order), (billed) => billed && BillingOutcome.continuation(billed))

/** Loads a recurring payment of the merchant. Undefined if it does not exist or belongs to another merchant. */
export const ownSubscription = Effect.fnUntraced(function* (
  store: Store["Service"],
  merchantId: string,
  subscriptionId: string
) {
  const subscription = yield* store.load(Subscription, [subscriptionId])
  return subscription?.merchantId === merchantId ? subscription : undefined
})

/** Loads the occurrence with the highest number; undefined if there is none yet. */
export const lastOccurrence = (store: Store["Service"], subscriptionId: string) =>
  Effect.map(
    store.find(Occurrence, "key", { equals: [subscriptionId], limit: 1, descending: true }),
    ([last]): Occurrence | undefined => last
  )

/** Loads the dialect of the order that created the recurring payment, and the amount as text in its request. */
export const dialectOf = (store: Store["Service"], { orderId }: Subscription) =>
  Effect.map(store.load(Order, [orderId]), (order) => ({
    dialect: order?.dialect ?? null,
    amountText: order?.amountText ?? null
  }))
