/** The merchant's own recurring payment; another merchant's and an unknown one are the same: undefined. */
import { Effect } from "effect"
import type { Store } from "../kernel/Store.ts"
import { Subscription } from "./Subscription.ts"

export const ownSubscription = Effect.fnUntraced(function* (
  store: Store["Service"],
  merchantId: string,
  subscriptionId: string
) {
  const subscription = yield* store.load(Subscription, [subscriptionId])
  return subscription?.merchantId === merchantId ? subscription : undefined
})
