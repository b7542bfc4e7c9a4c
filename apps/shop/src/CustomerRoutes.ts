/** What customers do: look, buy, go to their bank and come back, see how their order stands. */
import * as Errand from "@pay/flows/Errand"
import * as Shopper from "@pay/flows/Shopper"
import { Effect, Option } from "effect"
import type { HttpServerRequest } from "effect/http"
import * as Catalogue from "./Catalogue.ts"
import * as Checkout from "./Checkout.ts"
import type { Buyer } from "./CheckoutForm.ts"
import * as CheckoutPage from "./CheckoutPage.ts"
import * as KeptCards from "./KeptCards.ts"
import * as Layout from "./Layout.ts"
import * as OrderPages from "./OrderPages.ts"
import { Orders } from "./Orders.ts"
import * as Routes from "./Routes.ts"
import { Settings } from "./Settings.ts"
import * as ShopPages from "./ShopPages.ts"
import * as SubscriptionPages from "./SubscriptionPages.ts"
import { Subscriptions } from "./Subscriptions.ts"
import { fieldsOf, missing, newId, type Visitor } from "./Visitor.ts"
import { Wallet } from "./Wallet.ts"

const productOf = (id: string) => {
  const product = Catalogue.find(id)
  return product === undefined ? Effect.fail(missing) : Effect.succeed(product)
}

const orderOf = Effect.fnUntraced(function* (id: string) {
  const order = yield* (yield* Orders).find(id)
  return order === undefined ? yield* missing : order
})

const ownOf = Effect.fnUntraced(function* (id: string, visitor: Visitor) {
  const order = yield* orderOf(id)
  return order.visitor === visitor.id ? order : yield* missing
})

/** Behind a proxy the address is the proxy's: take what it says of the customer's, if the proxy is your own. */
const buyer = ({ headers, remoteAddress }: HttpServerRequest.HttpServerRequest, visitor: string): Buyer => ({
  visitor,
  ipAddress: Option.getOrElse(remoteAddress, () => "127.0.0.1").replace(/^::ffff:/, ""),
  accept: headers.accept ?? "*/*",
  userAgent: headers["user-agent"] ?? "unknown"
})

/**
 * The issuer posts here, so the shop's cookie does not come along, and whoever knows the address can do the same: nothing of
 * it is believed, the gateway is asked.
 */
const cameBack: Routes.Handler = Effect.fnUntraced(function* ({ part, request }) {
  const { id } = yield* orderOf(part("id"))
  const brought = request.method === "POST" ? yield* fieldsOf(request) : {}
  yield* Shopper.cameBack(id, brought)
  if (brought.threeDSMethodData !== undefined) return Layout.blank
  const { cameBack } = yield* Orders
  yield* cameBack(id)
  return Routes.goTo(`/order/${id}`)
})

export const layer = Routes.layer([
  Routes.get("/", () => Effect.succeed(Layout.render(ShopPages.catalogue))),

  Routes.get(
    "/buy/:product",
    Effect.fnUntraced(function* ({ part, visitor: { id, token } }) {
      const product = yield* productOf(part("product"))
      const cards = yield* (yield* Wallet).of(id)
      return Layout.render(CheckoutPage.page({ product, order: yield* newId, token, flaws: {}, typed: {}, cards }))
    })
  ),
  Routes.post(
    "/buy/:product",
    Effect.fnUntraced(function* ({ part, request, visitor }) {
      const product = yield* productOf(part("product"))
      const typed = yield* visitor.form
      const flaws = yield* Checkout.place(product, typed, buyer(request, visitor.id))
      const { order = "" } = typed
      const cards = yield* (yield* Wallet).of(visitor.id)
      return Object.keys(flaws).length === 0
        ? Routes.goTo(`/order/${order}`)
        : Layout.render(CheckoutPage.page({ product, order, token: visitor.token, flaws, typed, cards }))
    })
  ),

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
      const { errand, id } = yield* ownOf(part("id"), visitor)
      if (errand === null || errand._tag === "Method") return Routes.goTo(`/order/${id}`)
      const { wasSent } = yield* Orders
      yield* wasSent(id)
      if (errand._tag === "Redirect") return Routes.goTo(errand.url)
      const { publicUrl } = yield* Settings
      return Layout.render(OrderPages.bank(errand.url, Errand.form(errand, `${publicUrl}/order/${id}/back`)))
    })
  ),
  Routes.get("/order/:id/back", cameBack),
  Routes.post("/order/:id/back", cameBack)
])
