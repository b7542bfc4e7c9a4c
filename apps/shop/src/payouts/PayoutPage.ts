/** The suppliers: a form to check an account, and the payouts with their status. */
import { price } from "../checkout/Catalogue.ts"
import { form, type Html, html, input } from "../web/Html.ts"
import type { Page } from "../web/Page.ts"
import type { Payout } from "./Payouts.ts"

const labels: Readonly<Record<Payout["status"], string>> = {
  checking: "Being checked",
  checked: "To be confirmed",
  paying: "On its way",
  unclear: "Not known yet",
  paid: "Paid",
  refused: "Refused"
}

const row = ({ amountMinor, currency, id, reason, status, supplier }: Payout, token: string): Html => {
  const amount = price(amountMinor, currency)
  const button = (label: string) => form(`/office/payouts/${id}/confirm`, { token }, html`<button>${label}</button>`)
  return html`<li>
    <div class="row">
      <span>${supplier}</span> <span class="price">${amount}</span> <span class="sign">${labels[status]}</span>
    </div>
    ${reason !== undefined && html`<p>${reason}</p>`}
    ${status === "checked" && button(`Pay ${supplier} ${amount}`)}
    ${status === "unclear" && button("Ask again")}
  </li>`
}

/** `id`: the identifier of the payout that the form would start. */
export const page = (payouts: ReadonlyArray<Payout>, id: string, token: string): Page => ({
  title: "Suppliers",
  refresh: payouts.some(({ status }) => status === "checking" || status === "paying") ? "2" : undefined,
  main: html`<p><a href="/office">Orders</a></p>
    ${form(
      "/office/payouts",
      { token, payout: id },
      html`${input({ name: "supplier", label: "Supplier" })}
        ${input({ name: "account", label: "Account (IBAN)" })}
        ${input({ name: "amount", label: "Amount (USD)" })}
        <button>Check</button>`
    )}
    <ul class="rows">${payouts.map((payout) => row(payout, token))}</ul>`
})
