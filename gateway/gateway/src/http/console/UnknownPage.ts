/**
 * The page of what waits for people: unknown outcomes by their cause, with the evidence of both sides; outcomes and changes that a second
 * person must confirm; answers that contradict their orders.
 */
import { Effect } from "effect"
import { type Html, html, type Part } from "../../kernel/Html.ts"
import * as CommandLine from "../../operators/CommandLine.ts"
import { type Operations, operations } from "../../operators/OperatorApi.ts"
import type { Key } from "./ConsoleTexts.ts"
import * as Frame from "./Frame.ts"
import * as Show from "./Show.ts"
import { answerText, type OrderDetails } from "./Timeline.ts"
import * as Visit from "./Visit.ts"

type Proposal = Operations["listProposals"]["answer"]["Type"]["proposals"][number]
type Task = Operations["listTasks"]["answer"]["Type"]["tasks"][number]

/** Orders on one page: each is read with its evidence. */
export const mostOrders = 50

export interface Waiting {
  readonly orders: ReadonlyArray<OrderDetails>
  readonly proposals: ReadonlyArray<Proposal>
  readonly tasks: ReadonlyArray<Task>
}

/** Reads what waits. */
const read = Effect.fnUntraced(function* (visit: Visit.Visit) {
  const unknown = yield* visit.call("searchOrders", { status: "unknown", limit: mostOrders })
  const proposals = yield* visit.call("listProposals", { state: "open" })
  const tasks = yield* visit.call("listTasks", { state: "open" })
  const details: Array<OrderDetails> = []
  for (const { id } of unknown._tag === "Answered" ? unknown.answer.orders : []) {
    const order = yield* visit.call("showOrder", { order: id })
    if (order._tag === "Answered") details.push(order.answer)
  }
  return {
    orders: details,
    proposals: proposals._tag === "Answered" ? proposals.answer.proposals : [],
    tasks: tasks._tag === "Answered" ? tasks.answer.tasks : []
  } satisfies Waiting
})

const proposalOf = ({ resolutions }: OrderDetails) => resolutions.find(({ state }) => state === "proposed")

const bankSide = ({ evidence }: OrderDetails): string => answerText(evidence.at(-1)?.answer ?? "")

const orderLink = (visit: Visit.Visit, order: string): Html =>
  html`<a href="${Visit.at(visit, `orders/${order}`)}"><code>${order}</code></a>`

const mayResolve = (visit: Visit.Visit): boolean => Visit.may(visit, operations.proposeResolution.changes?.role)

const choice = (order: string, value: string): Html =>
  html`<input type="checkbox" name="order" value="${value}" aria-label="${order}">`

/** The columns of an unknown order. `pick`: what chooses it for the form around the table. */
const columns = (visit: Visit.Visit, pick: (order: OrderDetails) => Part): ReadonlyArray<Show.Column<OrderDetails>> => [
  { key: "choose", cell: pick },
  { key: "order", cell: ({ id }) => orderLink(visit, id) },
  { key: "merchant", cell: ({ merchant }) => merchant },
  { key: "amount", cell: ({ amount, currency }) => `${amount} ${currency}`, isFigure: true },
  { key: "since", cell: ({ created }) => Show.duration(Math.max(0, visit.nowMs - created)), isFigure: true },
  {
    key: "ourSide",
    cell: ({ requests, state }) => html`<span>${Show.tag(state)} ${requests.at(-1)?.operation}</span>`
  },
  { key: "bankSide", cell: (order) => html`<span class="any">${bankSide(order)}</span>` }
]

const proposeFields = ({ text }: Visit.Visit, id: string): Html =>
  html`<div><label for="as-${id}">${text("outcome")}</label><select id="as-${id}" name="as"><option>declined</option><option>approved</option><option>error</option></select></div><div><label for="evidence-${id}">${text("statedBy")}</label><input id="evidence-${id}" name="evidence" required maxlength="2000" autocomplete="off" placeholder="${text("statedHint")}"></div><div><label for="code-${id}">${text("approvalCode")}</label><input id="code-${id}" name="approvalCode" maxlength="64" autocomplete="off"></div><div><button class="danger">${text("propose")}</button></div>`

/** One form for all orders of a cause. */
const causeOf = (visit: Visit.Visit, cause: string, orders: ReadonlyArray<OrderDetails>, index: number): Html => {
  const may = mayResolve(visit)
  const table = Show.table(visit.text, {
    caption: cause,
    rows: orders,
    empty: "",
    columns: columns(visit, ({ id }) => may && choice(id, id))
  })
  return html`<section class="panel"><h2>${cause === "" ? visit.text("noEvidence") : cause} (${orders.length})</h2>${
    may
      ? html`<form class="act" method="post" action="${Visit.at(visit, "unknown/propose")}">${Frame.formToken(visit)}${table}${proposeFields(visit, String(index))}</form>`
      : table
  }</section>`
}

const confirmable = (visit: Visit.Visit, orders: ReadonlyArray<OrderDetails>): Html => {
  const { text } = visit
  const may = mayResolve(visit)
  const own = `operator:${visit.operator.name}`
  const table = Show.table(text, {
    caption: text("outcomesProposed"),
    rows: orders,
    empty: text("noOutcomes"),
    columns: [
      ...columns(visit, (order) => {
        const proposal = proposalOf(order)
        return may && proposal !== undefined && proposal.proposedBy !== own
          ? choice(order.id, `${order.id} ${proposal.as} ${proposal.digest}`)
          : text("second2")
      }),
      { key: "proposal", cell: (order) => proposalText(order) }
    ]
  })
  return html`<section class="panel"><h2>${text("outcomesProposed")}</h2>${
    orders.length > 0 && may
      ? html`<form class="act" method="post" action="${Visit.at(visit, "unknown/confirm")}">${Frame.formToken(visit)}${table}<div><button class="danger">${text("confirm")}</button></div></form>`
      : table
  }</section>`
}

const proposalText = (order: OrderDetails): Html | false => {
  const proposal = proposalOf(order)
  return (
    proposal !== undefined &&
    html`<span class="any">${Show.tag(proposal.as)} ${proposal.evidence} <span class="soft">${proposal.proposedBy}, ${Show.time(proposal.proposed)}</span></span>`
  )
}

/** A form of one button. */
const button = (visit: Visit.Visit, path: string, label: Key, fields: Html | false = false): Html =>
  html`<form method="post" action="${Visit.at(visit, path)}">${Frame.formToken(visit)}${fields}<button>${visit.text(label)}</button></form>`

const changesWaiting = (visit: Visit.Visit, proposals: ReadonlyArray<Proposal>): Html =>
  html`<section class="panel"><h2>${visit.text("changesProposed")}</h2>${Show.table(visit.text, {
    caption: visit.text("changesProposed"),
    rows: proposals,
    empty: visit.text("noChanges"),
    columns: [
      { key: "created", cell: ({ proposed }) => Show.time(proposed) },
      { key: "change", cell: ({ command }) => html`<code>pay ${command}</code>` },
      { key: "facts", cell: ({ input }) => html`<span class="any">${input}</span>` },
      { key: "proposedBy", cell: ({ proposedBy }) => proposedBy },
      {
        key: "confirm",
        cell: ({ proposal, proposedBy }) =>
          proposedBy === `operator:${visit.operator.name}`
            ? button(visit, `proposals/${proposal}/withdraw`, "withdraw")
            : button(visit, `proposals/${proposal}/confirm`, "confirm")
      }
    ]
  })}</section>`

const noteField = ({ text }: Visit.Visit, task: string): Html =>
  html`<label class="unseen" for="note-${task}">${text("comment")}</label><input id="note-${task}" name="note" required maxlength="2000" autocomplete="off" placeholder="${text("comment")}"> `

const tasksWaiting = (visit: Visit.Visit, tasks: ReadonlyArray<Task>): Html =>
  html`<section class="panel"><h2>${visit.text("tasks")}</h2>${Show.table(visit.text, {
    caption: visit.text("tasks"),
    rows: tasks,
    empty: visit.text("noTasks"),
    columns: [
      { key: "created", cell: ({ created }) => Show.time(created) },
      { key: "order", cell: ({ order }) => orderLink(visit, order) },
      { key: "amount", cell: ({ amount, currency }) => `${amount} ${currency}`, isFigure: true },
      { key: "ourSide", cell: ({ orderState }) => Show.tag(orderState) },
      { key: "bankSide", cell: ({ answer, source }) => html`<span>${Show.tag(answer)} ${source}</span>` },
      {
        key: "actions",
        cell: ({ can, id }) =>
          Visit.may(visit, operations.closeTask.changes?.role) &&
          html`${can.map((verb) => button(visit, `tasks/${id}/${verb}`, verb === "close" ? "closeTask" : "reverseTask", noteField(visit, `${verb}-${id}`)))}`
      }
    ]
  })}</section>`

export const page = Effect.fnUntraced(function* (visit: Visit.Visit) {
  const { text } = visit
  const { orders, proposals, tasks } = yield* read(visit)
  const open = orders.filter((order) => proposalOf(order) === undefined)
  const causes = [...Map.groupBy(open, bankSide)]
  const done = new URLSearchParams(visit.request.query).get("done") !== null
  return Frame.render(visit, {
    title: text("unknownTitle"),
    commands: [
      CommandLine.of(operations.searchOrders, { status: "unknown" }),
      CommandLine.of(operations.inquireUnknown, { unknown: true }),
      CommandLine.of(operations.listProposals, {}),
      CommandLine.of(operations.listTasks, {})
    ],
    main: html`<div class="head"><h1>${text("unknownTitle")}</h1>${
      orders.length > 0 &&
      Visit.may(visit, operations.inquireUnknown.changes?.role) &&
      button(visit, "unknown/inquire", "inquireAll")
    }</div>${done && html`<p class="notice good" role="status">${text("doneAll")}</p>`}${
      orders.length === 0
        ? html`<section class="panel"><h2>${text("unknown")}</h2><p class="empty">${text("noUnknown")}</p></section>`
        : causes.map(([cause, same], index) => causeOf(visit, cause, same, index))
    }${confirmable(
      visit,
      orders.filter((order) => proposalOf(order) !== undefined)
    )}${changesWaiting(visit, proposals)}${tasksWaiting(visit, tasks)}`
  })
})
