/**
 * The page of what waits for people: unknown outcomes by their cause, with the evidence of both sides; outcomes, changes and payouts that a
 * second person must confirm; answers that contradict their orders.
 */
import { Effect } from "effect"
import { type Html, html, type Part } from "../../kernel/Html.ts"
import * as KeysetPage from "../../kernel/KeysetPage.ts"
import * as CommandLine from "../../operators/CommandLine.ts"
import { type Operations, operations } from "../../operators/OperatorApi.ts"
import { fill } from "../pages/Language.ts"
import type { Answered, Refused } from "./ContractCalls.ts"
import * as Frame from "./Frame.ts"
import * as OrderActions from "./OrderActions.ts"
import * as Show from "./Show.ts"
import { answerText } from "./Timeline.ts"
import * as Visit from "./Visit.ts"
import * as WaitingParts from "./WaitingParts.ts"

type UnknownPage = Operations["listUnknown"]["answer"]["Type"]
type Outcome = UnknownPage["outcomes"][number]

/** Outcomes on one page. A batch has at most as many. */
export const mostOutcomes = 50

/** The page that an address continues after. */
const afterOf = ({ request }: Visit.Visit): string => new URLSearchParams(request.query).get("after") ?? ""

/** Reads what waits, all at once. */
const read = (visit: Visit.Visit) => {
  const after = afterOf(visit)
  return Effect.all(
    {
      unknown: visit.call("listUnknown", { limit: String(mostOutcomes), ...(after !== "" && { after }) }),
      proposals: visit.call("listProposals", { state: "open", limit: "100" }),
      tasks: visit.call("listTasks", { state: "open", limit: "100" }),
      payouts: visit.call("listPayouts", { state: "waiting", limit: "100" })
    },
    { concurrency: "unbounded" }
  )
}

const bankSide = ({ answer }: Outcome): string => answerText(answer ?? "")

const mayResolve = (visit: Visit.Visit): boolean => Visit.may(visit, operations.proposeResolution.changes?.role)

const choice = (order: string, value: string): Html =>
  html`<input type="checkbox" name="order" value="${value}" aria-label="${order}">`

/** One box for every row of a form, so that a batch is chosen at once. */
const everyRow = ({ text }: Visit.Visit, id: string, values: ReadonlyArray<string>): Html | false =>
  values.length > 1 &&
  html`<div><input type="hidden" name="shown" value="${values.join(",")}"><label class="check" for="all-${id}"><input id="all-${id}" type="checkbox" name="all" value="1"> ${fill(text("allOfThese"), { count: String(values.length) })}</label></div>`

/** The columns of an unknown outcome. `pick`: what chooses it for the form around the table. */
const columns = (visit: Visit.Visit, pick: (outcome: Outcome) => Part): ReadonlyArray<Show.Column<Outcome>> => [
  { key: "choose", cell: pick },
  { key: "order", cell: ({ order }) => WaitingParts.orderLink(visit, order) },
  { key: "merchant", cell: ({ merchant }) => merchant },
  { key: "amount", cell: ({ amount, currency }) => `${amount} ${currency}`, isFigure: true },
  { key: "since", cell: ({ accepted }) => Show.duration(Math.max(0, visit.nowMs - accepted)), isFigure: true },
  { key: "ourSide", cell: ({ operation, state }) => html`<span>${Show.tag(state)} ${operation}</span>` },
  { key: "bankSide", cell: (outcome) => html`<span class="any">${bankSide(outcome)}</span>` }
]

const proposeFields = ({ text }: Visit.Visit, id: string): Html =>
  html`<div><label for="as-${id}">${text("outcome")}</label><select id="as-${id}" name="as"><option>declined</option><option>approved</option><option>error</option></select></div><div><label for="evidence-${id}">${text("statedBy")}</label><input id="evidence-${id}" name="evidence" required maxlength="2000" autocomplete="off" placeholder="${text("statedHint")}"></div><div><label for="code-${id}">${text("approvalCode")}</label><input id="code-${id}" name="approvalCode" maxlength="64" autocomplete="off"></div><div><button class="danger">${text("propose")}</button></div>`

const choiceOf = ({ order, request }: Outcome): string => `${order} ${request}`

/** One form for all outcomes of a cause. */
const causeOf = (visit: Visit.Visit, cause: string, outcomes: ReadonlyArray<Outcome>, id: string): Html => {
  const may = mayResolve(visit)
  const table = Show.table(visit.text, {
    caption: cause,
    rows: outcomes,
    empty: "",
    columns: columns(visit, (outcome) => may && choice(outcome.order, choiceOf(outcome)))
  })
  return html`<section class="panel"><h2>${cause === "" ? visit.text("noEvidence") : cause} (${outcomes.length})</h2>${
    may
      ? html`<form class="act" method="post" action="${Visit.at(visit, "unknown/propose")}">${Frame.formToken(visit)}${table}${everyRow(visit, id, outcomes.map(choiceOf))}${proposeFields(visit, id)}</form>`
      : table
  }</section>`
}

/** What names the proposal as it is shown, if the operator may confirm or withdraw it. */
const proposalOf = (visit: Visit.Visit, { order, proposal }: Outcome): string | undefined =>
  mayResolve(visit) && proposal !== null ? `${order} ${proposal.as} ${proposal.digest} ${proposal.request}` : undefined

/** What confirms the proposal: not one's own. */
const confirmationOf = (visit: Visit.Visit, outcome: Outcome): string | undefined =>
  outcome.proposal?.proposedBy === `operator:${visit.operator.name}` ? undefined : proposalOf(visit, outcome)

/** The form of the buttons that withdraw: apart, so that a key in the form of the table never presses one of them. */
const withdrawal = "withdraw"

const confirmable = (visit: Visit.Visit, outcomes: ReadonlyArray<Outcome>): Html => {
  const { text } = visit
  const values = outcomes.flatMap((outcome) => confirmationOf(visit, outcome) ?? [])
  const table = Show.table(text, {
    caption: text("outcomesProposed"),
    rows: outcomes,
    empty: text("noOutcomes"),
    columns: [
      ...columns(visit, (outcome) => {
        const value = confirmationOf(visit, outcome)
        return value === undefined ? text("second2") : choice(outcome.order, value)
      }),
      { key: "proposal", cell: proposalText },
      {
        key: "actions",
        cell: (outcome) => {
          const value = proposalOf(visit, outcome)
          return (
            value !== undefined &&
            html`<button form="${withdrawal}" name="order" value="${value}">${text("withdraw")}</button>`
          )
        }
      }
    ]
  })
  return html`<section class="panel"><h2>${text("outcomesProposed")}</h2>${
    mayResolve(visit) &&
    html`<form id="${withdrawal}" method="post" action="${Visit.at(visit, "unknown/withdraw")}">${Frame.formToken(visit)}</form>`
  }${
    values.length > 0
      ? html`<form class="act" method="post" action="${Visit.at(visit, "unknown/confirm")}">${Frame.formToken(visit)}${table}${everyRow(visit, "proposed", values)}<div><button class="danger">${text("confirm")}</button></div></form>`
      : table
  }</section>`
}

const proposalText = ({ proposal }: Outcome): Html | false =>
  proposal !== null &&
  html`<span class="any">${Show.tag(proposal.as)} ${proposal.evidence} <span class="soft">${proposal.proposedBy}, ${Show.time(proposal.proposed)}</span></span>`

const unknownOutcomes = (visit: Visit.Visit, { next, outcomes }: UnknownPage): Html => {
  const { text } = visit
  const open = outcomes.filter(({ proposal }) => proposal === null)
  const proposed = outcomes.filter(({ proposal }) => proposal !== null)
  return html`${
    outcomes.length === 0
      ? html`<section class="panel"><h2>${text("unknown")}</h2><p class="empty">${text("noUnknown")}</p></section>`
      : [...Map.groupBy(open, bankSide)].map(([cause, same], index) => causeOf(visit, cause, same, String(index)))
  }${confirmable(visit, proposed)}${
    next !== undefined &&
    html`<p><a class="button" href="${Visit.at(visit, "unknown")}?after=${KeysetPage.format(next)}">${text("further")}</a></p>`
  }`
}

/** A part of the page that could not be read says why; the others stay. */
const part = <A>(called: Answered<A> | Refused, show: (answer: A) => Html): Html =>
  called._tag === "Answered" ? show(called.answer) : html`<p class="notice bad" role="alert">${called.message}</p>`

export const page = Effect.fnUntraced(function* (visit: Visit.Visit) {
  const { text } = visit
  const { payouts, proposals, tasks, unknown } = yield* read(visit)
  if (unknown._tag === "Refused") return OrderActions.refusal(visit, unknown, "unknown")
  const done = new URLSearchParams(visit.request.query).get("done") !== null
  return Frame.render(visit, {
    title: text("unknownTitle"),
    commands: [
      CommandLine.of(operations.listUnknown, {}),
      CommandLine.of(operations.inquireUnknown, { unknown: true }),
      CommandLine.of(operations.listProposals, {}),
      CommandLine.of(operations.listTasks, {})
    ],
    main: html`<div class="head"><h1>${text("unknownTitle")}</h1>${
      unknown.answer.outcomes.length > 0 &&
      Visit.may(visit, operations.inquireUnknown.changes?.role) &&
      WaitingParts.button(visit, "unknown/inquire", "inquireAll")
    }</div>${done && html`<p class="notice good" role="status">${text("doneAll")}</p>`}${unknownOutcomes(
      visit,
      unknown.answer
    )}${part(proposals, (answer) => WaitingParts.changes(visit, answer.proposals))}${part(payouts, (answer) =>
      WaitingParts.payouts(visit, answer.payouts)
    )}${part(tasks, (answer) => WaitingParts.tasks(visit, answer.tasks))}`
  })
})
