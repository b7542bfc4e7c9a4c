/** The back office for payouts: a form to check an account, and the payouts with their status. */
import { Effect } from "effect"
import { HttpRouter } from "effect/http"
import { price } from "../checkout/Catalogue.ts"
import * as Password from "../office/Password.ts"
import type { Item, Page } from "../web/Page.ts"
import * as Visitor from "../web/Visitor.ts"
import * as Payouts from "./Payouts.ts"
import texts from "./texts.json" with { type: "json" }

const item = ({ amountMinor, currency, id, reason, status, supplier }: Payouts.Payout): Item => {
  const amount = price(amountMinor, currency)
  const confirm = (button: string) => ({ action: `/office/payouts/${id}/confirm`, button })
  return {
    title: supplier,
    sign: texts.signs[status],
    lines: [amount, reason],
    forms: [status === "checked" && confirm(`Pay ${supplier} ${amount}`), status === "unclear" && confirm("Ask again")]
  }
}

export const layer = Password.layer({
  "GET /office/payouts": Effect.gen(function* () {
    const payouts = yield* Payouts.latest
    const isMoving = payouts.some(({ status }) => status === "checking" || status === "paying")
    const hidden = { payout: yield* Visitor.newId }
    const page: Page = {
      title: "Suppliers",
      refresh: isMoving ? "2" : undefined,
      links: [["/office", "Orders"]],
      forms: [{ action: "/office/payouts", hidden, inputs: texts.inputs, button: "Check" }],
      items: payouts.map(item)
    }
    return page
  }),

  "POST /office/payouts": Effect.gen(function* () {
    yield* Payouts.check(yield* Visitor.form)
    return "/office/payouts" as const
  }),

  "POST /office/payouts/:id/confirm": Effect.gen(function* () {
    const { id = "" } = yield* HttpRouter.params
    yield* Visitor.form
    yield* Payouts.confirm(id)
    return "/office/payouts" as const
  })
})
