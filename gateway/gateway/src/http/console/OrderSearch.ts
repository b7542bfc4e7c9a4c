/**
 * The one field of search, which finds an order by any of its numbers, and orders by a value. What was typed is posted, so that a card number
 * or an e-mail address that somebody types is in no address and in no log.
 */
import * as CardText from "@pay/schema/CardText"
import * as Money from "@pay/schema/Money"
import { Effect } from "effect"
import { type Html, html } from "../../kernel/Html.ts"
import * as KeysetPage from "../../kernel/KeysetPage.ts"
import type { PageAnswer } from "../Pages.ts"
import * as BrowserInput from "../pages/BrowserInput.ts"
import { fill } from "../pages/Language.ts"
import * as Frame from "./Frame.ts"
import * as OrdersPage from "./OrdersPage.ts"
import * as Visit from "./Visit.ts"

const orderNumber = /^(\d{1,20})(?:-[\w.-]{1,40})?$/
const lastFour = /^\d{4}$/
const amount = /^(\d{1,15}(?:\.\d{1,4})?)(?: ([A-Za-z]{3}))?$/

/** Merchants whose orders are tried by the merchant's own number. */
const mostMerchants = 1000

const seeOrders = (visit: Visit.Visit, criteria: OrdersPage.Criteria): PageAnswer =>
  Frame.redirect(OrdersPage.linkTo(visit, criteria, {}))

/** Finds the orders to which merchants gave this number. */
const byMerchantOrder = Effect.fnUntraced(function* (visit: Visit.Visit, clientOrderId: string) {
  const listed = yield* visit.call("listMerchants", {})
  const merchants = listed._tag === "Answered" ? listed.answer.merchants.slice(0, mostMerchants) : []
  const called = yield* Effect.forEach(
    merchants,
    ({ login }) => visit.call("searchOrders", { merchant: login, clientOrderId, limit: 1 }),
    { concurrency: "unbounded" }
  )
  return called.flatMap((each) => (each._tag === "Answered" ? each.answer.orders : []))
})

/** The values by which orders are read one after the other, from the newest. */
const values = ["email", "approvalCode", "bankId"] as const
type Value = (typeof values)[number]
const isValue = (text: string): text is Value => values.some((value) => value === text)

/** Orders with a value, on one page of those that were read. */
interface Matches {
  readonly value: Value
  readonly orders: ReadonlyArray<OrdersPage.Row>
  readonly looked: number
  readonly next: KeysetPage.Cursor | undefined
}

/** `undefined`: the text cannot be such a value. */
const byValue = Effect.fnUntraced(function* (visit: Visit.Visit, value: Value, typed: string, after: string) {
  const called = yield* visit.call("searchOrders", {
    ...(value === "email" ? { email: typed } : value === "bankId" ? { bankId: typed } : { approvalCode: typed }),
    ...(after !== "" && { after }),
    limit: OrdersPage.rowsOnPage
  })
  return called._tag === "Refused"
    ? undefined
    : ({ value, ...called.answer, next: called.answer.next } satisfies Matches)
})

const list = (
  visit: Visit.Visit,
  typed: string,
  orders: ReadonlyArray<OrdersPage.Row>,
  more: Html | false
): PageAnswer =>
  Frame.render(visit, {
    title: visit.text("orders"),
    main: html`<div class="head"><h1>${visit.text("orders")}</h1><p>${typed}</p></div><section class="panel">${OrdersPage.rows(visit, orders, {}, visit.text("noneHere"))}</section>${more}`
  })

/** Goes on with orders that are older than those that were read. */
const older = (visit: Visit.Visit, typed: string, { looked, next, value }: Matches): Html | false =>
  next !== undefined &&
  html`<form method="post" action="${Visit.at(visit, "search")}">${Frame.formToken(visit)}<input type="hidden" name="q" value="${typed}"><input type="hidden" name="by" value="${value}"><input type="hidden" name="after" value="${KeysetPage.format(next)}"><p class="hint">${fill(visit.text("lookedAt"), { count: String(looked) })}</p><button>${visit.text("older")}</button></form>`

/** Searches by the values that the text can be. The first with a match, or else with more orders to read, is shown. */
const byValues = Effect.fnUntraced(function* (visit: Visit.Visit, typed: string) {
  const tried = typed.includes("@") ? (["email"] as const) : (["approvalCode", "bankId"] as const)
  const pages = yield* Effect.forEach(tried, (value) => byValue(visit, value, typed, ""), { concurrency: "unbounded" })
  const matches = pages.flatMap((page) => page ?? [])
  return {
    match: matches.find(({ orders }) => orders.length > 0),
    unfinished: matches.find(({ next }) => next !== undefined)
  }
})

/** Shows orders, or the only one. */
const showing = (
  visit: Visit.Visit,
  typed: string,
  matches: Omit<Matches, "value">,
  more: Html | false
): PageAnswer => {
  const [first, second] = matches.orders
  return first !== undefined && second === undefined && matches.next === undefined
    ? Frame.redirect(Visit.at(visit, `orders/${first.id}`))
    : list(visit, typed, matches.orders, more)
}

const continued = Effect.fnUntraced(function* (visit: Visit.Visit, typed: string, value: Value, after: string) {
  const matches = yield* byValue(visit, value, typed, after)
  return matches === undefined ? seeOrders(visit, {}) : list(visit, typed, matches.orders, older(visit, typed, matches))
})

/** Returns the page for what was typed. A number of the gateway is tried first, because some look like a card's, which is refused. */
export const search = Effect.fnUntraced(function* (visit: Visit.Visit) {
  const read = BrowserInput.fields(visit.request)
  const typed = read("q").trim()
  if (typed === "") return seeOrders(visit, {})
  const [, order] = orderNumber.exec(typed) ?? []
  if (order !== undefined) {
    const called = yield* visit.call("showOrder", { order })
    if (called._tag === "Answered") return Frame.redirect(Visit.at(visit, `orders/${order}`))
  }
  if (CardText.mask(typed) !== typed)
    return Frame.notice(visit, 400, visit.text("cardTitle"), visit.text("cardRefused"), "orders")
  const by = read("by")
  if (isValue(by)) return yield* continued(visit, typed, by, read("after"))
  const own = typed.length > 128 ? [] : yield* byMerchantOrder(visit, typed)
  if (own.length > 0) return showing(visit, typed, { orders: own, looked: own.length, next: undefined }, false)
  const { match, unfinished } = yield* byValues(visit, typed)
  if (match !== undefined) return showing(visit, typed, match, older(visit, typed, match))
  if (lastFour.test(typed)) return seeOrders(visit, { lastFour: typed })
  const [, value = "", currency] = amount.exec(typed) ?? []
  if (Money.isAmountOrZero(value))
    return seeOrders(visit, { amount: value, ...(currency !== undefined && { currency: currency.toUpperCase() }) })
  return unfinished === undefined
    ? Frame.notice(visit, 404, visit.text("nothingTitle"), visit.text("nothing"), "orders")
    : list(visit, typed, [], older(visit, typed, unfinished))
})
