/** A customer's subscription: how it stands, what was charged, and what can be changed. */
import { Effect } from "effect"
import { Wallet } from "../cards/Wallet.ts"
import { Orders } from "../orders/Orders.ts"
import * as Layout from "../web/Layout.ts"
import * as Routes from "../web/Routes.ts"
import { missing, newId, type Visitor } from "../web/Visitor.ts"
import * as Subscribing from "./Subscribing.ts"
import * as SubscriptionPages from "./SubscriptionPages.ts"
import { Subscriptions } from "./Subscriptions.ts"

/** Its number is easy to guess: only its customer gets to see it. */
const ownOf = Effect.fnUntraced(function* (id: string, visitor: Visitor) {
  const subscription = yield* (yield* Subscriptions).find(id)
  return subscription?.visitor === visitor.id ? subscription : yield* missing
})

export const layer = Routes.layer([
  Routes.get(
    "/subscription/:id",
    Effect.fnUntraced(function* ({ part, visitor }) {
      const subscription = yield* ownOf(part("id"), visitor)
      return Layout.render(
        SubscriptionPages.page({
          subscription,
          payments: yield* (yield* Orders).ofSubscription(subscription.id),
          cards: yield* (yield* Wallet).of(visitor.id),
          name: yield* newId,
          token: visitor.token
        })
      )
    })
  ),
  Routes.get(
    "/subscription/:id/state",
    Effect.fnUntraced(function* ({ part, visitor }) {
      return Routes.state(SubscriptionPages.stateOf(yield* ownOf(part("id"), visitor)))
    })
  ),
  Routes.post(
    "/subscription/:id",
    Effect.fnUntraced(function* ({ part, visitor }) {
      const form = yield* visitor.form
      const subscription = yield* ownOf(part("id"), visitor)
      yield* Subscribing.change(subscription, form)
      return Routes.goTo(`/subscription/${subscription.id}`)
    })
  )
])
