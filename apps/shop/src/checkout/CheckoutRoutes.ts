/** Looking around, and buying. */
import { Effect, Option } from "effect"
import type { HttpServerRequest } from "effect/http"
import { Wallet } from "../cards/Wallet.ts"
import * as Catalogue from "../catalogue/Catalogue.ts"
import * as ShopPages from "../catalogue/ShopPages.ts"
import * as Layout from "../web/Layout.ts"
import * as Routes from "../web/Routes.ts"
import { missing, newId } from "../web/Visitor.ts"
import * as Checkout from "./Checkout.ts"
import type { Buyer } from "./CheckoutForm.ts"
import * as CheckoutPage from "./CheckoutPage.ts"

const productOf = (id: string) => {
  const product = Catalogue.find(id)
  return product === undefined ? Effect.fail(missing) : Effect.succeed(product)
}

/** Behind a proxy the address is the proxy's: take what it says of the customer's, if the proxy is your own. */
const buyer = ({ headers, remoteAddress }: HttpServerRequest.HttpServerRequest, visitor: string): Buyer => ({
  visitor,
  ipAddress: Option.getOrElse(remoteAddress, () => "127.0.0.1").replace(/^::ffff:/, ""),
  accept: headers.accept ?? "*/*",
  userAgent: headers["user-agent"] ?? "unknown"
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
  )
])
