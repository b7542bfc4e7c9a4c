/** From the form to a payment under way: the order is recorded before anything is sent. */
import * as BrowserData from "@pay/flows/BrowserData"
import { WebCustomerBrowser } from "@pay/flows/WebCustomerBrowser"
import * as Money from "@pay/schema/Money"
import { Clock, Effect, Option, Result } from "effect"
import { HttpServerRequest } from "effect/http"
import * as Cards from "../cards/Cards.ts"
import * as Orders from "../orders/Orders.ts"
import * as Outcomes from "../orders/Outcomes.ts"
import { Settings } from "../Settings.ts"
import { Problem } from "../web/Page.ts"
import { type Form, isId, Visitor } from "../web/Visitor.ts"
import * as Catalogue from "./Catalogue.ts"
import * as CheckoutForm from "./CheckoutForm.ts"
import inputs from "./inputs.json" with { type: "json" }
import { ways } from "./Payments.ts"

/** Behind a proxy the address is the proxy's. Take the one that your proxy reports instead. */
const addressOf = ({ remoteAddress }: HttpServerRequest.HttpServerRequest): string =>
  Option.getOrElse(remoteAddress, () => "127.0.0.1").replace(/^::ffff:/, "")

/** Places the order, or returns what is wrong with the form. The same order placed twice is one order. */
export const place = Effect.fn("Checkout.place")(function* (product: Catalogue.Product, form: Form) {
  const { endpoints, login, publicUrl } = yield* Settings
  const { backUrl } = yield* WebCustomerBrowser
  const request = yield* HttpServerRequest.HttpServerRequest
  const { id: owner } = yield* Visitor
  const { order: id } = form
  if (!isId(id)) return yield* new Problem({ why: "incomplete" })
  const existingOrder = yield* Orders.find(id)
  if (existingOrder !== undefined) {
    return existingOrder.owner === owner ? {} : yield* new Problem({ why: "otherOrder" })
  }

  const { amountMinor, billing, currency } = product
  const way = form.way === "card" || form.way === "hosted" ? form.way : "kept"
  const card = (yield* Cards.of(owner)).find(({ ref }) => form.way === `kept:${ref}`)
  const payment = ways[billing][way]
  if (payment === undefined || (way === "kept" && card === undefined)) return { way: inputs.way.missing }

  const means = {
    hosted: () => ({}),
    card: () => ({ ...CheckoutForm.cardOf(form), ...BrowserData.requestFields(form, request.headers) }),
    kept: () => ({ cardRefId: card?.ref ?? "" })
  }
  const start = payment.read({
    login,
    endpointId: endpoints[way],
    clientOrderId: id,
    orderDesc: product.title,
    amount: Money.fromMinor(amountMinor, currency),
    currency,
    ipAddress: addressOf(request),
    redirectUrl: backUrl(id),
    serverCallbackUrl: `${publicUrl}/callback`,
    ...CheckoutForm.contactOf(form),
    ...means[way](),
    ...{ period: "monthly", interval: "1" }
  })
  const cardFlaws = way === "card" ? CheckoutForm.cardFlawsOf(form, yield* Clock.currentTimeMillis) : {}
  if (Result.isFailure(start)) return { ...CheckoutForm.flawsOf(start.failure), ...cardFlaws }
  if (Object.keys(cardFlaws).length > 0) return cardFlaws

  const isNew = yield* Orders.add(Orders.make({ id, owner, product: product.id, amountMinor, currency, way }))
  // If the same form arrives twice at once, the other request starts the payment.
  if (isNew) yield* start.success
  return {}
})

/** At a start of the shop, an order whose payment was not started has failed: nothing of it was sent. */
export const resume = Effect.gen(function* () {
  for (const { id, product, status, way } of yield* Orders.pending) {
    const payment = ways[Catalogue.find(product)?.billing ?? "sale"][way]
    if (status !== "open" || (payment !== undefined && (yield* payment.isStarted(id)))) continue
    const reason = "the shop was stopped before the payment started"
    yield* Orders.change(id, (order) => Outcomes.withStatus(order, "failed", undefined, reason))
  }
})
