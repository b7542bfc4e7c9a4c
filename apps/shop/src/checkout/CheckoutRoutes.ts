/** The catalogue, and the checkout of one product. */
import { Effect, Option } from "effect"
import type { HttpServerRequest } from "effect/http"
import * as Cards from "../cards/Cards.ts"
import * as Page from "../web/Page.ts"
import * as Routes from "../web/Routes.ts"
import { missing, newId } from "../web/Visitor.ts"
import * as Catalogue from "./Catalogue.ts"
import * as Checkout from "./Checkout.ts"
import * as CheckoutPage from "./CheckoutPage.ts"

const productOf = (id: string) => {
  const product = Catalogue.find(id)
  return product === undefined ? Effect.fail(missing) : Effect.succeed(product)
}

/** Behind a proxy the address is the proxy's. Take the one that your proxy reports instead. */
const buyer = ({ headers, remoteAddress }: HttpServerRequest.HttpServerRequest, visitor: string): Checkout.Buyer => ({
  visitor,
  ipAddress: Option.getOrElse(remoteAddress, () => "127.0.0.1").replace(/^::ffff:/, ""),
  headers
})

export const layer = Routes.layer([
  Routes.get("/", () => Effect.succeed(Page.render(CheckoutPage.catalogue))),

  Routes.get(
    "/buy/:product",
    Effect.fnUntraced(function* ({ part, visitor: { id, token } }) {
      const product = yield* productOf(part("product"))
      const cards = yield* Cards.of(id)
      return Page.render(CheckoutPage.page({ product, order: yield* newId, token, flaws: {}, typed: {}, cards }))
    })
  ),

  Routes.post(
    "/buy/:product",
    Effect.fnUntraced(function* ({ part, request, visitor: { form, id, token } }) {
      const product = yield* productOf(part("product"))
      const typed = yield* form
      const flaws = yield* Checkout.place(product, typed, buyer(request, id))
      const { order = "" } = typed
      if (Object.keys(flaws).length === 0) return Routes.goTo(`/order/${order}/go`)
      return Page.render(CheckoutPage.page({ product, order, token, flaws, typed, cards: yield* Cards.of(id) }))
    })
  )
])
