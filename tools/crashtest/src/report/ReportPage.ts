/** The result of a run as one page, which needs no script and loads nothing from elsewhere. */
import { escaped } from "@pay/schema/Markup"
import type { Finding, Result } from "../judgement/Finding.ts"
import * as Faults from "../plan/Faults.ts"
import type { Event, FaultAt } from "../plan/Payment.ts"
import * as Advice from "./Advice.ts"
import * as AdviceCode from "./AdviceCode.ts"
import * as FaultText from "./FaultText.ts"
import * as Groups from "./Groups.ts"
import * as Numbers from "./Numbers.ts"
import type { Replay } from "./Report.ts"

/** How many findings of a kind the page shows besides the first. The report in JSON has all. */
const mostShown = 50

const style = `:root{color-scheme:light dark;font:1rem/1.5 system-ui,sans-serif;background:Canvas;color:CanvasText}
body{max-width:60rem;margin:0 auto;padding:1rem;overflow-wrap:anywhere}
h1,h2{line-height:1.25}
h2{margin-block-start:2.5rem}
table{border-collapse:collapse;width:100%}
th,td{text-align:start;vertical-align:top;padding:.25rem .5rem;border-block-end:1px solid #8888}
td:first-child,th:first-child{padding-inline-start:0}
.number{text-align:end;font-variant-numeric:tabular-nums;white-space:nowrap}
.who{white-space:nowrap}
code,pre{font-size:.875rem}
pre{white-space:pre-wrap;padding:.75rem;border:1px solid #8888;border-radius:.25rem}
details{margin-block:.5rem}
summary{cursor:pointer}
.finding{color:#b3261e;font-weight:650}
.fault td{background:#b3261e1f}
.mark{font-weight:650}
@media(prefers-color-scheme:dark){.finding{color:#ffb4ab}.fault td{background:#ffb4ab26}}
@media(max-width:30rem){body{padding:.75rem}th,td{padding:.25rem}}`

/** Escapes a text, and shows its parts between backquotes as code. */
const prose = (text: string): string => escaped(text).replace(/`([^`]*)`/g, "<code>$1</code>")

const eventRow = ({ atMs, from, isFault, text }: Event): string =>
  `<tr${isFault ? ' class="fault"' : ""}><td class="number">${Numbers.duration(atMs)}</td><td class="who">${from}</td><td>${isFault ? '<span class="mark">fault:</span> ' : ""}${escaped(text)}</td></tr>`

const timelineTable = (events: ReadonlyArray<Event>): string => `<table>
<thead><tr><th class="number">After</th><th>Who</th><th>What was sent and answered</th></tr></thead>
<tbody>
${events.map(eventRow).join("\n")}
</tbody></table>`

const timeline = (events: ReadonlyArray<Event>): string =>
  events.length === 0 ? "<p>Its timeline was not kept. The replay prints it.</p>" : timelineTable(events)

const faultItem = (at: FaultAt, requests: ReadonlyArray<string>): string =>
  `<li>${escaped(FaultText.when(at.moment, requests))}: ${escaped(Faults.faults[at.fault].sentence)}</li>`

/** The faults and the timeline of a payment. A finding about the shop as a whole has neither. */
const paymentPart = ({ case: { faults, number }, requests, timeline: events }: Finding): string => {
  if (number === 0 && requests.length === 0) return ""
  const items = faults.map((at) => faultItem(at, requests)).join("\n")
  return `<ul>${items === "" ? "<li>No fault: it happens to every such payment.</li>" : items}</ul>
${timeline(events)}`
}

const findingPart = (finding: Finding, replay: Replay, isOpen: boolean): string => {
  const { action, number } = finding.case
  const name = number === 0 ? "" : `Case ${number} (${action}): `
  return `<details${isOpen ? " open" : ""}><summary>${name}${escaped(FaultText.cause(finding))}</summary>
<p>${escaped(finding.difference)}</p>
${paymentPart(finding)}
<p>Replay: <code>${escaped(replay(number))}</code></p>
</details>`
}

const ownAdvice = (group: Groups.Group): ReadonlyArray<string> => {
  const { general } = Advice.of(group.kind)
  const texts = group.findings.map((finding) => Advice.about(finding).general.replace(general, "").trim())
  return [...new Set(texts)].filter((text) => text !== "")
}

const adviceOf = (group: Groups.Group): string => {
  const { code, general, ours } = Advice.of(group.kind)
  const { text, title } = AdviceCode.whole(code)
  return `<h3>How such shops are mended</h3>
<p>${prose(general)}</p>
${ownAdvice(group)
  .map((each) => `<p>${prose(each)}</p>`)
  .join("\n")}
<p>With our client: ${prose(ours)}</p>
<details><summary>${escaped(title)}</summary>
<pre><code>${escaped(text)}</code></pre></details>`
}

/** The findings of a kind besides the one that is shown in full. */
const othersPart = (others: ReadonlyArray<Finding>, replay: Replay): string => {
  if (others.length === 0) return ""
  const left = others.length - mostShown
  return `<details><summary>${Numbers.whole(others.length)} more</summary>
${others
  .slice(0, mostShown)
  .map((finding) => findingPart(finding, replay, false))
  .join("\n")}
${left <= 0 ? "" : `<p>${Numbers.whole(left)} more are in the report in JSON.</p>`}
</details>`
}

const section = (group: Groups.Group, replay: Replay): string => {
  const { findings, kind, title } = group
  const simplest = Groups.simplest(findings)
  const others = findings.filter((finding) => finding !== simplest)
  return `<section>
<h2 id="${kind}">${Numbers.whole(findings.length)} ${escaped(title)}</h2>
${simplest === undefined ? "" : findingPart(simplest, replay, true)}
${adviceOf(group)}
${othersPart(others, replay)}
</section>`
}

const groupRow = ({ cause, findings, kind, title }: Groups.Group): string =>
  `<tr><td class="number finding">${Numbers.whole(findings.length)}</td><td><a href="#${kind}">${escaped(title)}</a></td><td>${escaped(cause)}</td></tr>`

const groupTable = (groups: ReadonlyArray<Groups.Group>): string =>
  groups.length === 0
    ? "<p>No finding.</p>"
    : `<table>
<thead><tr><th class="number">Count</th><th>Finding</th><th>Most often after</th></tr></thead>
<tbody>
${groups.map(groupRow).join("\n")}
</tbody></table>`

const metRow = ([name, count]: readonly [string, number]): string => {
  const sentence = Object.entries(Faults.faults).find(([fault]) => fault === name)?.[1].sentence ?? ""
  return `<tr><td class="number">${Numbers.whole(count)}</td><td><code>${escaped(name)}</code><br>${escaped(sentence)}</td></tr>`
}

const summary = (result: Result): string => {
  const { failureKinds, failures, payments } = Groups.totals(result)
  const counts = [
    Numbers.counted(payments, "payment"),
    Numbers.counted(failures, "failure"),
    Numbers.counted(failureKinds, "kind")
  ]
  return `<p><code>${escaped(result.command.join(" "))}</code></p>
<p>${counts.join(", ")}, in ${Numbers.duration(result.seconds * 1000)}. Seed ${result.seed}.
${result.notMet === 0 ? "" : `In ${Numbers.counted(result.notMet, "payment")} nothing failed, because the moment of the failure never came.`}</p>
${result.ended === undefined ? "" : `<p class="finding">Ended early: ${escaped(result.ended)}</p>`}`
}

/** Returns the report as an HTML page that can be opened, stored and sent. */
export const write = (result: Result, replay: Replay): string => {
  const groups = Groups.of(result)
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Crash test: ${Numbers.counted(result.findings.length, "finding")}</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>Crash test</h1>
${summary(result)}
${groupTable(groups)}
${groups.map((group) => section(group, replay)).join("\n")}
<section>
<h2>What failed</h2>
<table>
<thead><tr><th class="number">Times</th><th>Failure</th></tr></thead>
<tbody>
${Object.entries(result.met).map(metRow).join("\n")}
</tbody></table>
</section>
</main>
</body>
</html>
`
}
