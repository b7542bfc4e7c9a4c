/** An order as its customer sees it: where the browser goes next, how the payment stands, and a list of all. */
import * as Catalogue from "./Catalogue.ts"
import { type Html, hidden, html } from "./Html.ts"
import type { Page } from "./Layout.ts"
import type { Order } from "./Orders.ts"

interface Words {
  readonly sign: "" | "good" | "bad"
  readonly label: string
  readonly title: string
  readonly says: string
}

const again = "Nothing was charged. You can try again with this or another card."

/** How an order stands, in words for its customer. */
export const words = ({
  amountMinor,
  cancelled,
  capturedMinor,
  currency,
  recurringId,
  returnedMinor,
  status
}: Order): Words => {
  switch (status) {
    case "open":
      return {
        sign: "",
        label: "Under way",
        title: "We are confirming your payment",
        says: "This takes a moment. The page tells you by itself; you may also close it and come back later."
      }
    case "approved":
      if (returnedMinor > 0) {
        const back = Catalogue.price(returnedMinor, currency)
        const whole = returnedMinor >= amountMinor
        return {
          sign: "good",
          label: whole ? "Refunded" : "Partly refunded",
          title: whole ? "Your money is on its way back" : `${back} is on its way back`,
          says: `We have given back ${back}. Your bank shows it within a few days.`
        }
      }
      if (recurringId !== null) {
        return cancelled === 1
          ? { sign: "", label: "Cancelled", title: "Your subscription has ended", says: "No more is charged." }
          : {
              sign: "good",
              label: "Running",
              title: "Thank you, your subscription runs",
              says: "It is charged every month, until you cancel it here."
            }
      }
      return capturedMinor > 0
        ? { sign: "good", label: "Paid", title: "Thank you, your order is paid", says: "We are packing it now." }
        : {
            sign: "good",
            label: "Reserved",
            title: "Thank you, your order is placed",
            says: "The amount is held on your card. We charge it on the day we ship."
          }
    case "declined":
      return { sign: "bad", label: "Declined", title: "Your bank declined the payment", says: again }
    case "abandoned":
      return { sign: "bad", label: "Not paid", title: "The payment was not finished", says: again }
    case "failed":
      return { sign: "bad", label: "Not paid", title: "The payment did not work", says: again }
    case "unclear":
      return {
        sign: "",
        label: "Being checked",
        title: "We do not know yet whether you have paid",
        says: "Please do not pay again. We are asking your bank and show the answer here."
      }
  }
}

export const titleOf = ({ product }: Order): string => Catalogue.find(product)?.title ?? product

export const sign = (order: Order): Html => {
  const { label, sign } = words(order)
  return html`<span class="sign ${sign}">${label}</span>`
}

const sums = (order: Order): Html => {
  const { amountMinor, currency, id, lastFour } = order
  return html`<dl><div class="sum"><dt>${titleOf(order)}</dt><dd class="price">${Catalogue.price(amountMinor, currency)}</dd></div>${lastFour !== null && html`<div class="sum"><dt>Card</dt><dd>ends in ${lastFour}</dd></div>`}<div class="sum"><dt>Order</dt><dd>${id.slice(0, 8)}</dd></div></dl>`
}

/** Changes when there is something new to see. */
export const stateOf = ({ status, version }: Order): string => `${status}.${version}`

export const go = ({ id }: Order): string => `/order/${id}/go`

/** The hidden page with which an issuer looks at the browser. Without JavaScript it stays empty, which hurts nothing. */
const method = ({ errand }: Order): Html | false =>
  errand?._tag === "Method" &&
  html`<form method="post" action="${errand.url}" target="issuer" data-go>${hidden({ threeDSMethodData: errand.threeDSMethodData })}</form><iframe class="unseen" name="issuer" title="Your bank" tabindex="-1" aria-hidden="true"></iframe>`

const origin = (url: string): string => URL.parse(url)?.origin ?? "'none'"

export interface View {
  readonly order: Order
  readonly token: string
  /** Whether the one who looks has bought it, and not yet kept the card. */
  readonly mayKeep: boolean
  readonly mayCancel: boolean
}

const acts = ({ mayCancel, mayKeep, order: { id }, token }: View): Html =>
  html`${mayKeep && html`<form method="post" action="/order/${id}/keep">${hidden({ token })}<button class="quiet wide">Keep this card for next time</button></form>`}${mayCancel && html`<form method="post" action="/order/${id}/cancel">${hidden({ token })}<button class="quiet wide">Cancel the subscription</button></form>`}`

export const order = (view: View): Page => {
  const { order } = view
  const { errand, product, sent, status } = order
  const { says, title } = words(order)
  const moving = status === "open" || status === "unclear"
  const leaves = status === "open" && errand !== null && errand._tag !== "Method"
  const watch = moving && html` data-watch="/order/${order.id}/state" data-state="${stateOf(order)}"`
  const issuer = errand?._tag === "Method" ? [origin(errand.url)] : []
  return {
    title,
    next: leaves && sent === 0 ? go(order) : undefined,
    refreshSeconds: moving ? 3 : undefined,
    formAction: issuer,
    frame: issuer,
    main: html`<div class="state"><section class="card" role="status"${watch}>${status === "open" && html`<div class="turn"></div>`}${sign(order)}<h1>${leaves ? "On to your payment" : title}</h1><p class="says">${leaves ? "The payment page opens by itself. If it does not, or if you have closed it, go on here." : says}</p>${sums(order)}${leaves && html`<a class="button wide" href="${go(order)}">Continue to payment</a>`}${(status === "declined" || status === "abandoned" || status === "failed") && html`<a class="button wide" href="/buy/${product}">Try again</a>`}${acts(view)}</section>${method(order)}</div>`
  }
}

/** On to the customer's bank: a form that posts itself. */
export const bank = (url: string, fields: Readonly<Record<string, string>>): Page => ({
  title: "Your bank asks you to confirm",
  formAction: ["https:", origin(url)],
  main: html`<div class="state"><section class="card"><div class="turn"></div><h1>Your bank asks you to confirm</h1><p class="says">We are taking you there.</p><form method="post" action="${url}" data-go>${hidden(fields)}<button class="wide">Continue to your bank</button></form></section></div>`
})

export const list = (orders: ReadonlyArray<Order>): Page => ({
  title: "Your orders",
  main: html`<h1>Your orders</h1>${orders.length === 0 && html`<p class="lead">There are none yet.</p><a class="button" href="/">To the shop</a>`}<ul class="rows">${orders.map(
    (order) =>
      html`<li class="row"><a href="/order/${order.id}">${titleOf(order)}</a><span class="price">${Catalogue.price(order.amountMinor, order.currency)}</span>${sign(order)}</li>`
  )}</ul>`
})
