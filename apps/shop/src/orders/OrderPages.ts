/** An order as its customer sees it: where the browser goes next, how the payment stands, and a list of all. */
import * as Catalogue from "../catalogue/Catalogue.ts"
import { type Html, hidden, html } from "../web/Html.ts"
import type { Page } from "../web/Layout.ts"
import type { Order } from "./Orders.ts"
import { words } from "./OrderWords.ts"

export const titleOf = ({ product }: Pick<Order, "product">): string => Catalogue.find(product)?.title ?? product

/** `Dec 21, 2026` */
export const dateOf = ({ createdAtMs }: Order): string =>
  new Intl.DateTimeFormat("en-US", { dateStyle: "medium", timeZone: "UTC" }).format(new Date(createdAtMs))

/** What people call it by: the beginning of its name, or for a later charge of a subscription the whole. */
export const nameOf = ({ id }: Order): string => (id.includes(":") ? id : id.slice(0, 8))

export const sign = (order: Order): Html => {
  const { label, sign } = words(order)
  return html`<span class="sign ${sign}">${label}</span>`
}

export const sum = (label: string, value: string | Html): Html =>
  html`<div class="sum"><dt>${label}</dt><dd>${value}</dd></div>`

const sums = (order: Order): Html => {
  const { amountMinor, capturedMinor, currency, lastFour, returnedMinor } = order
  const price = (minor: number) => Catalogue.price(minor, currency)
  return html`<dl>
    ${sum(titleOf(order), html`<span class="price">${price(amountMinor)}</span>`)}
    ${capturedMinor > 0 && capturedMinor < amountMinor && sum("Charged", price(capturedMinor))}
    ${returnedMinor > 0 && sum("Given back", price(returnedMinor))}
    ${lastFour !== null && sum("Card", `ends in ${lastFour}`)}
    ${sum("Date", dateOf(order))}
    ${sum("Order", nameOf(order))}
  </dl>`
}

/** Changes when there is something new to see. */
export const stateOf = ({ status, version }: Order): string => `${status}.${version}`

export const go = ({ id }: Order): string => `/order/${id}/go`

/** The hidden page with which an issuer looks at the browser. Without JavaScript it stays empty, which hurts nothing. */
const method = ({ errand: nextAction }: Order): Html | false =>
  nextAction?._tag === "Method" &&
  html`<form method="post" action="${nextAction.url}" target="issuer" data-go>
    ${hidden({ threeDSMethodData: nextAction.threeDSMethodData })}
  </form>
  <iframe class="unseen" name="issuer" title="Your bank" tabindex="-1" aria-hidden="true"></iframe>`

const origin = (url: string): string => URL.parse(url)?.origin ?? "'none'"

export interface View {
  readonly order: Order
  readonly token: string
  /** Whether its card may be kept. */
  readonly mayKeep: boolean
}

/** What its customer may do next. */
const further = ({ mayKeep, order: { id, product, recurringId, status }, token }: View): Html => {
  const isOver = status === "declined" || status === "abandoned" || status === "failed"
  const keep = html`<form method="post" action="/order/${id}/keep">
    ${hidden({ token })}<button class="quiet wide">Keep this card for next time</button>
  </form>`
  return recurringId === null
    ? html`${isOver && html`<a class="button wide" href="/buy/${product}">Try again</a>`}${mayKeep && keep}`
    : html`<a class="button wide" href="/subscription/${recurringId}">Your subscription</a>`
}

const away = {
  title: "On to your payment",
  says: "The payment page opens by itself. If it does not, or if you have closed it, go on here."
}

export const order = (view: View): Page => {
  const { order } = view
  const { errand: nextAction, id, sent, status } = order
  const isMoving = status === "open" || status === "unclear"
  const leaves = status === "open" && nextAction !== null && nextAction._tag !== "Method"
  const { says, title } = leaves ? away : words(order)
  const watch = isMoving && html` data-watch="/order/${id}/state" data-state="${stateOf(order)}"`
  const issuer = nextAction?._tag === "Method" ? [origin(nextAction.url)] : []
  return {
    title,
    next: leaves && sent === 0 ? go(order) : undefined,
    refreshSeconds: isMoving ? 3 : undefined,
    formAction: issuer,
    frame: issuer,
    main: html`<div class="state">
      <section class="card" role="status"${watch}>
        ${status === "open" && html`<div class="turn"></div>`}
        ${sign(order)}
        <h1>${title}</h1>
        <p class="says">${says}</p>
        ${sums(order)}
        ${leaves && html`<a class="button wide" href="${go(order)}">Continue to payment</a>`}
        ${further(view)}
      </section>
      ${method(order)}
    </div>`
  }
}

/** On to the customer's bank: a form that posts itself. */
export const bank = (url: string, fields: Readonly<Record<string, string>>): Page => ({
  title: "Your bank asks you to confirm",
  formAction: ["https:", origin(url)],
  main: html`<div class="state"><section class="card">
    <div class="turn"></div>
    <h1>Your bank asks you to confirm</h1>
    <p class="says">We are taking you there.</p>
    <form method="post" action="${url}" data-go>
      ${hidden(fields)}<button class="wide">Continue to your bank</button>
    </form>
  </section></div>`
})

/** What the bank asks of the browser: a form that fills and posts itself. */
export const browser = (url: string, fields: Readonly<Record<string, string>>): Page => ({
  title: "One moment",
  main: html`<div class="state"><section class="card">
    <div class="turn"></div>
    <h1>One moment</h1>
    <p class="says">We are preparing your payment.</p>
    <form method="post" action="${url}" data-go data-browser>
      ${hidden(fields)}<button class="wide">Continue</button>
    </form>
  </section></div>`
})

const row = (order: Order): Html =>
  html`<li class="row">
    <a href="/order/${order.id}">${titleOf(order)}</a>
    <span class="soft">${dateOf(order)}</span>
    <span class="price">${Catalogue.price(order.amountMinor, order.currency)}</span>
    ${sign(order)}
  </li>`

/** Links to orders, with how each stands. */
export const rows = (orders: ReadonlyArray<Order>): Html => html`<ul class="rows">${orders.map(row)}</ul>`

const none = html`<p class="lead">There are none yet.</p><a class="button" href="/">To the shop</a>`

export const list = (orders: ReadonlyArray<Order>, subscriptions: ReadonlyArray<Html>): Page => ({
  title: "Your orders",
  main: html`<h1>Your orders</h1>
    ${orders.length === 0 && none}
    ${subscriptions.length > 0 && html`<ul class="rows">${subscriptions}</ul>`}
    ${rows(orders)}`
})
