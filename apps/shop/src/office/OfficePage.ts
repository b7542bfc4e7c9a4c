/** The orders as the people of the shop see them: what is left of each, and what can be done with it. */
import * as Money from "@pay/schema/Money"
import { price, titleOf } from "../checkout/Catalogue.ts"
import * as OrderPages from "../orders/OrderPages.ts"
import type { Action, Order } from "../orders/Orders.ts"
import * as SubscriptionPages from "../subscriptions/SubscriptionPages.ts"
import type { Subscription } from "../subscriptions/Subscriptions.ts"
import { form, type Html, html, input } from "../web/Html.ts"
import type { Page } from "../web/Page.ts"
import { left } from "./Office.ts"

export interface Row {
  readonly order: Order
  readonly subscription: Subscription | undefined
  /** The names of the actions that the forms of the order would start. */
  readonly names: Readonly<Record<Action["kind"], string>>
}

const labels = { capture: "Charge", release: "Release", refund: "Refund" } as const
const statuses = { open: "under way", unclear: "not known yet", done: "done", refused: "refused" } as const

const actionForm = (kind: Action["kind"], { names, order }: Row, token: string): Html | false => {
  const { currency, id } = order
  const leftMinor = left(order)[kind]
  if (leftMinor <= 0) return false
  const value = Money.fromMinor(leftMinor, currency)
  const amount = input({ id: `${kind}-${id}`, name: "amount", label: `${labels[kind]} (${currency})`, value })
  const hidden = { token, kind, action: names[kind] }
  return kind === "release"
    ? form(`/office/order/${id}`, hidden, html`<button>Release ${price(leftMinor, currency)}</button>`)
    : form(`/office/order/${id}`, hidden, html`${amount}<button>${labels[kind]}</button>`)
}

const actionRow = ({ currency, id }: Order, token: string, { amountMinor, kind, name, reason, status }: Action): Html =>
  html`<li>
    ${labels[kind]} ${price(amountMinor, currency)}: ${statuses[status]}${reason !== undefined && ` (${reason})`}
    ${status === "unclear" && form(`/office/order/${id}`, { token, kind, action: name }, html`<button>Ask again</button>`)}
  </li>`

const orderRow = (row: Row, token: string): Html => {
  const { order, subscription } = row
  const { actions, amountMinor, capturedMinor, currency, id, reason, returnedMinor } = order
  const sum = (label: string, minor: number) => minor > 0 && html`<span>${label} ${price(minor, currency)}</span>`
  return html`<li>
    <div class="row">
      <span>${titleOf(order)}, ${id}</span>
      <span class="price">${price(amountMinor, currency)}</span> ${OrderPages.sign(order)}
    </div>
    <div class="row">${sum("Held", left(order).capture)} ${sum("Charged", capturedMinor)} ${sum("Refunded", returnedMinor)}</div>
    ${reason !== undefined && html`<p>${reason}</p>`}
    ${subscription !== undefined && html`<ul>${SubscriptionPages.row(subscription)}</ul>`}
    <ul>${actions.map((action) => actionRow(order, token, action))}</ul>
    ${actionForm("capture", row, token)} ${actionForm("release", row, token)} ${actionForm("refund", row, token)}
  </li>`
}

export const page = (rows: ReadonlyArray<Row>, token: string): Page => ({
  title: "Back office",
  refresh: rows.some(({ order }) => order.actions.some(({ status }) => status === "open")) ? "2" : undefined,
  main: html`<p><a href="/office/payouts">Suppliers</a></p>
    <ul class="rows">${rows.map((row) => orderRow(row, token))}</ul>`
})
