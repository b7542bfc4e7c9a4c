/** The pages of a customer's own orders. */
import { WebCustomerBrowser } from "@pay/flows/WebCustomerBrowser"
import { Effect } from "effect"
import * as Cards from "../cards/Cards.ts"
import { price, titleOf } from "../checkout/Catalogue.ts"
import { form, html, type ShopPage } from "../web/Page.ts"
import * as Routes from "../web/Routes.ts"
import * as Orders from "./Orders.ts"
import texts from "./texts.json" with { type: "json" }

/** Returns the name of the text in `texts.json` that describes the state of the order. */
const stateOf = (order: Orders.Order): keyof typeof texts => {
  const { amountMinor, capturedMinor, recurringId, released, returnedMinor, status } = order
  if (status !== "approved") return status
  if (returnedMinor > 0) return returnedMinor === capturedMinor ? "refunded" : "partlyRefunded"
  if (capturedMinor === 0) return released ? "released" : "reserved"
  if (capturedMinor < amountMinor) return "partlyCharged"
  return recurringId === undefined ? "paid" : "monthPaid"
}

/** The order's title, as a link to a page of the order, and its status. */
export const summary = (order: Orders.Order, path = `/order/${order.id}`) =>
  html`<a href="${path}">${titleOf(order)}</a> <span class="sign">${texts[stateOf(order)].sign}</span>`

const dates = new Intl.DateTimeFormat("en-US", { dateStyle: "long", timeZone: "UTC" })

/** What a customer needs to ask about the payment: the day, the reference and the card. */
const receipt = ({ amountMinor, currency, id, lastFour, placedAtMs }: Orders.Order) =>
  html`<dl><dt>Amount</dt><dd>${price(amountMinor, currency)}</dd>
    <dt>Date</dt><dd>${dates.format(placedAtMs)}</dd>
    <dt>Reference</dt><dd>${id}</dd>
    ${lastFour !== undefined && html`<dt>Card</dt><dd>ending in ${lastFour}</dd>`}</dl>`

export const list = (orders: ReadonlyArray<Orders.Order>) =>
  html`<ul class="rows">${orders.map(
    (order) => html`<li>${summary(order)} <p>${price(order.amountMinor, order.currency)}</p></li>`
  )}</ul>`

/** The order's page, with the actions that the customer can take. `canStore`: whether the card can be stored. */
const page = (order: Orders.Order, canStore: boolean): ShopPage => {
  const { capturedMinor, currency, id, product, recurringId, returnedMinor, status } = order
  const { sign, title } = texts[stateOf(order)]
  const charged = price(capturedMinor, currency)
  const refunded = price(returnedMinor, currency)
  const isOver = status !== "open" && status !== "unclear" && status !== "approved"
  return {
    title: title.replace("{charged}", () => charged).replace("{refunded}", () => refunded),
    refresh: status === "open" || status === "unclear" ? "3" : undefined,
    main: html`
      ${status === "open" && html`<p><a href="/order/${id}/go">Continue to payment</a></p>`}
      ${recurringId !== undefined && html`<p><a href="/subscription/${recurringId}">Your subscription</a></p>`}
      ${isOver && recurringId === undefined && html`<p><a href="/buy/${product}">Try again</a></p>`}
      <span class="sign">${sign}</span>
      <p>${titleOf(order)}</p>
      ${receipt(order)}
      ${canStore && form({ action: `/order/${id}/keep`, button: "Keep this card for next time" })}`
  }
}

const ownOrder = Routes.ownRecordOfPath(Orders.find)

export const layer = Routes.layer({
  "GET /orders": Effect.gen(function* () {
    const orders = yield* Orders.ofOwner((yield* Routes.Visitor).id)
    return { title: "Your orders", main: list(orders) }
  }),

  "GET /order/:id": Effect.gen(function* () {
    const order = yield* ownOrder
    return page(order, yield* Cards.canStore(order))
  }),

  /** The browser waits at the toolkit's `goUrl`, which redirects it to the gateway or the issuer. */
  "GET /order/:id/go": Effect.gen(function* () {
    const { goUrl } = yield* WebCustomerBrowser
    const url = goUrl((yield* ownOrder).id)
    const main = html`<p><a href="${url}">Continue to payment</a></p>`
    return { title: "On to your payment", refresh: `0; url=${url}`, main }
  }),

  "POST /order/:id/keep": Effect.gen(function* () {
    yield* Routes.formValues
    const order = yield* ownOrder
    yield* Cards.store(order)
    return `/order/${order.id}` as const
  })
})
