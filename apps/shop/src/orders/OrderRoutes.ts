/** A customer's orders: only their own. */
import { WebCustomerBrowser } from "@pay/flows/WebCustomerBrowser"
import { Effect } from "effect"
import * as Cards from "../cards/Cards.ts"
import * as SubscriptionPages from "../subscriptions/SubscriptionPages.ts"
import * as Subscriptions from "../subscriptions/Subscriptions.ts"
import * as Page from "../web/Page.ts"
import * as Routes from "../web/Routes.ts"
import { missing } from "../web/Visitor.ts"
import * as OrderPages from "./OrderPages.ts"
import * as Orders from "./Orders.ts"

const ownOf = Effect.fnUntraced(function* ({ part, visitor }: Routes.PageRequest) {
  const order = yield* Orders.find(part("id"))
  return order?.owner === visitor.id ? order : yield* missing
})

export const layer = Routes.layer([
  Routes.get(
    "/orders",
    Effect.fnUntraced(function* ({ visitor }) {
      const subscriptions = yield* Subscriptions.of(visitor.id)
      return Page.render(OrderPages.list(yield* Orders.of(visitor.id), subscriptions.map(SubscriptionPages.row)))
    })
  ),

  Routes.get(
    "/order/:id",
    Effect.fnUntraced(function* (page) {
      const order = yield* ownOf(page)
      const cards = yield* Cards.of(order.owner)
      const isNew = !cards.some(({ lastFour }) => lastFour === order.lastFour)
      const mayKeep = isNew && order.status === "approved" && order.way !== "kept"
      return Page.render(OrderPages.page({ order, token: page.visitor.token, mayKeep }))
    })
  ),

  Routes.get(
    "/order/:id/go",
    Effect.fnUntraced(function* (page) {
      const { goUrl } = yield* WebCustomerBrowser
      return Page.render(OrderPages.go(goUrl((yield* ownOf(page)).id)))
    })
  ),

  Routes.post(
    "/order/:id/keep",
    Effect.fnUntraced(function* (page) {
      yield* page.visitor.form
      const order = yield* ownOf(page)
      yield* Cards.keep(order)
      return Routes.goTo(`/order/${order.id}`)
    })
  )
])
