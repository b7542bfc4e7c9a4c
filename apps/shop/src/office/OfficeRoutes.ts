/** The back office for orders. */
import { Effect } from "effect"
import * as Orders from "../orders/Orders.ts"
import * as Subscriptions from "../subscriptions/Subscriptions.ts"
import * as Page from "../web/Page.ts"
import * as Routes from "../web/Routes.ts"
import { newId } from "../web/Visitor.ts"
import * as Office from "./Office.ts"
import * as OfficePage from "./OfficePage.ts"
import { protect } from "./Password.ts"

const row = Effect.fnUntraced(function* (order: Orders.Order) {
  const names = { capture: yield* newId, release: yield* newId, refund: yield* newId }
  return { order, names, subscription: yield* Subscriptions.find(order.recurringId ?? "") }
})

const routes = [
  Routes.get(
    "/office",
    Effect.fnUntraced(function* ({ visitor }) {
      const rows = yield* Effect.forEach(yield* Orders.latest, row)
      return Page.render(OfficePage.page(rows, visitor.token))
    })
  ),
  Routes.post(
    "/office/order/:id",
    Effect.fnUntraced(function* ({ part, visitor }) {
      yield* Office.act(part("id"), yield* visitor.form)
      return Routes.goTo("/office")
    })
  )
]

export const layer = Routes.layer(routes.map(protect))
