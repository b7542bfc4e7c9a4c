/** What an operator may do with an order: the forms, and what happens when one is sent. */
import { Effect, Predicate } from "effect"
import { type Html, html } from "../../kernel/Html.ts"
import * as CommandLine from "../../operators/CommandLine.ts"
import { type Operations, operations } from "../../operators/OperatorApi.ts"
import type { PageAnswer } from "../Pages.ts"
import * as BrowserInput from "../pages/BrowserInput.ts"
import type { Key } from "./ConsoleTexts.ts"
import type { Refused } from "./ContractCalls.ts"
import * as Frame from "./Frame.ts"
import type { OrderDetails } from "./Timeline.ts"
import * as Visit from "./Visit.ts"

/** The form of an action of the order. */
interface Action {
  readonly name: "inquire" | "refund" | "void" | "erase"
  readonly operation: Operations["inquireOrder" | "refundOrder" | "voidOrder" | "eraseOrder"]
  readonly label: Key
  readonly about: Key
  /** Whether the action can do anything in the order's state. The gateway decides it again. */
  readonly isOpen: (order: OrderDetails) => boolean
  /** Whether it moves money or destroys data, so that it stays closed until it is chosen. */
  readonly isGrave: boolean
}

const actions: ReadonlyArray<Action> = [
  {
    name: "inquire",
    operation: operations.inquireOrder,
    label: "inquire",
    about: "inquireAbout",
    isOpen: ({ requests }) => requests.some(({ finished }) => finished === null),
    isGrave: false
  },
  {
    name: "refund",
    operation: operations.refundOrder,
    label: "refund",
    about: "refundAbout",
    isOpen: ({ capturedMinor, chargedBackMinor, refundedMinor }) => capturedMinor > refundedMinor + chargedBackMinor,
    isGrave: true
  },
  {
    name: "void",
    operation: operations.voidOrder,
    label: "void",
    about: "voidAbout",
    isOpen: ({ state }) => state === "authorized",
    isGrave: true
  },
  {
    name: "erase",
    operation: operations.eraseOrder,
    label: "erase",
    about: "eraseAbout",
    isOpen: () => true,
    isGrave: true
  }
]

/** What an order was when the page with the form was made: another operator may have changed it since. */
const stateOf = ({ chargedBackMinor, moving, refundedMinor, requests, state }: OrderDetails): string =>
  `${state} ${requests.length} ${refundedMinor} ${chargedBackMinor} ${moving}`

const commentField = (visit: Visit.Visit, name: string): Html =>
  html`<div><label for="${name}-comment">${visit.text("comment")}</label><input id="${name}-comment" name="comment" required maxlength="50" autocomplete="off" aria-describedby="${name}-hint"><p class="hint" id="${name}-hint">${visit.text("commentHint")}</p></div>`

const fieldsOf = (visit: Visit.Visit, order: OrderDetails, { name }: Action): Html | false =>
  name === "refund"
    ? html`<div><label for="amount">${visit.text("amount")} (${order.currency})</label><input id="amount" name="amount" inputmode="decimal" autocomplete="off" maxlength="20" placeholder="${visit.text("amountRest")}"></div>${commentField(visit, name)}`
    : name === "void"
      ? commentField(visit, name)
      : name === "erase" &&
        html`<div><label for="confirm">${visit.text("eraseConfirm")}</label><input id="confirm" name="confirm" required autocomplete="off" pattern="${order.id}"></div>`

const formOf = (visit: Visit.Visit, order: OrderDetails, key: string, action: Action): Html => {
  const { about, isGrave, label, name } = action
  const form = html`<form class="act" method="post" action="${Visit.at(visit, `orders/${order.id}/${name}`)}">${Frame.formToken(visit)}<input type="hidden" name="key" value="${key}"><input type="hidden" name="state" value="${stateOf(order)}"><p class="hint">${visit.text(about)}</p>${fieldsOf(visit, order, action)}<div><button class="${isGrave ? "danger" : "main"}">${visit.text(label)}</button></div></form>`
  return isGrave ? html`<details><summary>${visit.text(label)}</summary>${form}</details>` : form
}

/** Renders the forms for which the operator has the role. `key`: the idempotency key of these forms, new for each page. */
export const forms = (visit: Visit.Visit, order: OrderDetails, key: string): Html => {
  const open = actions.filter(({ isOpen, operation }) => isOpen(order) && Visit.may(visit, operation.changes?.role))
  return open.length === 0
    ? html`<p class="soft">${visit.text("noActions")}</p>`
    : html`${open.map((action) => formOf(visit, order, key, action))}`
}

/** Renders the form that sends a callback again, for whom it may be. */
export const resendForm = (visit: Visit.Visit, callback: OrderDetails["callbacks"][number]): Html | undefined =>
  Visit.may(visit, operations.resendCallback.changes?.role) && callback.state !== "pending"
    ? html`<form method="post" action="${Visit.at(visit, `callbacks/${callback.id}/resend`)}">${Frame.formToken(visit)}<input type="hidden" name="order" value="${callback.order}"><button>${visit.text("resend")}</button></form>`
    : undefined

/** The commands of the actions that are open for this order. */
export const commands = (order: OrderDetails): ReadonlyArray<string> =>
  actions
    .filter(({ isOpen, name }) => isOpen(order) && name !== "erase")
    .map(({ name, operation }) =>
      CommandLine.of(operation, { order: order.id, ...((name === "refund" || name === "void") && { comment: "…" }) })
    )

/** Says why nothing was changed, or that a second person is needed. */
export const refusal = (visit: Visit.Visit, { message, proposal, status }: Refused, back: string): PageAnswer =>
  proposal === undefined
    ? Frame.notice(visit, status, visit.text(status === 403 ? "forbiddenTitle" : "refusedTitle"), message, back)
    : Frame.render(visit, {
        status: 200,
        title: visit.text("secondTitle"),
        main: html`<section class="panel narrow stack"><h1>${visit.text("secondTitle")}</h1><p class="notice wait" role="status">${visit.text("second")}</p><p><code>pay proposals confirm ${proposal}</code></p><p><a class="button" href="${Visit.at(visit, back)}">${visit.text("back")}</a></p></section>`
      })

/** Whether the audit of the order has an entry with this key: the form was sent before. */
const isDone = ({ audit }: OrderDetails, key: string): boolean =>
  audit.some(({ detail }) => Predicate.hasProperty(detail, "key") && detail.key === key)

const run = (visit: Visit.Visit, order: string, name: Action["name"]) => {
  const read = BrowserInput.fields(visit.request)
  const [amount, comment, key] = [read("amount").trim(), read("comment"), read("key")]
  switch (name) {
    case "inquire":
      return visit.call("inquireOrder", { order })
    case "refund":
      return visit.call("refundOrder", { order, comment, key, ...(amount !== "" && { amount }) })
    case "void":
      return visit.call("voidOrder", { order, comment, key })
    case "erase":
      return visit.call("eraseOrder", { order })
  }
}

/** Does what a form asks for, if the order is still as it was when the form was made. */
export const submit = Effect.fnUntraced(function* (visit: Visit.Visit, order: string, name: Action["name"]) {
  const read = BrowserInput.fields(visit.request)
  const place = `orders/${order}`
  const done = Frame.redirect(`${Visit.at(visit, place)}?done=${name}`)
  const before = yield* visit.call("showOrder", { order })
  if (before._tag === "Refused") return refusal(visit, before, "orders")
  if (isDone(before.answer, read("key"))) return done
  if (read("state") !== stateOf(before.answer))
    return Frame.notice(visit, 409, visit.text("changedTitle"), visit.text("changed"), place)
  if (name === "erase" && read("confirm") !== order)
    return Frame.notice(visit, 400, visit.text("refusedTitle"), visit.text("eraseConfirm"), place)
  const called = yield* run(visit, order, name)
  return called._tag === "Refused" ? refusal(visit, called, place) : done
})

/** Sends a callback again. */
export const resend = Effect.fnUntraced(function* (visit: Visit.Visit, callback: string) {
  const order = BrowserInput.fields(visit.request)("order")
  const place = /^\d{1,20}$/.test(order) ? `orders/${order}` : "orders"
  const called = yield* visit.call("resendCallback", { callback })
  return called._tag === "Refused"
    ? refusal(visit, called, place)
    : Frame.redirect(`${Visit.at(visit, place)}?done=resend`)
})
