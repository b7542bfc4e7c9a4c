/** Suppliers to be paid: one form, and what has become of each. */
import * as Catalogue from "./Catalogue.ts"
import { hidden, html } from "./Html.ts"
import type { Page } from "./Layout.ts"
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
  html`<div class="field"><label for="${name}">${label}</label><input id="${name}" name="${name}" inputmode="${mode}" autocomplete="off"></div>`

export const page = (payouts: ReadonlyArray<Payout>, id: string, token: string): Page => {
  const open = payouts.some(({ status }) => status === "checking" || status === "paying")
  const watch = open && html` data-watch="/office/payouts/state" data-state="${stateOf(payouts)}"`
  return {
    title: "Suppliers",
    refreshSeconds: open ? 3 : undefined,
    main: html`<h1>Suppliers</h1><p class="lead" role="status"${watch}>An account is checked first; money leaves when you confirm. <a href="/office">To the orders</a></p><form class="card" method="post" action="/office/payouts" novalidate>${hidden({ token, payout: id })}${field("supplier", "Supplier", "text")}<div class="pair">${field("account", "Account (IBAN)", "text")}${field("amount", "Amount (USD)", "decimal")}</div><button>Check</button></form><ul class="rows">${payouts.map(
      ({ amountMinor, currency, id, reason, status, supplier }) =>
        html`<li><div class="row"><span>${supplier}</span><span class="price">${Catalogue.price(amountMinor, currency)}</span><span class="sign ${words[status][0]}">${words[status][1]}</span></div>${reason !== null && html`<p class="soft">${reason}</p>`}${(status === "checked" || status === "unclear") && html`<div class="acts"><form method="post" action="/office/payouts/${id}/confirm">${hidden({ token })}<button>${status === "checked" ? html`Pay ${supplier} ${Catalogue.price(amountMinor, currency)}` : "Ask again"}</button></form></div>`}</li>`
    )}</ul>`
  }
}
