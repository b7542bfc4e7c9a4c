/** What customers do: look, buy, go to their bank and come back, see how their order stands. */
import type { Errand } from "@pay/flows/Errand"
import * as Shopper from "@pay/flows/Shopper"
import { Effect, Option } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import * as Catalogue from "./Catalogue.ts"
import * as Checkout from "./Checkout.ts"
import * as KeptCards from "./KeptCards.ts"
import * as Layout from "./Layout.ts"
import * as OrderPages from "./OrderPages.ts"
import { Orders } from "./Orders.ts"
import * as Routes from "./Routes.ts"
import { script } from "./Script.ts"
import { Settings } from "./Settings.ts"
import * as ShopPages from "./ShopPages.ts"
import { style } from "./Style.ts"
import { fieldsOf, newId, Problem, type Visitor } from "./Visitor.ts"
import { Wallet } from "./Wallet.ts"

const missing = new Problem({ status: 404, says: "We could not find what you are looking for." })

const productOf = (id: string) => {
  const product = Catalogue.find(id)
  return product === undefined ? Effect.fail(missing) : Effect.succeed(product)
}

const orderOf = Effect.fnUntraced(function* (id: string) {
  const order = yield* Effect.flatMap(Orders, ({ find }) => find(id))
  return order === undefined ? yield* missing : order
})

/** For what only its buyer may do, by a form of the shop's own. */
const ownOrderOf = Effect.fnUntraced(function* (id: string, visitor: Visitor) {
  yield* visitor.form
  const order = yield* orderOf(id)
  return order.visitor === visitor.id ? order : yield* new Problem({ status: 403, says: "This is not your order." })
})

const goTo = (path: string) =>
  HttpServerResponse.redirect(path, { status: 303, headers: { "cache-control": "no-store" } })

const asset = (text: string, contentType: string) => () =>
  Effect.succeed(
    HttpServerResponse.text(text, {
      contentType,
      headers: { "cache-control": "max-age=300", "x-content-type-options": "nosniff" }
    })
  )

const buyer = ({ headers, remoteAddress }: HttpServerRequest.HttpServerRequest, visitor: string): Checkout.Buyer => ({
  visitor,
  ipAddress: Option.getOrElse(remoteAddress, () => "127.0.0.1").replace(/^::ffff:/, ""),
  accept: headers.accept ?? "*/*",
  userAgent: headers["user-agent"] ?? "unknown"
})

/** What the browser posts at the issuer: the way back is in the order's `redirect_url`. */
const posted = (errand: Exclude<Errand, { readonly _tag: "Redirect" | "Method" }>, back: string) =>
  errand._tag === "Challenge" ? { creq: errand.creq } : { PaReq: errand.pareq, MD: errand.md, TermUrl: back }

const cameBack: Routes.Handler = Effect.fnUntraced(function* ({ part, request }) {
  const { id } = yield* orderOf(part("id"))
  const brought = request.method === "POST" ? yield* fieldsOf(request) : {}
  // Whoever knows the address can post here: nothing of it is believed, the gateway is asked.
  yield* Shopper.cameBack(id, brought)
  if (brought.threeDSMethodData !== undefined) return Layout.blank
  const { cameBack } = yield* Orders
  yield* cameBack(id)
  return goTo(`/order/${id}`)
})

export const routes = Routes.layer({
  "GET /": () => Effect.succeed(Layout.render(ShopPages.catalogue)),
  "GET /shop.css": asset(style, "text/css; charset=utf-8"),
  "GET /shop.js": asset(script, "text/javascript; charset=utf-8"),

  "GET /buy/:product": Effect.fnUntraced(function* ({ part, visitor: { id, token } }) {
    const product = yield* productOf(part("product"))
    const cards = yield* Effect.flatMap(Wallet, ({ of }) => of(id))
    return Layout.render(ShopPages.checkout({ product, order: yield* newId, token, flaws: {}, typed: {}, cards }))
  }),
  "POST /buy/:product": Effect.fnUntraced(function* ({ part, request, visitor }) {
    const product = yield* productOf(part("product"))
    const typed = yield* visitor.form
    const flaws = yield* Checkout.place(product, typed, buyer(request, visitor.id))
    const { order = "" } = typed
    const cards = yield* Effect.flatMap(Wallet, ({ of }) => of(visitor.id))
    return Object.keys(flaws).length === 0
      ? goTo(`/order/${order}`)
      : Layout.render(ShopPages.checkout({ product, order, token: visitor.token, flaws, typed, cards }))
  }),

  "GET /orders": Effect.fnUntraced(function* ({ visitor }) {
    const { of } = yield* Orders
    return Layout.render(OrderPages.list(yield* of(visitor.id)))
  }),
  "GET /order/:id": Effect.fnUntraced(function* ({ part, visitor }) {
    const order = yield* orderOf(part("id"))
    const cards = yield* Effect.flatMap(Wallet, ({ of }) => of(visitor.id))
    const isMine = order.visitor === visitor.id && order.status === "approved"
    const mayKeep = isMine && order.way !== "kept" && !cards.some(({ lastFour }) => lastFour === order.lastFour)
    const mayCancel = isMine && order.recurringId !== null && order.cancelled === 0
    return Layout.render(OrderPages.order({ order, token: visitor.token, mayKeep, mayCancel }))
  }),
  "POST /order/:id/keep": Effect.fnUntraced(function* ({ part, visitor }) {
    const order = yield* ownOrderOf(part("id"), visitor)
    yield* KeptCards.keep(order)
    return goTo(`/order/${order.id}`)
  }),
  "POST /order/:id/cancel": Effect.fnUntraced(function* ({ part, visitor }) {
    const order = yield* ownOrderOf(part("id"), visitor)
    yield* KeptCards.cancel(order)
    return goTo(`/order/${order.id}`)
  }),
  "GET /order/:id/state": Effect.fnUntraced(function* ({ part }) {
    const state = OrderPages.stateOf(yield* orderOf(part("id")))
    return HttpServerResponse.text(state, { headers: { "cache-control": "no-store" } })
  }),
  "GET /order/:id/go": Effect.fnUntraced(function* ({ part }) {
    const { errand, id } = yield* orderOf(part("id"))
    if (errand === null || errand._tag === "Method") return goTo(`/order/${id}`)
    const { wasSent } = yield* Orders
    yield* wasSent(id)
    if (errand._tag === "Redirect") return goTo(errand.url)
    const { publicUrl } = yield* Settings
    return Layout.render(OrderPages.bank(errand.url, posted(errand, `${publicUrl}/order/${id}/back`)))
  }),
  "GET /order/:id/back": cameBack,
  "POST /order/:id/back": cameBack
})
