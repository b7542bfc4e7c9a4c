/** Suppliers to be paid: one form, and what has become of each. */
import * as Catalogue from "../catalogue/Catalogue.ts"
import { type Html, hidden, html } from "../web/Html.ts"
import type { Page } from "../web/Layout.ts"
import type { Payout } from "./Payouts.ts"

const words: Readonly<Record<Payout["status"], readonly [sign: string, label: string]>> = {
  checking: ["", "Being checked"],
  checked: ["", "To be confirmed"],
  paying: ["", "On its way"],
  unclear: ["", "Not known yet"],
  paid: ["good", "Paid"],
  refused: ["bad", "Refused"]
}

/** Changes when there is something new to see. */
export const stateOf = (payouts: ReadonlyArray<Payout>): string => payouts.map(({ status }) => status).join(" ")

const field = (name: string, label: string, mode: string) =>
  html`<div class="field">
    <label for="${name}">${label}</label>
    <input id="${name}" name="${name}" inputmode="${mode}" autocomplete="off">
  </div>`

const row = ({ amountMinor, currency, id, reason, status, supplier }: Payout, token: string): Html => {
  const [sign, label] = words[status]
  const amount = Catalogue.price(amountMinor, currency)
  const act = { checked: `Pay ${supplier} ${amount}`, unclear: "Ask again" }
  const says = status === "checked" || status === "unclear" ? act[status] : undefined
  return html`<li>
    <div class="row">
      <span>${supplier}</span><span class="price">${amount}</span><span class="sign ${sign}">${label}</span>
    </div>
    ${reason !== null && html`<p class="soft">${reason}</p>`}
    ${
      says !== undefined &&
      html`<form class="acts" method="post" action="/office/payouts/${id}/confirm">
      ${hidden({ token })}<button>${says}</button>
    </form>`
    }
  </li>`
}

/** `id`: the name of the payout that the form would begin. */
export const page = (payouts: ReadonlyArray<Payout>, id: string, token: string): Page => {
  const isMoving = payouts.some(({ status }) => status === "checking" || status === "paying")
  const watch = isMoving && html` data-watch="/office/payouts/state" data-state="${stateOf(payouts)}"`
  return {
    title: "Suppliers",
    refreshSeconds: isMoving ? 3 : undefined,
    main: html`<h1>Suppliers</h1>
      <p class="lead" role="status"${watch}>
        An account is checked first; money leaves when you confirm. <a href="/office">To the orders</a>
      </p>
      <form class="card" method="post" action="/office/payouts" novalidate>
        ${hidden({ token, payout: id })}
        ${field("supplier", "Supplier", "text")}
        <div class="pair">${field("account", "Account (IBAN)", "text")}${field("amount", "Amount (USD)", "decimal")}</div>
        <button>Check</button>
      </form>
      <ul class="rows">${payouts.map((payout) => row(payout, token))}</ul>`
  }
}
