/**
 * The recurring payment whose present occurrence an order charges, or which it began; undefined for other orders, a charge
 * out of turn among them, which moves no schedule.
 */
import { Effect } from "effect"
import * as BillingOutcome from "../domain/BillingOutcome.ts"
import type { Billed } from "../domain/BillingPlan.ts"
import { isCreation } from "../domain/Ending.ts"
import { Occurrence } from "../domain/entities/Occurrence.ts"
import type { Order } from "../domain/entities/Order.ts"
import type { OrderRequest } from "../domain/entities/OrderRequest.ts"
import { Subscription } from "../domain/entities/Subscription.ts"
import * as SubscriptionLife from "../domain/SubscriptionLife.ts"
import { Store } from "../ports/Store.ts"
import type { Load } from "./Continuations.ts"

export const billedOf = Effect.fnUntraced(function* (
  store: Store["Service"],
  { orderId, subscriptionId }: Order,
  request: OrderRequest
) {
  if (subscriptionId === null || !isCreation(request)) return undefined
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
    (order, request) =>
      Effect.map(billedOf(store, order, request), (billed) => billed && BillingOutcome.continuation(billed))
)
