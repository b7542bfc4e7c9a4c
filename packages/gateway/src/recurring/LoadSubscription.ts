/** Loads recurring payments and their occurrences, as the requests and orders that concern them need them. */
import { Effect } from "effect"
import { Store } from "../kernel/Store.ts"
import type { Load } from "../orders/Continuations.ts"
import { Order } from "../orders/Order.ts"
import * as BillingOutcome from "./BillingOutcome.ts"
import type { Billed } from "./BillingPlan.ts"
import { Occurrence, Subscription } from "./Subscription.ts"
import * as SubscriptionLife from "./SubscriptionLife.ts"

/**
 * The recurring payment whose present occurrence an order charges, or which it began; undefined for other orders, a charge
 * out of turn among them, which moves no schedule.
 */
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

/** The merchant's own recurring payment; another merchant's and an unknown one are the same: undefined. */
export const ownSubscription = Effect.fnUntraced(function* (
  store: Store["Service"],
  merchantId: string,
  subscriptionId: string
) {
  const subscription = yield* store.load(Subscription, [subscriptionId])
  return subscription?.merchantId === merchantId ? subscription : undefined
})

/** The occurrence of a recurring payment with the greatest number; undefined: it has none yet. */
export const lastOccurrence = (store: Store["Service"], subscriptionId: string) =>
  Effect.map(
    store.find(Occurrence, "key", { equals: [subscriptionId], limit: 1, descending: true }),
    ([last]): Occurrence | undefined => last
  )

/** The dialect of the order that began the recurring payment, and the amount as its merchant wrote it there. */
export const dialectOf = (store: Store["Service"], { orderId }: Subscription) =>
  Effect.map(store.load(Order, [orderId]), (order) => ({
    dialect: order?.dialect ?? null,
    amountText: order?.amountText ?? null
  }))
