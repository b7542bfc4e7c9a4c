/** The page that lists orders: filters as links, and one field of search that finds an order by any of its numbers. */
import * as CardText from "@pay/schema/CardText"
import * as Money from "@pay/schema/Money"
import { Effect } from "effect"
import { type Html, html, trusted } from "../../kernel/Html.ts"
import * as KeysetPage from "../../kernel/KeysetPage.ts"
import * as CommandLine from "../../operators/CommandLine.ts"
import { operations } from "../../operators/OperatorApi.ts"
import type { PageAnswer } from "../Pages.ts"
import * as BrowserInput from "../pages/BrowserInput.ts"
import type { Answered } from "./ContractCalls.ts"
import * as Frame from "./Frame.ts"
import * as Show from "./Show.ts"
import * as Visit from "./Visit.ts"

const statuses = ["processing", "unknown", "approved", "declined", "error", "filtered"] as const
type Status = (typeof statuses)[number]
const isStatus = (text: string): text is Status => statuses.some((status) => status === text)

/** The criteria that an address can have. */
const names = [
  "merchant",
  "clientOrderId",
  "state",
  "lastFour",
  "amount",
  "currency",
  "filteredBy",
  "from",
  "to"
] as const

type Criteria = { readonly [N in (typeof names)[number] | "status" | "after"]?: string }

const criteriaOf = (query: string): Criteria => {
  const given = new URLSearchParams(query)
  const all = [...names, "status", "after"].flatMap((name) => {
    const value = given.get(name) ?? ""
    return value === "" ? [] : [[name, value] as const]
  })
  return Object.fromEntries(all)
}

const rowsOnPage = 50

/** The parameters of a search. A status that does not exist is left to the contract to refuse. */
const inputOf = ({ status, ...criteria }: Criteria) => ({
  ...criteria,
  ...(status !== undefined && isStatus(status) && { status }),
  limit: rowsOnPage
})

type Orders = Answered<(typeof operations.searchOrders)["answer"]["Type"]>["answer"]
type Row = Orders["orders"][number]

/** The address of the list with other criteria. `undefined` removes one. */
const linkTo = (visit: Visit.Visit, criteria: Criteria, changes: { readonly [name: string]: string | undefined }) => {
  const { after: _, ...kept } = criteria
  const all = Object.entries({ ...kept, ...changes }).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value]]
  )
  const query = new URLSearchParams(all).toString()
  return `${Visit.at(visit, "orders")}${query === "" ? "" : `?${query}`}`
}

const filters = (visit: Visit.Visit, criteria: Criteria): Html => {
  const { after: _, status, ...others } = criteria
  return html`<nav class="filters" aria-label="${visit.text("filters")}">${[undefined, ...statuses].map(
    (each) =>
      html`<a href="${linkTo(visit, criteria, { status: each })}"${each === status && trusted(` aria-current="true"`)}>${each ?? visit.text("all")}</a>`
  )}${Object.entries(others).map(
    ([name, value]) =>
      html`<a href="${linkTo(visit, criteria, { [name]: undefined })}" aria-current="true" title="${visit.text("removeFilter")}">${name}: ${value} ✕</a>`
  )}</nav>`
}

const orderLink = (visit: Visit.Visit, id: string): Html =>
  html`<a href="${Visit.at(visit, `orders/${id}`)}"><code>${id}</code></a>`

/** The table of orders, which other pages have, too. */
export const rows = (visit: Visit.Visit, orders: ReadonlyArray<Row>, criteria: Criteria, empty: string): Html =>
  Show.table(visit.text, {
    caption: visit.text("orders"),
    rows: orders,
    empty,
    columns: [
      { key: "created", cell: ({ created }) => Show.time(created) },
      { key: "order", cell: ({ id }) => orderLink(visit, id) },
      {
        key: "merchant",
        cell: ({ merchant }) => html`<a href="${linkTo(visit, criteria, { merchant })}">${merchant}</a>`
      },
      { key: "merchantOrder", cell: ({ merchantOrder }) => html`<span class="any">${merchantOrder}</span>` },
      { key: "kind", cell: ({ kind }) => kind },
      { key: "status", cell: (row) => statusOf(row) },
      { key: "amount", cell: ({ amount, currency }) => `${amount} ${currency}`, isFigure: true },
      { key: "card", cell: ({ card }) => card !== null && html`<span class="whole">${card}</span>` }
    ]
  })

/** The status as merchants see it, with the state if that says more. */
export const statusOf = ({ filteredBy, state, status }: Pick<Row, "filteredBy" | "state" | "status">): Html =>
  html`<span>${Show.tag(status)} <span class="soft">${[state === status ? "" : state, filteredBy ?? ""].filter((part) => part !== "").join(", ")}</span></span>`

export const page = (visit: Visit.Visit): Effect.Effect<PageAnswer> => {
  const criteria = criteriaOf(visit.request.query)
  return Effect.map(visit.call("searchOrders", inputOf(criteria)), (called) => {
    const head = html`<div class="head"><h1>${visit.text("orders")}</h1></div>${filters(visit, criteria)}`
    const commands = [CommandLine.of(operations.searchOrders, { ...criteria, after: undefined })]
    const title = visit.text("orders")
    if (called._tag === "Refused")
      return Frame.render(visit, {
        status: called.status,
        title,
        commands,
        main: html`${head}<p class="notice bad" role="alert">${called.message}</p>`
      })
    const { next, orders } = called.answer
    return Frame.render(visit, {
      title,
      commands,
      main: html`${head}<section class="panel" aria-label="${title}">${rows(visit, orders, criteria, visit.text("noOrders"))}</section>${
        next !== undefined &&
        html`<p><a class="button" href="${linkTo(visit, criteria, { after: KeysetPage.format(next) })}">${visit.text("older")}</a></p>`
      }`
    })
  })
}

const orderNumber = /^(\d{1,20})(?:-[\w.-]{1,40})?$/
const lastFour = /^\d{4}$/
const amount = /^(\d{1,15}(?:\.\d{1,4})?)(?: ([A-Za-z]{3}))?$/

/** Merchants whose orders are tried by the merchant's own number. */
const mostMerchants = 1000

const seeOrders = (visit: Visit.Visit, criteria: Criteria): PageAnswer => Frame.redirect(linkTo(visit, criteria, {}))

/** Finds the order that a merchant gave this number. */
const byMerchantOrder = Effect.fnUntraced(function* (visit: Visit.Visit, clientOrderId: string) {
  const listed = yield* visit.call("listMerchants", {})
  const merchants = listed._tag === "Answered" ? listed.answer.merchants.slice(0, mostMerchants) : []
  const matches: Array<Row> = []
  for (const { login } of merchants) {
    const called = yield* visit.call("searchOrders", { merchant: login, clientOrderId, limit: 1 })
    if (called._tag === "Answered") matches.push(...called.answer.orders)
  }
  return matches
})

/**
 * Searches what was typed. It is posted, so that a card number that somebody types is in no address and in no log; it is refused, and not shown
 * again. A number of the gateway is tried first, because some look like a card's.
 */
export const search = Effect.fnUntraced(function* (visit: Visit.Visit) {
  const typed = BrowserInput.fields(visit.request)("q").trim()
  if (typed === "") return seeOrders(visit, {})
  const [, order] = orderNumber.exec(typed) ?? []
  if (order !== undefined) {
    const called = yield* visit.call("showOrder", { order })
    if (called._tag === "Answered") return Frame.redirect(Visit.at(visit, `orders/${order}`))
  }
  if (CardText.mask(typed) !== typed)
    return Frame.notice(visit, 400, visit.text("cardTitle"), visit.text("cardRefused"), "orders")
  const orders = typed.length > 128 ? [] : yield* byMerchantOrder(visit, typed)
  const [first] = orders
  if (first !== undefined && orders.length === 1) return Frame.redirect(Visit.at(visit, `orders/${first.id}`))
  if (orders.length > 1)
    return Frame.render(visit, {
      title: visit.text("orders"),
      main: html`<div class="head"><h1>${visit.text("orders")}</h1><p>${typed}</p></div><section class="panel">${rows(visit, orders, {}, "")}</section>`
    })
  if (lastFour.test(typed)) return seeOrders(visit, { lastFour: typed })
  const [, value = "", currency] = amount.exec(typed) ?? []
  if (Money.isAmountOrZero(value))
    return seeOrders(visit, { amount: value, ...(currency !== undefined && { currency: currency.toUpperCase() }) })
  return Frame.notice(visit, 404, visit.text("nothingTitle"), visit.text("nothing"), "orders")
})
