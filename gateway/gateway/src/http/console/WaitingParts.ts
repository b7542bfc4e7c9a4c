/** Parts of the page of what waits that are not unknown outcomes: changes, payouts, and answers that contradict their orders. */
import * as Approval from "@pay/signing/Approval"
import { type Html, html } from "../../kernel/Html.ts"
import { approvals, type Operations, operations } from "../../operators/OperatorApi.ts"
import type { Key } from "./ConsoleTexts.ts"
import * as Frame from "./Frame.ts"
import * as Show from "./Show.ts"
import * as Visit from "./Visit.ts"

type Proposal = Operations["listProposals"]["answer"]["Type"]["proposals"][number]
type Task = Operations["listTasks"]["answer"]["Type"]["tasks"][number]
type Payout = Operations["listPayouts"]["answer"]["Type"]["payouts"][number]

export const orderLink = (visit: Visit.Visit, order: string): Html =>
  html`<a href="${Visit.at(visit, `orders/${order}`)}"><code>${order}</code></a>`

/** A form of one button. */
export const button = (visit: Visit.Visit, path: string, label: Key, fields: Html | false = false): Html =>
  html`<form method="post" action="${Visit.at(visit, path)}">${Frame.formToken(visit)}${fields}<button>${visit.text(label)}</button></form>`

/** A panel whose heading is the caption of its table, too. */
const panel = <R>(
  visit: Visit.Visit,
  title: Key,
  table: { readonly rows: ReadonlyArray<R>; readonly empty: Key; readonly columns: ReadonlyArray<Show.Column<R>> }
): Html => {
  const caption = visit.text(title)
  const { columns, empty, rows } = table
  return html`<section class="panel"><h2>${caption}</h2>${Show.table(visit.text, { caption, rows, empty: visit.text(empty), columns })}</section>`
}

export const changes = (visit: Visit.Visit, rows: ReadonlyArray<Proposal>): Html =>
  panel(visit, "changesProposed", {
    rows,
    empty: "noChanges",
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
            : html`${button(visit, `proposals/${proposal}/confirm`, "confirm")}${button(visit, `proposals/${proposal}/withdraw`, "withdraw")}`
      }
    ]
  })

/** The text that an approver signs, with a word in place of the name. */
const statementOf = ({ amount, order, recipient }: Payout): string =>
  Approval.text({ decision: "approve", orderId: order, amount, recipient, approver: "APPROVER" })

const decision = (visit: Visit.Visit, payout: Payout): Html => {
  const { text } = visit
  const { amount, order, recipient } = payout
  return html`<details><summary>${text("decide")}</summary><form class="act" method="post" action="${Visit.at(visit, `payouts/${order}/decide`)}">${Frame.formToken(visit)}<input type="hidden" name="amount" value="${amount}"><input type="hidden" name="recipient" value="${recipient}"><p class="hint">${text("payoutHint")}</p><pre>${statementOf(payout)}</pre><code>openssl pkeyutl -sign -rawin -inkey approver.pem -in statement.txt | openssl base64 -A</code><div><label for="approver-${order}">${text("approver")}</label><input id="approver-${order}" name="approver" required maxlength="128" autocomplete="off"></div><div><label for="signature-${order}">${text("approverSignature")}</label><input id="signature-${order}" name="signature" required maxlength="128" autocomplete="off" spellcheck="false"></div><div><button class="danger" name="decision" value="approve">${text("approvePayout")}</button> <button name="decision" value="reject">${text("rejectPayout")}</button></div></form></details>`
}

export const payouts = (visit: Visit.Visit, rows: ReadonlyArray<Payout>): Html =>
  panel(visit, "payoutsWaiting", {
    rows,
    empty: "noPayouts",
    columns: [
      { key: "created", cell: ({ requestedAt }) => Show.time(requestedAt) },
      { key: "order", cell: ({ order }) => orderLink(visit, order) },
      { key: "merchant", cell: ({ merchant }) => merchant },
      { key: "amount", cell: ({ amount }) => amount, isFigure: true },
      {
        key: "recipient",
        cell: ({ recipientKind, recipientShown }) => html`<span class="any">${recipientKind} ${recipientShown}</span>`
      },
      { key: "expires", cell: ({ expires }) => Show.time(expires) },
      {
        key: "actions",
        cell: (payout) => Visit.may(visit, approvals.decideApproval.changes?.role) && decision(visit, payout)
      }
    ]
  })

const noteField = ({ text }: Visit.Visit, id: string): Html =>
  html`<label class="unseen" for="note-${id}">${text("comment")}</label><input id="note-${id}" name="note" required maxlength="2000" autocomplete="off" placeholder="${text("comment")}"> `

/** What is stated of a request of which bank or rail cannot say what became of it. */
const statementFields = ({ text }: Visit.Visit, id: string): Html =>
  html`<label class="unseen" for="as-${id}">${text("outcome")}</label><select id="as-${id}" name="as"><option>declined</option><option>approved</option></select> <label class="unseen" for="code-${id}">${text("approvalCode")}</label><input id="code-${id}" name="approvalCode" maxlength="64" autocomplete="off" placeholder="${text("approvalCode")}"> `

export const tasks = (visit: Visit.Visit, rows: ReadonlyArray<Task>): Html =>
  panel(visit, "tasks", {
    rows,
    empty: "noTasks",
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
          html`${can.map((verb) => button(visit, `tasks/${id}/${verb}`, `${verb}Task`, html`${verb === "answer" && statementFields(visit, id)}${noteField(visit, `${verb}-${id}`)}`))}`
      }
    ]
  })
