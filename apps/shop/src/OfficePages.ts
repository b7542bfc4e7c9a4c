/** What the people of the shop see: every order, and what can be done with it. */
import * as Money from "@pay/schema/Money"
import type { Action } from "./Actions.ts"
import * as Catalogue from "./Catalogue.ts"
import { type Html, hidden, html } from "./Html.ts"
import type { Page } from "./Layout.ts"
import { left } from "./Office.ts"
import * as OrderPages from "./OrderPages.ts"
import type { Order } from "./Orders.ts"

export interface Row {
  readonly order: Order
  readonly actions: ReadonlyArray<Action>
  /** Of the actions that its forms would begin. */
  readonly names: { readonly capture: string; readonly refund: string }
}

const labels = { capture: "Charge", refund: "Refund" } as const
const ended = { open: "under way", done: "done", refused: "refused" } as const

const form = (kind: "capture" | "refund", { names, order }: Row, token: string): Html | false => {
  const leftMinor = left(order)[kind]
  const field = `${kind}-${order.id}`
  return (
    leftMinor > 0 &&
    html`<form method="post" action="/office/order/${order.id}">${hidden({ token, kind, action: names[kind] })}<div><label for="${field}">${labels[kind]} (${order.currency})</label><input id="${field}" name="amount" inputmode="decimal" value="${Money.fromMinor(leftMinor, order.currency)}"></div><button class="quiet">${labels[kind]}</button></form>`
  )
}

const told = ({ actions, order: { currency } }: Row): ReadonlyArray<Html> =>
  actions.map(
    ({ amountMinor, kind, reason, status }) =>
      html`<li class="soft">${labels[kind]} ${Catalogue.price(amountMinor, currency)}: ${ended[status]}${reason !== null && html` (${reason})`}</li>`
  )

const row = (row: Row, token: string): Html => {
  const { order } = row
  const { amountMinor, currency, id, reason } = order
  return html`<li><div class="row"><a href="/order/${id}">${OrderPages.titleOf(order)}</a><span class="soft">${id.slice(0, 8)}</span><span class="price">${Catalogue.price(amountMinor, currency)}</span>${OrderPages.sign(order)}</div>${reason !== null && html`<p class="soft">${reason}</p>`}<ul>${told(row)}</ul><div class="acts">${form("capture", row, token)}${form("refund", row, token)}</div></li>`
}

export const orders = (rows: ReadonlyArray<Row>, token: string): Page => {
  const open = rows.some(
    ({ actions, order }) => order.status === "open" || actions.some(({ status }) => status === "open")
  )
  return {
    title: "Back office",
    refreshSeconds: open ? 3 : undefined,
    main: html`<h1>Back office</h1><p class="lead" role="status"${open && html` data-watch="/office/state" data-state="${stateOf(rows)}"`}>The latest orders, the newest first. <a href="/office/payouts">To the suppliers</a>${open && " Something is under way; this page follows."}</p><ul class="rows">${rows.map((one) => row(one, token))}</ul>`
  }
}

/** Changes when there is something new to see. */
export const stateOf = (rows: ReadonlyArray<Pick<Row, "order" | "actions">>): string =>
  rows.map(({ actions, order }) => `${OrderPages.stateOf(order)}.${actions.map(({ status }) => status)}`).join(" ")
