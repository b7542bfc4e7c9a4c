/** The page of one order: its facts, its timeline, what happens next, and what the operator may do. */
import { Effect } from "effect"
import { type Html, html } from "../../kernel/Html.ts"
import * as CommandLine from "../../operators/CommandLine.ts"
import { operations } from "../../operators/OperatorApi.ts"
import type { PageAnswer } from "../Pages.ts"
import type { Key } from "./ConsoleTexts.ts"
import * as Frame from "./Frame.ts"
import * as OrderActions from "./OrderActions.ts"
import * as OrdersPage from "./OrdersPage.ts"
import * as Show from "./Show.ts"
import * as Timeline from "./Timeline.ts"
import * as Visit from "./Visit.ts"

const done: Readonly<Record<string, Key>> = {
  inquire: "inquired",
  refund: "refundDone",
  void: "voidDone",
  erase: "erased",
  resend: "resent"
}

const figures = (visit: Visit.Visit, order: Timeline.OrderDetails): Html => {
  const rows = [
    ["amount", order.amountMinor],
    ["authorized", order.authorizedMinor],
    ["captured", order.capturedMinor],
    ["refunded", order.refundedMinor],
    ["chargedBack", order.chargedBackMinor]
  ] as const
  return html`<dl class="figures">${rows.map(
    ([key, minor]) => html`<div><dt>${visit.text(key)}</dt><dd>${Show.amount(minor, order.currency)}</dd></div>`
  )}</dl>`
}

const authenticationOf = ({ authentication }: Timeline.OrderDetails): string | undefined =>
  authentication &&
  [
    authentication.stage,
    authentication.protocol,
    authentication.transStatus && `transStatus ${authentication.transStatus}`,
    authentication.eci && `ECI ${authentication.eci}`
  ]
    .filter((part) => part)
    .join(" · ")

const factsOf = (visit: Visit.Visit, order: Timeline.OrderDetails): Html =>
  Show.facts(visit.text, [
    [
      "merchant",
      html`<a href="${Visit.at(visit, "orders")}?merchant=${encodeURIComponent(order.merchant)}">${order.merchant}</a>`
    ],
    ["merchantOrder", html`<code>${order.merchantOrder}</code>`],
    ["endpoint", html`<code>${order.endpoint}</code>`],
    ["kind", order.kind],
    ["created", Show.time(order.created)],
    ["card", order.card],
    ["cardHash", order.cardHash && html`<code>${order.cardHash}</code>`],
    ["recipient", order.recipient],
    ["destination", order.destination],
    ["authentication", authenticationOf(order)],
    ["error", order.errorCode !== null && `${order.errorCode} ${order.errorMessage ?? ""}`]
  ])

const callbacksOf = (visit: Visit.Visit, { callbacks }: Timeline.OrderDetails): Html =>
  Show.table(visit.text, {
    caption: visit.text("callbacks"),
    rows: callbacks,
    empty: visit.text("noCallbacks"),
    columns: [
      { key: "callback", cell: ({ id }) => html`<code>${id}</code>` },
      { key: "state", cell: ({ state }) => Show.tag(state) },
      { key: "tries", cell: ({ tries }) => tries, isFigure: true },
      { key: "result", cell: ({ result }) => result ?? undefined },
      { key: "resend", cell: (callback) => OrderActions.resendForm(visit, callback) }
    ]
  })

const main = (
  visit: Visit.Visit,
  order: Timeline.OrderDetails,
  entries: ReadonlyArray<Timeline.RequestEntry>,
  key: string
): Html => {
  const { text } = visit
  const message = done[new URLSearchParams(visit.request.query).get("done") ?? ""]
  return html`<div class="head"><h1>${text("order")} <code>${order.id}</code></h1><p>${OrdersPage.statusOf(order)}</p></div>${
    message !== undefined && html`<p class="notice good" role="status">${text(message)}</p>`
  }${figures(visit, order)}<div class="columns side"><div class="stack"><section class="panel"><h2>${text("timeline")}</h2>${Timeline.render(
    Timeline.of(text, order, entries)
  )}</section><section class="panel"><h2>${text("callbacks")}</h2>${callbacksOf(visit, order)}</section></div><div class="stack"><section class="panel"><h2>${text("next")}</h2>${Timeline.upcoming(
    text,
    order,
    visit.nowMs
  )}</section><section class="panel"><h2>${text("facts")}</h2>${factsOf(visit, order)}</section><section class="panel"><h2>${text("actions")}</h2>${OrderActions.forms(visit, order, key)}</section></div></div>`
}

/** Renders the page. `key`: the idempotency key of its forms. */
export const page = Effect.fnUntraced(function* (visit: Visit.Visit, id: string, key: string) {
  const called = yield* visit.call("showOrder", { order: id })
  if (called._tag === "Refused")
    return called.status === 404
      ? Frame.notice(visit, 404, visit.text("missingTitle"), visit.text("missing"), "orders")
      : OrderActions.refusal(visit, called, "orders")
  const order = called.answer
  const listed = yield* visit.call("listRequests", { order: id, limit: "100" })
  const entries = listed._tag === "Answered" ? listed.answer.requests : []
  return Frame.render(visit, {
    title: `${visit.text("order")} ${id}`,
    commands: [CommandLine.of(operations.showOrder, { order: id }), ...OrderActions.commands(order)],
    main: main(visit, order, entries, key)
  }) satisfies PageAnswer
})
