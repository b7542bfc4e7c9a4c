/** What the people of the shop see: every order, what is left of it, and what can be done with that. */
import * as Money from "@pay/schema/Money"
import * as Catalogue from "../catalogue/Catalogue.ts"
import * as OrderPages from "../orders/OrderPages.ts"
import type { Order } from "../orders/Orders.ts"
import * as SubscriptionPages from "../subscription/SubscriptionPages.ts"
import type { Subscription } from "../subscription/Subscriptions.ts"
import { type Html, hidden, html } from "../web/Html.ts"
import type { Page } from "../web/Layout.ts"
import type { Action } from "./Actions.ts"
import { left } from "./Office.ts"

export interface Row {
  readonly order: Order
  readonly actions: ReadonlyArray<Action>
  /** That began with this order. */
  readonly subscription: Subscription | undefined
  /** The identifiers of the actions that the order's forms would begin. */
  readonly names: Readonly<Record<Action["kind"], string>>
}

const labels = { capture: "Charge", release: "Release", refund: "Refund" } as const
const ended = { open: "under way", unclear: "not known yet", done: "done", refused: "refused" } as const

const form = (kind: Action["kind"], leftMinor: number, { names, order }: Row, token: string): Html | false => {
  if (leftMinor <= 0) return false
  const { currency, id } = order
  const field = `${kind}-${id}`
  const amount = html`<div>
    <label for="${field}">${labels[kind]} (${currency})</label>
    <input id="${field}" name="amount" inputmode="decimal" value="${Money.fromMinor(leftMinor, currency)}">
  </div>`
  const isWhole = kind === "release"
  return html`<form class="line" method="post" action="/office/order/${id}">
    ${hidden({ token, kind, action: names[kind] })}
    ${!isWhole && amount}
    <button class="quiet">${labels[kind]}${isWhole && ` ${Catalogue.price(leftMinor, currency)}`}</button>
  </form>`
}

const askAgain = ({ kind, name, orderId }: Action, token: string): Html =>
  html`<form method="post" action="/office/order/${orderId}">
    ${hidden({ token, kind, action: name })}<button class="quiet">Ask again</button>
  </form>`

const actionRow = ({ actions, order: { currency } }: Row, token: string): Html | false => {
  const line = (action: Action) => {
    const { amountMinor, kind, reason, status } = action
    const why = reason === null ? "" : ` (${reason})`
    return html`<li>
      ${labels[kind]} ${Catalogue.price(amountMinor, currency)}: ${ended[status]}${why}
      ${status === "unclear" && askAgain(action, token)}
    </li>`
  }
  return actions.length > 0 && html`<ul class="told soft">${actions.map(line)}</ul>`
}

/** `Held $120.00 · Charged $200.00 · Given back $50.00`: what is not nothing. */
const amounts = ({ actions, order }: Row): string => {
  const { capturedMinor, currency, returnedMinor } = order
  const parts = { Held: left(order, actions).capture, Charged: capturedMinor, "Given back": returnedMinor }
  return Object.entries(parts)
    .filter(([, minor]) => minor > 0)
    .map(([label, minor]) => `${label} ${Catalogue.price(minor, currency)}`)
    .join(" · ")
}

const row = (row: Row, token: string): Html => {
  const { actions, order, subscription } = row
  const { amountMinor, currency, reason } = order
  const { capture, refund, release } = left(order, actions)
  const money = amounts(row)
  return html`<li>
    <div class="row">
      <span>${OrderPages.titleOf(order)}</span>
      <span class="soft">${OrderPages.nameOf(order)}, ${OrderPages.dateOf(order)}</span>
      <span class="price">${Catalogue.price(amountMinor, currency)}</span>
      ${OrderPages.sign(order)}
    </div>
    ${reason !== null && html`<p class="soft">${reason}</p>`}
    ${money !== "" && html`<p class="soft">${money}</p>`}
    ${subscription !== undefined && SubscriptionPages.note(subscription)}
    ${actionRow(row, token)}
    ${
      capture + release + refund > 0 &&
      html`<div class="acts">
      ${form("capture", capture, row, token)}
      ${form("release", release, row, token)}
      ${form("refund", refund, row, token)}
    </div>`
    }
  </li>`
}

export const orders = (rows: ReadonlyArray<Row>, token: string): Page => {
  const isMoving = rows.some(
    ({ actions, order }) => order.status === "open" || actions.some(({ status }) => status === "open")
  )
  const watch = isMoving && html` data-watch="/office/state" data-state="${stateOf(rows)}"`
  return {
    title: "Back office",
    refreshSeconds: isMoving ? 3 : undefined,
    main: html`<h1>Back office</h1>
      <p class="lead" role="status"${watch}>
        The latest orders, the newest first. <a href="/office/payouts">To the suppliers</a>
        ${isMoving && "Something is under way; this page follows."}
      </p>
      <ul class="rows">${rows.map((one) => row(one, token))}</ul>`
  }
}

/** Changes when there is something new to see. */
export const stateOf = (rows: ReadonlyArray<Pick<Row, "order" | "actions">>): string =>
  rows.map(({ actions, order }) => `${OrderPages.stateOf(order)}.${actions.map(({ status }) => status)}`).join(" ")
