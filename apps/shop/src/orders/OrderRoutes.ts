/** A customer's orders: on to the bank and back, how each stands, and keeping its card. */
import * as BrowserData from "@pay/flows/BrowserData"
import * as CustomerBrowser from "@pay/flows/CustomerBrowser"
import * as NextAction from "@pay/flows/NextAction"
import { Effect } from "effect"
import * as KeptCards from "../cards/KeptCards.ts"
import { Wallet } from "../cards/Wallet.ts"
import { Settings } from "../Settings.ts"
import * as SubscriptionPages from "../subscription/SubscriptionPages.ts"
import { Subscriptions } from "../subscription/Subscriptions.ts"
import * as Layout from "../web/Layout.ts"
import * as Routes from "../web/Routes.ts"
import { fieldsOf, missing, type Visitor } from "../web/Visitor.ts"
import * as OrderPages from "./OrderPages.ts"
import { Orders } from "./Orders.ts"

const orderOf = Effect.fnUntraced(function* (id: string) {
  const order = yield* (yield* Orders).find(id)
  return order === undefined ? yield* missing : order
})

const ownOf = Effect.fnUntraced(function* (id: string, visitor: Visitor) {
  const order = yield* orderOf(id)
  return order.visitor === visitor.id ? order : yield* missing
})

/**
 * The issuer posts here, so the shop's cookie does not come along, and whoever knows the address can do the same: nothing of
 * it is believed, the gateway is asked.
 */
const cameBack: Routes.Handler = Effect.fnUntraced(function* ({ part, request }) {
  const { id } = yield* orderOf(part("id"))
  const posted = request.method === "POST" ? yield* fieldsOf(request) : {}
  const browserFields = BrowserData.withHeaders(posted, request.headers)
  yield* CustomerBrowser.cameBack(id, browserFields)
  if (browserFields.threeDSMethodData !== undefined) return Layout.blank
  const { cameBack } = yield* Orders
  yield* cameBack(id)
  return Routes.goTo(`/order/${id}`)
})

export const layer = Routes.layer([
  Routes.get(
    "/orders",
    Effect.fnUntraced(function* ({ visitor }) {
      const subscriptions = yield* (yield* Subscriptions).of(visitor.id)
      return Layout.render(
        OrderPages.list(yield* (yield* Orders).of(visitor.id), subscriptions.map(SubscriptionPages.row))
      )
    })
  ),
  Routes.get(
    "/order/:id",
    Effect.fnUntraced(function* ({ part, visitor }) {
      const order = yield* ownOf(part("id"), visitor)
      const cards = yield* (yield* Wallet).of(visitor.id)
      const isNew = !cards.some(({ lastFour }) => lastFour === order.lastFour)
      const mayKeep = isNew && order.status === "approved" && order.way !== "kept"
      return Layout.render(OrderPages.order({ order, token: visitor.token, mayKeep }))
    })
  ),
  Routes.post(
    "/order/:id/keep",
    Effect.fnUntraced(function* ({ part, visitor }) {
      yield* visitor.form
      const order = yield* ownOf(part("id"), visitor)
      yield* KeptCards.keep(order)
      return Routes.goTo(`/order/${order.id}`)
    })
  ),
  Routes.get(
    "/order/:id/state",
    Effect.fnUntraced(function* ({ part, visitor }) {
      return Routes.state(OrderPages.stateOf(yield* ownOf(part("id"), visitor)))
    })
  ),
  Routes.get(
    "/order/:id/go",
    Effect.fnUntraced(function* ({ part, visitor }) {
      const { errand: nextAction, id } = yield* ownOf(part("id"), visitor)
      if (nextAction === null || nextAction._tag === "Method") return Routes.goTo(`/order/${id}`)
      const { wasSent } = yield* Orders
      yield* wasSent(id)
      if (nextAction._tag === "Redirect") return Routes.goTo(nextAction.url)
      const { publicUrl } = yield* Settings
      const backUrl = `${publicUrl}/order/${id}/back`
      const page = nextAction._tag === "BrowserData" ? OrderPages.browser : OrderPages.bank
      return Layout.render(page(NextAction.target(nextAction, backUrl), NextAction.form(nextAction, backUrl)))
    })
  ),
  Routes.get("/order/:id/back", cameBack),
  Routes.post("/order/:id/back", cameBack)
])
