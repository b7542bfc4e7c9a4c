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

const approved = ({ amountMinor, capturedMinor, currency, recurringId, released, returnedMinor }: Order): Words => {
  const back = Catalogue.price(returnedMinor, currency)
  const charged = Catalogue.price(capturedMinor, currency)
  if (returnedMinor > 0 && returnedMinor === capturedMinor) {
    return {
      sign: "good",
      label: "Refunded",
      title: "Your money is on its way back",
      says: `We have given back ${back}. Your bank shows it within a few days.`
    }
  }
  if (returnedMinor > 0) {
    return {
      sign: "good",
      label: "Partly refunded",
      title: `${back} is on its way back`,
      says: `We have given back ${back}. Your bank shows it within a few days.`
    }
  }
  if (capturedMinor === 0) {
    return released === 1
      ? {
          sign: "",
          label: "Released",
          title: "Your order was cancelled",
          says: "Nothing was charged. Your bank frees the amount within a few days."
        }
      : {
          sign: "good",
          label: "Reserved",
          title: "Thank you, your order is placed",
          says: "The amount is held on your card. We charge it on the day we ship."
        }
  }
  if (capturedMinor < amountMinor) {
    return {
      sign: "good",
      label: "Partly charged",
      title: `We have charged ${charged}`,
      says: released === 1 ? "The rest is no longer held on your card." : "The rest is still held on your card."
    }
  }
  return recurringId === null
    ? { sign: "good", label: "Paid", title: "Thank you, your order is paid", says: "We are packing it now." }
    : { sign: "good", label: "Paid", title: "Thank you, this month is paid", says: "Your subscription runs." }
}

/** How an order stands, in words for its customer. */
export const words = (order: Order): Words => {
  switch (order.status) {
    case "open":
      return {
        sign: "",
        label: "Under way",
        title: "We are confirming your payment",
        says: "This takes a moment. The page tells you by itself; you may also close it and come back later."
      }
    case "approved":
      return approved(order)
    case "declined":
      return { sign: "bad", label: "Declined", title: "Your bank declined the payment", says: sayAgain(order) }
    case "abandoned":
      return { sign: "bad", label: "Not paid", title: "The payment was not finished", says: sayAgain(order) }
    case "failed":
      return { sign: "bad", label: "Not paid", title: "The payment did not work", says: sayAgain(order) }
    case "unclear":
      return {
        sign: "",
        label: "Being checked",
        title: "We do not know yet whether you have paid",
        says: "Please do not pay again. We are asking your bank and show the answer here."
      }
  }
}

const sayAgain = ({ recurringId }: Order): string =>
  recurringId === null ? again : "Nothing was charged for this month. Your subscription tells how it goes on."

export const titleOf = ({ product }: Pick<Order, "product">): string => Catalogue.find(product)?.title ?? product

/** `Dec 21, 2026` */
export const dateOf = ({ createdAtMs }: Order): string =>
  new Intl.DateTimeFormat("en-US", { dateStyle: "medium", timeZone: "UTC" }).format(new Date(createdAtMs))

export const sign = (order: Order): Html => {
  const { label, sign } = words(order)
  return html`<span class="sign ${sign}">${label}</span>`
}

const sum = (label: string, value: string | Html): Html =>
  html`<div class="sum"><dt>${label}</dt><dd>${value}</dd></div>`

const sums = (order: Order): Html => {
  const { amountMinor, capturedMinor, currency, lastFour, returnedMinor } = order
  const isPart = capturedMinor > 0 && capturedMinor < amountMinor
  const price = html`<span class="price">${Catalogue.price(amountMinor, currency)}</span>`
  return html`<dl>${sum(titleOf(order), price)}${isPart && sum("Charged", Catalogue.price(capturedMinor, currency))}${returnedMinor > 0 && sum("Given back", Catalogue.price(returnedMinor, currency))}${lastFour !== null && sum("Card", `ends in ${lastFour}`)}${sum("Date", dateOf(order))}${sum("Order", nameOf(order))}</dl>`
}

/** What people call it by: the beginning of its name, or for a later charge of a subscription the whole. */
export const nameOf = ({ id }: Order): string => (id.includes(":") ? id : id.slice(0, 8))

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
  /** Whether its card may be kept. */
  readonly mayKeep: boolean
}

const further = ({ mayKeep, order: { id, product, recurringId, status }, token }: View): Html => {
  const isOver = status === "declined" || status === "abandoned" || status === "failed"
  return html`${isOver && recurringId === null && html`<a class="button wide" href="/buy/${product}">Try again</a>`}${mayKeep && html`<form method="post" action="/order/${id}/keep">${hidden({ token })}<button class="quiet wide">Keep this card for next time</button></form>`}${recurringId !== null && html`<a class="button wide" href="/subscription/${recurringId}">Your subscription</a>`}`
}

export const order = (view: View): Page => {
  const { order } = view
  const { errand, sent, status } = order
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
    main: html`<div class="state"><section class="card" role="status"${watch}>${status === "open" && html`<div class="turn"></div>`}${sign(order)}<h1>${leaves ? "On to your payment" : title}</h1><p class="says">${leaves ? "The payment page opens by itself. If it does not, or if you have closed it, go on here." : says}</p>${sums(order)}${leaves && html`<a class="button wide" href="${go(order)}">Continue to payment</a>`}${further(view)}</section>${method(order)}</div>`
  }
}

/** On to the customer's bank: a form that posts itself. */
export const bank = (url: string, fields: Readonly<Record<string, string>>): Page => ({
  title: "Your bank asks you to confirm",
  formAction: ["https:", origin(url)],
  main: html`<div class="state"><section class="card"><div class="turn"></div><h1>Your bank asks you to confirm</h1><p class="says">We are taking you there.</p><form method="post" action="${url}" data-go>${hidden(fields)}<button class="wide">Continue to your bank</button></form></section></div>`
})

/** Links to orders, with how each stands. */
export const rows = (orders: ReadonlyArray<Order>): Html =>
  html`<ul class="rows">${orders.map(
    (order) =>
      html`<li class="row"><a href="/order/${order.id}">${titleOf(order)}</a><span class="soft">${dateOf(order)}</span><span class="price">${Catalogue.price(order.amountMinor, order.currency)}</span>${sign(order)}</li>`
  )}</ul>`

export const list = (orders: ReadonlyArray<Order>, subscriptions: ReadonlyArray<Html>): Page => ({
  title: "Your orders",
  main: html`<h1>Your orders</h1>${orders.length === 0 && html`<p class="lead">There are none yet.</p><a class="button" href="/">To the shop</a>`}${subscriptions.length > 0 && html`<ul class="rows">${subscriptions}</ul>`}${rows(orders)}`
})
