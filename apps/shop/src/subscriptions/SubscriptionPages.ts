/** A subscription as its customer sees it. */
import type { Card } from "../cards/Cards.ts"
import { titleOf } from "../checkout/Catalogue.ts"
import * as OrderPages from "../orders/OrderPages.ts"
import type { Order } from "../orders/Orders.ts"
import { form, type Html, html } from "../web/Html.ts"
import type { Page } from "../web/Page.ts"
import { type Change, possible } from "./SubscriptionChange.ts"
import type { State, Subscription } from "./Subscriptions.ts"

const words: Readonly<Record<State, readonly [label: string, title: string]>> = {
  active: ["Running", "Your subscription runs"],
  paused: ["Paused", "Your subscription is paused"],
  suspended: ["Stopped", "Your card could not be charged"],
  finished: ["Over", "Your subscription is over"],
  cancelled: ["Cancelled", "Your subscription has ended"]
}

const sign = ({ state }: Subscription): Html => html`<span class="sign">${words[state][0]}</span>`

const next = ({ nextDay, state }: Subscription): string | false =>
  state === "active" && nextDay !== undefined && `next charge ${nextDay}`

export const row = (subscription: Subscription): Html =>
  html`<li class="row">
    <a href="/subscription/${subscription.id}">Your subscription: ${titleOf(subscription)}</a>
    <span>${next(subscription)}</span> ${sign(subscription)}
  </li>`

export interface View {
  readonly subscription: Subscription
  readonly payments: ReadonlyArray<Order>
  /** The customer's stored cards. */
  readonly cards: ReadonlyArray<Card>
  /** The name of the change that a form of the page would start. */
  readonly name: string
  readonly token: string
}

const buttons = { pause: "Pause", resume: "Go on", cancel: "Cancel the subscription", card: "Use this card" } as const

const changeForm = (change: Change, { cards, name, subscription, token }: View): Html => {
  const options = cards.map(({ lastFour, ref }) => html`<option value="${ref}">ends in ${lastFour}</option>`)
  const select = html`<label for="card">Another card</label> <select id="card" name="card">${options}</select>`
  const button = html`<button>${buttons[change]}</button>`
  return form(
    `/subscription/${subscription.id}`,
    { token, name, change },
    change === "card" ? html`${select} ${button}` : button
  )
}

export const page = (view: View): Page => {
  const { cards, payments, subscription } = view
  const { lastFour, pendingChange, problem, state } = subscription
  const changes = possible(subscription).filter((change) => change !== "card" || cards.length > 0)
  return {
    title: words[state][1],
    refresh: pendingChange === undefined ? undefined : "2",
    main: html`<p>${sign(subscription)} ${titleOf(subscription)} ${next(subscription)}</p>
      ${lastFour !== undefined && html`<p>Card ends in ${lastFour}</p>`}
      ${problem !== undefined && html`<p class="error">The last change did not work. Please try again later.</p>`}
      ${changes.map((change) => changeForm(change, view))}
      <h2>Payments</h2>
      ${OrderPages.rows(payments)}`
  }
}
