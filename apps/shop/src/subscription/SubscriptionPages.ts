/** A subscription as its customer sees it. */

import type { Kept } from "../cards/Wallet.ts"
import * as Catalogue from "../catalogue/Catalogue.ts"
import * as OrderPages from "../orders/OrderPages.ts"
import type { Order } from "../orders/Orders.ts"
import { type Html, hidden, html } from "../web/Html.ts"
import type { Page } from "../web/Layout.ts"
import * as Subscribing from "./Subscribing.ts"
import type { State, Subscription } from "./Subscriptions.ts"

interface Words {
  readonly sign: "" | "good" | "bad"
  readonly label: string
  readonly title: string
  readonly says: string
}

const words: Readonly<Record<State, Words>> = {
  active: {
    sign: "good",
    label: "Running",
    title: "Your subscription runs",
    says: "It is charged every month, until you cancel it here."
  },
  paused: {
    sign: "",
    label: "Paused",
    title: "Your subscription is paused",
    says: "Nothing is charged until you go on with it."
  },
  suspended: {
    sign: "bad",
    label: "Stopped",
    title: "Your card could not be charged",
    says: "Nothing more is charged. Choose another card to go on."
  },
  finished: { sign: "", label: "Over", title: "Your subscription is over", says: "No more is charged." },
  cancelled: { sign: "", label: "Cancelled", title: "Your subscription has ended", says: "No more is charged." }
}

/** `December 21, 2026` */
const dayOf = (day: string): string =>
  new Intl.DateTimeFormat("en-US", { dateStyle: "long", timeZone: "UTC" }).format(new Date(`${day}T00:00:00Z`))

const sign = ({ state }: Subscription): Html =>
  html`<span class="sign ${words[state].sign}">${words[state].label}</span>`

const next = ({ nextDay, state }: Subscription): string | undefined =>
  state === "active" && nextDay !== null ? `next charge ${dayOf(nextDay)}` : undefined

/** A line of a list that leads to it. */
export const row = (subscription: Subscription): Html =>
  html`<li class="row">
    <a href="/subscription/${subscription.id}">Your subscription: ${OrderPages.titleOf(subscription)}</a>
    <span class="soft">${next(subscription)}</span>
    ${sign(subscription)}
  </li>`

/** Returns a note about the subscription for the people of the shop. */
export const note = (subscription: Subscription): Html =>
  html`<p class="soft">${sign(subscription)} Subscription ${subscription.id} ${next(subscription)}</p>`

/** Changes when there is something new to see. */
export const stateOf = ({ version }: Subscription): string => String(version)

export interface View {
  readonly subscription: Subscription
  readonly payments: ReadonlyArray<Order>
  /** Cards that its customer keeps. */
  readonly cards: ReadonlyArray<Kept>
  /** The name of the change that a form of the page would begin. */
  readonly name: string
  readonly token: string
}

const buttons = { pause: "Pause", resume: "Go on", cancel: "Cancel the subscription" } as const

const form = (change: Subscribing.Change, view: View): Html => {
  const { name, subscription, token } = view
  const action = `/subscription/${subscription.id}`
  const fields = hidden({ token, name, change })
  if (change !== "card") {
    return html`<form method="post" action="${action}">${fields}<button class="quiet">${buttons[change]}</button></form>`
  }
  const others = view.cards.filter(({ lastFour }) => lastFour !== subscription.lastFour)
  if (others.length === 0) return html`<p class="note">To use another card, pay for something with it and keep it.</p>`
  return html`<form class="line" method="post" action="${action}">
    ${fields}
    <div>
      <label for="card">Another card</label>
      <select id="card" name="card">
        ${others.map(({ lastFour, ref }) => html`<option value="${ref}">ends in ${lastFour}</option>`)}
      </select>
    </div>
    <button class="quiet">Use it</button>
  </form>`
}

const sums = ({ payments: [latest], subscription }: View): Html => {
  const { lastFour, nextDay, state } = subscription
  const price = latest !== undefined && Catalogue.price(latest.amountMinor, latest.currency)
  return html`<dl>
    ${OrderPages.sum(OrderPages.titleOf(subscription), html`<span class="price">${price}</span> a month`)}
    ${state === "active" && nextDay !== null && OrderPages.sum("Next charge", dayOf(nextDay))}
    ${lastFour !== null && OrderPages.sum("Card", `ends in ${lastFour}`)}
  </dl>`
}

export const page = (view: View): Page => {
  const { payments, subscription } = view
  const { asked: request, id, problem, state } = subscription
  const { says, title } = words[state]
  const isMoving = request !== null
  const watch = isMoving && html` data-watch="/subscription/${id}/state" data-state="${stateOf(subscription)}"`
  return {
    title,
    refreshSeconds: isMoving ? 3 : undefined,
    main: html`<div class="state">
      <section class="card" role="status"${watch}>
        ${isMoving && html`<div class="turn"></div>`}
        ${sign(subscription)}
        <h1>${title}</h1>
        <p class="says">${isMoving ? "We are changing it. The page tells you by itself." : says}</p>
        ${problem !== null && html`<p class="notice">The last change did not work. Please try again later.</p>`}
        ${sums(view)}
        <div class="acts">${Subscribing.possible(subscription).map((change) => form(change, view))}</div>
      </section>
      <h2>Payments</h2>
      ${OrderPages.rows(payments)}
    </div>`
  }
}
