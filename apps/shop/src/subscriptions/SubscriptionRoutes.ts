/** A customer's subscription: only their own. */
import { Effect } from "effect"
import * as Cards from "../cards/Cards.ts"
import * as Orders from "../orders/Orders.ts"
import * as Page from "../web/Page.ts"
import * as Routes from "../web/Routes.ts"
import { missing, newId } from "../web/Visitor.ts"
import * as SubscriptionChange from "./SubscriptionChange.ts"
import * as SubscriptionPages from "./SubscriptionPages.ts"
import * as Subscriptions from "./Subscriptions.ts"

const ownOf = Effect.fnUntraced(function* ({ part, visitor }: Routes.PageRequest) {
  const subscription = yield* Subscriptions.find(part("id"))
  return subscription?.owner === visitor.id ? subscription : yield* missing
})

export const layer = Routes.layer([
  Routes.get(
    "/subscription/:id",
    Effect.fnUntraced(function* (request) {
      const subscription = yield* ownOf(request)
      const { id, token } = request.visitor
      const payments = (yield* Orders.of(id)).filter(({ recurringId }) => recurringId === subscription.id)
      const view = { subscription, payments, cards: yield* Cards.of(id), name: yield* newId, token }
      return Page.render(SubscriptionPages.page(view))
    })
  ),
  Routes.post(
    "/subscription/:id",
    Effect.fnUntraced(function* (request) {
      const form = yield* request.visitor.form
      const subscription = yield* ownOf(request)
      yield* SubscriptionChange.change(subscription, form)
      return Routes.goTo(`/subscription/${subscription.id}`)
    })
  )
])
