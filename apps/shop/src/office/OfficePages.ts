/** The back office for orders: what is left of each, and what can be done with it. */
import * as Money from "@pay/schema/Money"
import { Effect } from "effect"
import { price } from "../checkout/Catalogue.ts"
import * as OrderPages from "../orders/OrderPages.ts"
import * as Orders from "../orders/Orders.ts"
import * as Subscriptions from "../subscriptions/Subscriptions.ts"
import type { Item, Page, PageForm } from "../web/Page.ts"
import { newId } from "../web/Visitor.ts"
import * as Office from "./Office.ts"
import * as Password from "./Password.ts"

const kinds = ["capture", "release", "refund"] as const
const labels = { capture: "Charge", release: "Release", refund: "Refund" } as const
const statuses = {
  open: "under way",
  unclear: "not known yet",
  unresolved: "to be resolved with the gateway",
  done: "done",
  refused: "refused"
} as const

/** The form of a new action. Its name comes with the form, so that the same form twice is one action. */
const actionForm = Effect.fnUntraced(function* (order: Orders.Order, kind: Orders.Action["kind"], token: string) {
  const { currency, id } = order
  const leftMinor = Office.amountsLeft(order)[kind]
  if (leftMinor <= 0) return false
  const form: PageForm = {
    action: `/office/order/${id}`,
    hidden: { token, kind, action: yield* newId },
    button: labels[kind]
  }
  if (kind === "release") return { ...form, button: `Release ${price(leftMinor, currency)}` }
  const value = Money.fromMinor(leftMinor, currency)
  return { ...form, inputs: [{ name: "amount", label: `${labels[kind]} (${currency})`, value }] }
})

const item = Effect.fnUntraced(function* (order: Orders.Order, token: string) {
  const { actions, capturedMinor, currency, id, reason, recurringId = "", returnedMinor } = order
  const subscription = yield* Subscriptions.find(recurringId)
  const sum = (label: string, minor: number) => minor > 0 && `${label} ${price(minor, currency)}`
  const repeats = actions
    .filter(({ status }) => status === "unclear")
    .map(({ kind, name }) => ({
      action: `/office/order/${id}`,
      hidden: { token, kind, action: name },
      button: `Ask again: ${labels[kind]}`
    }))
  const item: Item = {
    ...OrderPages.item(order),
    lines: [
      `${price(order.amountMinor, currency)}, order ${id}`,
      reason,
      sum("Held", Office.amountsLeft(order).capture),
      sum("Charged", capturedMinor),
      sum("Refunded", returnedMinor),
      subscription !== undefined && `Subscription ${subscription.id}: ${subscription.state}`,
      ...actions.map(
        ({ amountMinor, kind, reason = "", status }) =>
          `${labels[kind]} ${price(amountMinor, currency)}: ${statuses[status]} ${reason}`
      )
    ],
    forms: [...(yield* Effect.forEach(kinds, (kind) => actionForm(order, kind, token))), ...repeats]
  }
  return item
})

export const layer = Password.layer({
  "GET /office": Effect.fnUntraced(function* ({ visitor }) {
    const orders = yield* Orders.latest
    const isMoving = orders.some(({ actions }) => actions.some(({ status }) => status === "open"))
    const page: Page = {
      title: "Back office",
      refresh: isMoving ? "2" : undefined,
      links: [["/office/payouts", "Suppliers"]],
      items: yield* Effect.forEach(orders, (order) => item(order, visitor.token))
    }
    return page
  }),

  "POST /office/order/:id": Effect.fnUntraced(function* ({ part, visitor }) {
    yield* Office.act(part("id"), yield* visitor.form)
    return "/office" as const
  })
})
