/** The page that lists orders, with its filters as links. */
import { Effect } from "effect"
import { type Html, html, trusted } from "../../kernel/Html.ts"
import * as KeysetPage from "../../kernel/KeysetPage.ts"
import * as CommandLine from "../../operators/CommandLine.ts"
import { operations } from "../../operators/OperatorApi.ts"
import type { PageAnswer } from "../Pages.ts"
import type { Answered } from "./ContractCalls.ts"
import * as EraseCustomer from "./EraseCustomer.ts"
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

export type Criteria = { readonly [N in (typeof names)[number] | "status" | "after"]?: string }

const criteriaOf = (query: string): Criteria => {
  const given = new URLSearchParams(query)
  const all = [...names, "status", "after"].flatMap((name) => {
    const value = given.get(name) ?? ""
    return value === "" ? [] : [[name, value] as const]
  })
  return Object.fromEntries(all)
}

export const rowsOnPage = 50

/** The parameters of a search. A status that does not exist is left to the contract to refuse. */
const inputOf = ({ status, ...criteria }: Criteria) => ({
  ...criteria,
  ...(status !== undefined && isStatus(status) && { status }),
  limit: rowsOnPage
})

type Orders = Answered<(typeof operations.searchOrders)["answer"]["Type"]>["answer"]
export type Row = Orders["orders"][number]

/** The address of the list with other criteria. `undefined` removes one. */
export const linkTo = (
  visit: Visit.Visit,
  criteria: Criteria,
  changes: { readonly [name: string]: string | undefined }
) => {
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
      }${EraseCustomer.form(visit)}`
    })
  })
}
