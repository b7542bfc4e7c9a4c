/** What the people of the shop see: every order, what is left of it, and what can be done with that. */
import * as Money from "@pay/schema/Money"
import type { Action } from "./Actions.ts"
import * as Catalogue from "./Catalogue.ts"
import { type Html, hidden, html } from "./Html.ts"
import type { Page } from "./Layout.ts"
import { left } from "./Office.ts"
import * as OrderPages from "./OrderPages.ts"
import type { Order } from "./Orders.ts"
import * as SubscriptionPages from "./SubscriptionPages.ts"
import type { Subscription } from "./Subscriptions.ts"

export interface Row {
  readonly order: Order
  readonly actions: ReadonlyArray<Action>
  /** That began with this order. */
  readonly subscription: Subscription | undefined
  /** Of the actions that its forms would begin. */
  readonly names: Readonly<Record<Action["kind"], string>>
}

const labels = { capture: "Charge", release: "Release", refund: "Refund" } as const
const ended = { open: "under way", done: "done", refused: "refused" } as const

const form = (kind: Action["kind"], leftMinor: number, { names, order }: Row, token: string): Html | false => {
  const { currency, id } = order
  const field = `${kind}-${id}`
  const amount =
    kind !== "release" &&
    html`<div><label for="${field}">${labels[kind]} (${currency})</label><input id="${field}" name="amount" inputmode="decimal" value="${Money.fromMinor(leftMinor, currency)}"></div>`
  const says = kind === "release" ? `Release ${Catalogue.price(leftMinor, currency)}` : labels[kind]
  return (
    leftMinor > 0 &&
    html`<form class="line" method="post" action="/office/order/${id}">${hidden({ token, kind, action: names[kind] })}${amount}<button class="quiet">${says}</button></form>`
  )
}

const told = ({ actions, order: { currency } }: Row): ReadonlyArray<Html> =>
  actions.map(
    ({ amountMinor, kind, reason, status }) =>
      html`<li class="soft">${labels[kind]} ${Catalogue.price(amountMinor, currency)}: ${ended[status]}${reason !== null && html` (${reason})`}</li>`
  )

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
  return html`<li><div class="row"><span>${OrderPages.titleOf(order)}</span><span class="soft">${OrderPages.nameOf(order)}, ${OrderPages.dateOf(order)}</span><span class="price">${Catalogue.price(amountMinor, currency)}</span>${OrderPages.sign(order)}</div>${reason !== null && html`<p class="soft">${reason}</p>`}<p class="soft">${amounts(row)}</p>${subscription !== undefined && SubscriptionPages.note(subscription)}<ul>${told(row)}</ul><div class="acts">${form("capture", capture, row, token)}${form("release", release, row, token)}${form("refund", refund, row, token)}</div></li>`
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
