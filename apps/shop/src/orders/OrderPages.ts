/** An order as its customer sees it, and the list of all. */
import { price, titleOf } from "../checkout/Catalogue.ts"
import { form, type Html, html } from "../web/Html.ts"
import type { Page } from "../web/Page.ts"
import type { Order } from "./Orders.ts"

type Words = readonly [label: string, title: string]

const approved = ({ amountMinor, capturedMinor, currency, recurringId, released, returnedMinor }: Order): Words => {
  if (returnedMinor > 0 && returnedMinor === capturedMinor) return ["Refunded", "Your money is on its way back"]
  if (returnedMinor > 0) return ["Partly refunded", `${price(returnedMinor, currency)} is on its way back`]
  if (capturedMinor === 0 && released) return ["Released", "Your order was cancelled"]
  if (capturedMinor === 0) return ["Reserved", "Thank you, your order is placed"]
  if (capturedMinor < amountMinor) return ["Partly charged", `We have charged ${price(capturedMinor, currency)}`]
  return ["Paid", recurringId === undefined ? "Thank you, your order is paid" : "Thank you, this month is paid"]
}

const words = (order: Order): Words => {
  if (order.status === "approved") return approved(order)
  const others = {
    open: ["Under way", "We are confirming your payment"],
    declined: ["Declined", "Your bank declined the payment"],
    abandoned: ["Not paid", "The payment was not finished"],
    failed: ["Not paid", "The payment did not work"],
    unclear: ["Being checked", "We do not know yet whether you have paid. Please do not pay again"]
  } as const
  return others[order.status]
}

export const sign = (order: Order): Html => html`<span class="sign">${words(order)[0]}</span>`

export interface View {
  readonly order: Order
  readonly token: string
  /** Whether the customer can have the card stored. */
  readonly mayKeep: boolean
}

/** What the customer can do next. */
const next = ({ mayKeep, order: { id, product, recurringId, status }, token }: View): Html | false => {
  if (status === "open") return html`<a href="/order/${id}/go">Continue to payment</a>`
  if (recurringId !== undefined) return html`<a href="/subscription/${recurringId}">Your subscription</a>`
  if (mayKeep) return form(`/order/${id}/keep`, { token }, html`<button>Keep this card for next time</button>`)
  return status !== "approved" && status !== "unclear" && html`<a href="/buy/${product}">Try again</a>`
}

export const page = (view: View): Page => {
  const { amountMinor, currency, id, lastFour, status } = view.order
  const card = lastFour === undefined ? "" : `, card ending in ${lastFour}`
  return {
    title: words(view.order)[1],
    refresh: status === "open" || status === "unclear" ? "3" : undefined,
    main: html`
      <p>${sign(view.order)} ${titleOf(view.order)}, <span class="price">${price(amountMinor, currency)}</span>${card}</p>
      <p>Order ${id}</p>
      ${next(view)}`
  }
}

/** Sends the browser on: `goUrl` is the toolkit's address, at which it waits and is sent to the gateway or the issuer. */
export const go = (goUrl: string): Page => ({
  title: "On to your payment",
  refresh: `0; url=${goUrl}`,
  main: html`<a href="${goUrl}">Continue to payment</a>`
})

const row = (order: Order): Html =>
  html`<li class="row">
    <a href="/order/${order.id}">${titleOf(order)}</a>
    <span class="price">${price(order.amountMinor, order.currency)}</span> ${sign(order)}
  </li>`

export const rows = (orders: ReadonlyArray<Order>): Html => html`<ul class="rows">${orders.map(row)}</ul>`

export const list = (orders: ReadonlyArray<Order>, subscriptions: ReadonlyArray<Html>): Page => ({
  title: "Your orders",
  main: html`<ul class="rows">${subscriptions}</ul>${rows(orders)}`
})
