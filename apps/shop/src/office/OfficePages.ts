/** The back office for orders: what is left of each, and what can be done with it. */
import * as Money from "@pay/schema/Money"
import { Effect } from "effect"
import { HttpRouter } from "effect/http"
import { price } from "../checkout/Catalogue.ts"
import * as OrderPages from "../orders/OrderPages.ts"
import * as Orders from "../orders/Orders.ts"
import * as Subscriptions from "../subscriptions/Subscriptions.ts"
import type { Item, Page, PageForm } from "../web/Page.ts"
import * as Visitor from "../web/Visitor.ts"
import * as Office from "./Office.ts"
import * as Password from "./Password.ts"
import texts from "./texts.json" with { type: "json" }

/** The form of a new action. Its name comes with the form, so that the same form twice is one action. */
const actionForm = Effect.fnUntraced(function* (order: Orders.Order, kind: Orders.Action["kind"]) {
  const { currency, id } = order
  const label = texts.kinds[kind]
  const leftMinor = Office.amountsLeft(order)[kind]
  if (leftMinor <= 0) return false
  const form = { action: `/office/order/${id}`, hidden: { kind, action: yield* Visitor.newId }, button: label }
  if (kind === "release") return { ...form, button: `${label} ${price(leftMinor, currency)}` }
  const value = Money.fromMinor(leftMinor, currency)
  return { ...form, inputs: [{ name: "amount", label: `${label} (${currency})`, value }] }
})

const againForm = (orderId: string, { kind, name, status }: Orders.Action): PageForm | false =>
  status === "unclear" && {
    action: `/office/order/${orderId}`,
    hidden: { kind, action: name },
    button: `Ask again: ${texts.kinds[kind]}`
  }

const item = Effect.fnUntraced(function* (order: Orders.Order) {
  const { actions, capturedMinor, currency, id, reason, recurringId = "", returnedMinor } = order
  const subscription = yield* Subscriptions.find(recurringId)
  const sum = (label: string, minor: number) => minor > 0 && `${label} ${price(minor, currency)}`
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
          `${texts.kinds[kind]} ${price(amountMinor, currency)}: ${texts.statuses[status]} ${reason}`
      )
    ],
    forms: [
      ...(yield* Effect.forEach(Orders.Kind.literals, (kind) => actionForm(order, kind))),
      ...actions.map((action) => againForm(id, action))
    ]
  }
  return item
})

export const layer = Password.layer({
  "GET /office": Effect.gen(function* () {
    const orders = yield* Orders.latest
    const isMoving = orders.some(({ actions }) => actions.some(({ status }) => status === "open"))
    const page: Page = {
      title: "Back office",
      refresh: isMoving ? "2" : undefined,
      links: [["/office/payouts", "Suppliers"]],
      items: yield* Effect.forEach(orders, item)
    }
    return page
  }),

  "POST /office/order/:id": Effect.gen(function* () {
    const { id = "" } = yield* HttpRouter.params
    yield* Office.act(id, yield* Visitor.form)
    return "/office" as const
  })
})
