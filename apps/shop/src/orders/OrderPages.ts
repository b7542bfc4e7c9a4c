/** A customer's orders: only their own. */
import { WebCustomerBrowser } from "@pay/flows/WebCustomerBrowser"
import { Effect } from "effect"
import * as Cards from "../cards/Cards.ts"
import { price, titleOf } from "../checkout/Catalogue.ts"
import type { Item, Page } from "../web/Page.ts"
import * as Routes from "../web/Routes.ts"
import * as Visitor from "../web/Visitor.ts"
import * as Orders from "./Orders.ts"
import texts from "./texts.json" with { type: "json" }

/** Returns how the order stands, as a text of `texts.json`. */
const standing = (order: Orders.Order): keyof typeof texts => {
  const { amountMinor, capturedMinor, recurringId, released, returnedMinor, status } = order
  if (status !== "approved") return status
  if (returnedMinor > 0) return returnedMinor === capturedMinor ? "refunded" : "partlyRefunded"
  if (capturedMinor === 0) return released ? "released" : "reserved"
  if (capturedMinor < amountMinor) return "partlyCharged"
  return recurringId === undefined ? "paid" : "monthPaid"
}

/** An order in a list. */
export const item = (order: Orders.Order): Item => ({
  title: titleOf(order),
  href: `/order/${order.id}`,
  sign: texts[standing(order)].sign,
  lines: [price(order.amountMinor, order.currency)]
})

/** The order's page, with what the customer can do next. `mayKeep`: whether the card can be stored. */
const page = (order: Orders.Order, mayKeep: boolean): Page => {
  const { amountMinor, capturedMinor, currency, id, lastFour, product, recurringId, returnedMinor, status } = order
  const { sign, title } = texts[standing(order)]
  const [charged, refunded] = [price(capturedMinor, currency), price(returnedMinor, currency)]
  const isOver = status !== "open" && status !== "unclear" && status !== "approved"
  return {
    title: title.replace("{charged}", charged).replace("{refunded}", refunded),
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
    forms: [mayKeep && { action: `/order/${id}/keep`, button: "Keep this card for next time" }]
  }
}

const ownOrder = Routes.own(Orders.find)

export const layer = Routes.layer({
  "GET /orders": Effect.gen(function* () {
    const orders = yield* Orders.of((yield* Visitor.Visitor).id)
    return { title: "Your orders", items: orders.map(item) }
  }),

  "GET /order/:id": Effect.gen(function* () {
    const order = yield* ownOrder
    return page(order, yield* Cards.mayKeep(order))
  }),

  /** The toolkit's `goUrl` is the address at which the browser waits, and is sent to the gateway or the issuer. */
  "GET /order/:id/go": Effect.gen(function* () {
    const { goUrl } = yield* WebCustomerBrowser
    const url = goUrl((yield* ownOrder).id)
    return { title: "On to your payment", refresh: `0; url=${url}`, links: [[url, "Continue to payment"]] }
  }),

  "POST /order/:id/keep": Effect.gen(function* () {
    yield* Visitor.form
    const order = yield* ownOrder
    yield* Cards.keep(order)
    return `/order/${order.id}` as const
  })
})
