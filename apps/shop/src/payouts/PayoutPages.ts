/** The back office for payouts: a form to check an account, and the payouts with their status. */
import { Effect } from "effect"
import { price } from "../checkout/Catalogue.ts"
import * as Password from "../office/Password.ts"
import type { Item, Page } from "../web/Page.ts"
import { newId } from "../web/Visitor.ts"
import * as Payouts from "./Payouts.ts"

const signs: Readonly<Record<Payouts.Payout["status"], string>> = {
  checking: "Being checked",
  checked: "To be confirmed",
  paying: "On its way",
  unclear: "Not known yet",
  unresolved: "To be resolved with the gateway",
  paid: "Paid",
  refused: "Refused"
}

const item = ({ amountMinor, currency, id, reason, status, supplier }: Payouts.Payout, token: string): Item => {
  const amount = price(amountMinor, currency)
  const confirm = (button: string) => ({ action: `/office/payouts/${id}/confirm`, hidden: { token }, button })
  return {
    title: supplier,
    sign: signs[status],
    lines: [amount, reason],
    forms: [status === "checked" && confirm(`Pay ${supplier} ${amount}`), status === "unclear" && confirm("Ask again")]
  }
}

const inputs = [
  { name: "supplier", label: "Supplier" },
  { name: "account", label: "Account (IBAN)" },
  { name: "amount", label: "Amount (USD)" }
]

export const layer = Password.layer({
  "GET /office/payouts": Effect.fnUntraced(function* ({ visitor: { token } }) {
    const payouts = yield* Payouts.latest
    const isMoving = payouts.some(({ status }) => status === "checking" || status === "paying")
    const page: Page = {
      title: "Suppliers",
      refresh: isMoving ? "2" : undefined,
      links: [["/office", "Orders"]],
      forms: [{ action: "/office/payouts", hidden: { token, payout: yield* newId }, inputs, button: "Check" }],
      items: payouts.map((payout) => item(payout, token))
    }
    return page
  }),

  "POST /office/payouts": Effect.fnUntraced(function* ({ visitor }) {
    yield* Payouts.check(yield* visitor.form)
    return "/office/payouts" as const
  }),

  "POST /office/payouts/:id/confirm": Effect.fnUntraced(function* ({ part, visitor }) {
    yield* visitor.form
    yield* Payouts.confirm(part("id"))
    return "/office/payouts" as const
  })
})
