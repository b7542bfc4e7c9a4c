/** Erases everything of a customer at a person's request: the form under the list of orders, and what came of it. */
import { Effect } from "effect"
import { type Html, html } from "../../kernel/Html.ts"
import * as KeysetPage from "../../kernel/KeysetPage.ts"
import { operations } from "../../operators/OperatorApi.ts"
import * as BrowserInput from "../pages/BrowserInput.ts"
import { fill } from "../pages/Language.ts"
import type { Answered } from "./ContractCalls.ts"
import * as Frame from "./Frame.ts"
import * as OrderActions from "./OrderActions.ts"
import * as Show from "./Show.ts"
import * as Visit from "./Visit.ts"
import * as WaitingParts from "./WaitingParts.ts"

type Page = Answered<(typeof operations.eraseCustomer)["answer"]["Type"]>["answer"]

const emailField = ({ text }: Visit.Visit, name: string, label: "customerEmail" | "emailAgain"): Html =>
  html`<div><label for="${name}">${text(label)}</label><input id="${name}" name="${name}" type="email" required maxlength="254" autocomplete="off" spellcheck="false"></div>`

/** Renders the form, for whom it may be. */
export const form = (visit: Visit.Visit): Html | false => {
  const { text } = visit
  return (
    Visit.may(visit, operations.eraseCustomer.changes?.role) &&
    html`<details><summary>${text("eraseCustomer")}</summary><form class="act" method="post" action="${Visit.at(visit, "customers/erase")}">${Frame.formToken(visit)}<p class="hint">${text("eraseCustomerAbout")}</p>${emailField(visit, "email", "customerEmail")}${emailField(visit, "confirm", "emailAgain")}<div><label for="merchant">${text("onlyMerchant")}</label><input id="merchant" name="merchant" maxlength="128" autocomplete="off"></div><div><button class="danger">${text("eraseCustomer")}</button></div></form></details>`
  )
}

/** Pages of orders that one request erases, of 100 each. */
const mostPages = 5

interface Progress {
  readonly erased: number
  readonly kept: Page["kept"]
  readonly next: Page["next"]
}

const shown = (visit: Visit.Visit, fields: Readonly<Record<string, string>>, { erased, kept, next }: Progress) => {
  const { text } = visit
  const again = next && { ...fields, after: KeysetPage.format(next) }
  return Frame.render(visit, {
    title: text("eraseCustomer"),
    main: html`<div class="head"><h1>${text("eraseCustomer")}</h1></div><p class="notice ${next === undefined ? "good" : "wait"}" role="status">${fill(text("erasedOrders"), { count: String(erased) })}</p>${
      again &&
      html`<form class="act" method="post" action="${Visit.at(visit, "customers/erase")}">${Frame.formToken(visit)}${Object.entries(again).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}<div><button class="danger">${text("eraseMore")}</button></div></form>`
    }<section class="panel"><h2>${text("keptOrders")}</h2>${Show.table(text, {
      caption: text("keptOrders"),
      rows: kept,
      empty: text("noneKept"),
      columns: [
        { key: "order", cell: ({ order }) => WaitingParts.orderLink(visit, order) },
        { key: "result", cell: ({ reason }) => reason }
      ]
    })}</section><p><a class="button" href="${Visit.at(visit, "orders")}">${text("back")}</a></p>`
  })
}

/** Erases page after page. A form that continues says how many were erased before. */
export const submit = Effect.fnUntraced(function* (visit: Visit.Visit) {
  const read = BrowserInput.fields(visit.request)
  const [email, merchant] = [read("email").trim(), read("merchant").trim()]
  if (read("confirm").trim() !== email)
    return Frame.notice(visit, 400, visit.text("refusedTitle"), visit.text("emailDiffers"), "orders")
  const input = { email, ...(merchant !== "" && { merchant }) }
  let after = read("after")
  let progress: Progress = { erased: Number(read("erased")) || 0, kept: [], next: undefined }
  for (let page = 0; page < mostPages; page += 1) {
    const called = yield* visit.call("eraseCustomer", { ...input, ...(after !== "" && { after }) })
    if (called._tag === "Refused") return OrderActions.refusal(visit, called, "orders")
    const { erased, kept, next } = called.answer
    progress = { erased: progress.erased + erased, kept: [...progress.kept, ...kept], next }
    if (next === undefined) break
    after = KeysetPage.format(next)
  }
  return shown(visit, { email, confirm: email, merchant, erased: String(progress.erased) }, progress)
})
