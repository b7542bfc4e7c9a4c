/** A customer's orders: only their own. */
import { WebCustomerBrowser } from "@pay/flows/WebCustomerBrowser"
import { Effect } from "effect"
import * as Cards from "../cards/Cards.ts"
import { price, titleOf } from "../checkout/Catalogue.ts"
import type { Item, Page } from "../web/Page.ts"
import * as Routes from "../web/Routes.ts"
import * as Orders from "./Orders.ts"

type Words = readonly [sign: string, title: string]

const approvedWords = (order: Orders.Order): Words => {
  const { amountMinor, capturedMinor, currency, recurringId, released, returnedMinor } = order
  if (returnedMinor > 0 && returnedMinor === capturedMinor) return ["Refunded", "Your money is on its way back"]
  if (returnedMinor > 0) return ["Partly refunded", `${price(returnedMinor, currency)} is on its way back`]
  if (capturedMinor === 0 && released) return ["Released", "Your order was cancelled"]
  if (capturedMinor === 0) return ["Reserved", "Thank you, your order is placed"]
  if (capturedMinor < amountMinor) return ["Partly charged", `We have charged ${price(capturedMinor, currency)}`]
  return ["Paid", recurringId === undefined ? "Thank you, your order is paid" : "Thank you, this month is paid"]
}

const otherWords = {
  open: ["Under way", "We are confirming your payment"],
  declined: ["Declined", "Your bank declined the payment"],
  abandoned: ["Not paid", "The payment was not finished"],
  failed: ["Not paid", "The payment did not work"],
  unclear: ["Being checked", "We do not know yet whether you have paid. Please do not pay again"]
} as const

const words = (order: Orders.Order): Words =>
  order.status === "approved" ? approvedWords(order) : otherWords[order.status]

/** An order in a list. */
export const item = (order: Orders.Order): Item => ({
  title: titleOf(order),
  href: `/order/${order.id}`,
  sign: words(order)[0],
  lines: [price(order.amountMinor, order.currency)]
})

/** The order's page, with what the customer can do next. `mayKeep`: whether the card can be stored. */
const page = (order: Orders.Order, token: string, mayKeep: boolean): Page => {
  const { amountMinor, currency, id, lastFour, product, recurringId, status } = order
  const [sign, title] = words(order)
  const isOver = status !== "open" && status !== "unclear" && status !== "approved"
  return {
    title,
    sign,
    refresh: status === "open" || status === "unclear" ? "3" : undefined,
    lines: [
      `${titleOf(order)}, ${price(amountMinor, currency)}`,
      lastFour !== undefined && `Card ending in ${lastFour}`,
      `Order ${id}`
    ],
    links: [
      status === "open" && [`/order/${id}/go`, "Continue to payment"],
      recurringId !== undefined && [`/subscription/${recurringId}`, "Your subscription"],
      isOver && recurringId === undefined && [`/buy/${product}`, "Try again"]
    ],
    forms: [mayKeep && { action: `/order/${id}/keep`, hidden: { token }, button: "Keep this card for next time" }]
  }
}

const ownOrder = Routes.own(Orders.find)

export const layer = Routes.layer({
  "GET /orders": ({ visitor }) =>
    Effect.map(Orders.of(visitor.id), (orders) => ({ title: "Your orders", items: orders.map(item) })),

  "GET /order/:id": Effect.fnUntraced(function* (request) {
    const order = yield* ownOrder(request)
    const cards = yield* Cards.of(order.owner)
    const isNew = !cards.some(({ lastFour }) => lastFour === order.lastFour)
    const mayKeep = isNew && order.status === "approved" && order.way !== "kept"
    return page(order, request.visitor.token, mayKeep && order.recurringId === undefined)
  }),

  /** The toolkit's `goUrl` is the address at which the browser waits, and is sent to the gateway or the issuer. */
  "GET /order/:id/go": Effect.fnUntraced(function* (request) {
    const { goUrl } = yield* WebCustomerBrowser
    const url = goUrl((yield* ownOrder(request)).id)
    return { title: "On to your payment", refresh: `0; url=${url}`, links: [[url, "Continue to payment"]] }
  }),

  "POST /order/:id/keep": Effect.fnUntraced(function* (request) {
    yield* request.visitor.form
    const order = yield* ownOrder(request)
    yield* Cards.keep(order)
    return `/order/${order.id}` as const
  })
})
