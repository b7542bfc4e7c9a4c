/** The page that answers at three in the morning: whose problem it is, what is unknown, what needs a person, what happens next, what changed. */
import { Effect } from "effect"
import { type Html, html } from "../../kernel/Html.ts"
import * as CommandLine from "../../operators/CommandLine.ts"
import { type Operations, operations } from "../../operators/OperatorApi.ts"
import type { PageAnswer } from "../Pages.ts"
import * as Chart from "./Chart.ts"
import { counted, type Key } from "./ConsoleTexts.ts"
import * as Frame from "./Frame.ts"
import * as OrderActions from "./OrderActions.ts"
import * as Show from "./Show.ts"
import { stepOf } from "./Timeline.ts"
import * as Visit from "./Visit.ts"

type Now = Operations["showNow"]["answer"]["Type"]

const problems = {
  "not-ready": "problemNotReady",
  overdue: "problemOverdue",
  failing: "problemFailing",
  silent: "problemSilent",
  refused: "problemRefused",
  broken: "problemBroken"
} as const satisfies Record<Now["findings"][number]["problem"], Key>

const sides = [
  ["gateway", "sideGateway"],
  ["bank", "sideBank"],
  ["merchant", "sideMerchant"]
] as const

/** Is it us, the bank, or one shop? */
const verdicts = ({ text }: Visit.Visit, { findings }: Now): Html =>
  html`<section class="verdicts" aria-label="${text("whose")}">${sides.map(([who, key]) => {
    const own = findings.filter((finding) => finding.who === who)
    return html`<div class="panel"><div class="head"><h2>${text(key)}</h2>${Show.tag(text(own.length === 0 ? "fine" : "wrong"), own.length === 0 ? "good" : "bad")}</div>${
      own.length > 0 &&
      html`<ul>${own.map(
        ({ detail, problem, subject }) =>
          html`<li><b>${subject}</b> ${text(problems[problem])} <span class="soft">${detail}</span></li>`
      )}</ul>`
    }</div>`
  })}</section>`

const since = (now: Now, oldest: number | null): Html | false =>
  oldest !== null && html`<small>${Show.duration(now.at - oldest)}</small>`

const figures = (visit: Visit.Visit, now: Now): Html => {
  const { text } = visit
  const list = html`<a href="${Visit.at(visit, "unknown")}">`
  return html`<dl class="figures">
<div><dt>${text("unknown")}</dt><dd>${now.unknown.count > 0 && list}${now.unknown.count}${now.unknown.count > 0 && html`</a>`}${since(now, now.unknown.oldest)}${now.unknownAmounts.map(
    ({ amount, currency, merchant }) => html`<small>${amount} ${currency} · ${merchant}</small>`
  )}</dd></div>
<div><dt>${text("processing")}</dt><dd>${now.processing.count}${since(now, now.processing.oldest)}</dd></div>
<div><dt>${text("callbacksWaiting")}</dt><dd>${now.callbacksWaiting}</dd></div>
<div><dt>${text("callbacksDead")}</dt><dd>${now.callbacksDead}</dd></div>
<div><dt>${text("overdue")}</dt><dd>${now.overdue.reduce((total, { count }) => total + count, 0)}</dd></div>
</dl>`
}

const outcomes = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(counts)
    .map(([outcome, count]) => `${outcome} ${count}`)
    .join(" · ")

const seconds = (value: number | null): string => (value === null ? "–" : `≤ ${value} s`)

const counterparty = ({ text }: Visit.Visit, each: Now["counterparties"][number]): Html => {
  const label = each.host === "" ? each.name : `${each.name} ${each.host}`
  const rows = Chart.rows(each.minutes)
  return html`<section class="party"><h3>${label}</h3>${Chart.bars(`${label}: ${text("chartAbout")}`, each.minutes)}<p>${outcomes(each.outcomes)}</p><p class="soft">p50 ${seconds(each.p50Seconds)} · p95 ${seconds(each.p95Seconds)} · ${text("inFlight")} ${each.inFlight}${each.inFlight > 0 && html` (${each.oldestSeconds} s)`}</p>${
    rows.length > 0 &&
    html`<details><summary>${text("figures")}</summary><table><thead><tr><th scope="col">${text("minute")}</th><th scope="col" class="right">${text("answered")}</th><th scope="col" class="right">${text("failed")}</th></tr></thead><tbody>${rows.map(
      ([at, answered, failed]) =>
        html`<tr><td>${at}</td><td class="right">${answered}</td><td class="right">${failed}</td></tr>`
    )}</tbody></table></details>`
  }</section>`
}

/** What needs a person, with the page and the command to settle it. */
const chores = (visit: Visit.Visit, now: Now): Html => {
  const waiting = Visit.at(visit, "unknown")
  const rows: ReadonlyArray<readonly [number, Key, string, string?]> = [
    [now.unknown.count, "choreUnknown", CommandLine.of(operations.listUnknown, {}), waiting],
    [now.tasks, "choreTasks", CommandLine.of(operations.listTasks, {}), waiting],
    [now.proposals, "choreProposals", CommandLine.of(operations.listProposals, {}), waiting],
    [now.payouts, "chorePayouts", "pay payout list --waiting --merchant …", waiting],
    [now.callbacksDead, "choreDead", CommandLine.of(operations.listCallbacks, { state: "dead-lettered" })],
    [now.bookings, "choreBookings", CommandLine.of(operations.listBookings, {})]
  ]
  const open = rows.filter(([count]) => count > 0)
  return open.length === 0
    ? html`<p class="soft">${visit.text("noChores")}</p>`
    : html`<ul class="list">${open.map(([count, key, command, page]) => {
        const what = html`<b>${count}</b> ${counted(visit.text(key), count)}`
        return html`<li>${page === undefined ? what : html`<a href="${page}">${what}</a>`}<br><code>${command}</code></li>`
      })}</ul>`
}

const upcoming = ({ text }: Visit.Visit, { at, next, overdue }: Now): Html =>
  overdue.length + next.length === 0
    ? html`<p class="soft">${text("nothingComing")}</p>`
    : html`<ol class="timeline">${overdue.map(
        ({ count, kind, oldest }) =>
          html`<li class="bad"><p class="when">${Show.time(oldest)} ${text("overdueSince")} ${Show.duration(at - oldest)}</p><p class="what">${stepOf(text, kind)} (${count})</p></li>`
      )}${next.map(
        ({ due, kind }) =>
          html`<li class="next"><p class="when">${Show.time(due)} ${text("in")} ${Show.duration(due - at)}</p><p class="what">${stepOf(text, kind)}</p></li>`
      )}</ol>`

const changes = ({ text }: Visit.Visit, { changes, process, since }: Now): Html =>
  html`<ol class="timeline">${changes.map(
    ({ action, actor, at, outcome, subject }) =>
      html`<li class="${outcome === "refused" ? "bad" : "plain"}"><p class="when">${Show.time(at)}</p><p class="what">${actor}: ${action}</p><p class="more">${subject}</p></li>`
  )}<li class="plain"><p class="when">${Show.time(since)}</p><p class="what">${text("processStarted")}</p><p class="more">${process}</p></li></ol>`

const merchants = ({ text }: Visit.Visit, { merchants }: Now): Html =>
  Show.table(text, {
    caption: text("merchants"),
    rows: merchants,
    empty: text("noMerchants"),
    columns: [
      { key: "merchant", cell: ({ merchant }) => merchant },
      { key: "requests", cell: ({ requests }) => requests, isFigure: true },
      { key: "refusedRequests", cell: ({ refused }) => refused, isFigure: true },
      { key: "brokenRequests", cell: ({ broken }) => broken, isFigure: true }
    ]
  })

const main = (visit: Visit.Visit, now: Now): Html => {
  const { text } = visit
  return html`<div class="head"><h1>${text("nowTitle")}</h1><p>${Show.time(now.at)} UTC</p></div>${verdicts(visit, now)}${figures(visit, now)}<div class="columns side"><div class="stack"><section class="panel"><h2>${text("counterparties")}</h2>${
    now.counterparties.length === 0
      ? html`<p class="empty">${text("noCounterparties")}</p>`
      : html`<div class="parties">${now.counterparties.map((each) => counterparty(visit, each))}</div>`
  }</section><section class="panel"><h2>${text("merchants")}</h2>${merchants(visit, now)}<p class="hint">${text("ofProcess")} ${now.process}</p></section></div><div class="stack"><section class="panel"><h2>${text("chores")}</h2>${chores(visit, now)}</section><section class="panel"><h2>${text("next")}</h2>${upcoming(visit, now)}</section><section class="panel"><h2>${text("changedTitleNow")}</h2>${changes(visit, now)}</section></div></div>`
}

const commands = [CommandLine.of(operations.showNow, {})]

export const page = Effect.fnUntraced(function* (visit: Visit.Visit) {
  const called = yield* visit.call("showNow", {})
  return called._tag === "Refused"
    ? OrderActions.refusal(visit, called, "orders")
    : Frame.render(visit, {
        title: visit.text("nowTitle"),
        live: "now/events",
        commands,
        main: main(visit, called.answer)
      })
})

/** After this time a browser asks again; each answer is one event, so that no connection stays open. */
const againMs = 5000

/** The content of the page as one server-sent event. The browser opens the stream again by itself. */
export const events = Effect.fnUntraced(function* (visit: Visit.Visit) {
  const called = yield* visit.call("showNow", {})
  const content =
    called._tag === "Refused"
      ? undefined
      : Frame.content({ ...visit, root: "../" }, { commands, main: main({ ...visit, root: "../" }, called.answer) })
  return {
    status: 200,
    headers: { ...Frame.headers, "content-type": "text/event-stream" },
    body: `retry: ${againMs}\n${content === undefined ? "" : `event: page\ndata: ${JSON.stringify(content.text)}\n`}\n`
  } satisfies PageAnswer
})
