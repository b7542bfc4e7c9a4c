/** The results of a run as one page, which loads nothing from elsewhere. */
import { escaped } from "@pay/schema/Markup"
import type { Result, Run } from "./Conformance.ts"
import * as Report from "./Report.ts"

const style = `:root{color-scheme:light dark;font:1rem/1.5 system-ui,sans-serif}
body{max-width:72rem;margin:0 auto;padding:1rem}
table{border-collapse:collapse;width:100%}
th,td{text-align:start;vertical-align:top;padding:.25rem .5rem;border-block-end:1px solid #8888}
code{overflow-wrap:anywhere}
.failed{color:#b3261e;font-weight:650}
.lacking{opacity:.7}
@media(prefers-color-scheme:dark){.failed{color:#ffb4ab}}`

const words: Readonly<Record<Result["outcome"]["_tag"], string>> = {
  Passed: "passed",
  Failed: "failed",
  Lacking: "not checked"
}

const row = ({ check, outcome }: Result): string => {
  const message = outcome._tag === "Passed" ? "" : `<br>${escaped(outcome.message)}`
  return `<tr class="${outcome._tag.toLowerCase()}"><td>${words[outcome._tag]}</td><td><code>${escaped(check.id)}</code></td><td>${escaped(check.title)}${message}</td><td>${check.clause}</td></tr>`
}

const section = (name: string, results: ReadonlyArray<Result>): string => {
  const { failed, lacking, passed } = Report.counts(results)
  const about = Report.groups[name] ?? ""
  const open = failed > 0 ? " open" : ""
  return `<details${open}><summary><strong>${escaped(name)}</strong>: ${escaped(about)}. ${passed} passed, ${failed} failed, ${lacking} not checked</summary>
<table><thead><tr><th>Result</th><th>Check</th><th>What</th><th>Clause</th></tr></thead>
<tbody>${results.map(row).join("\n")}</tbody></table></details>`
}

/** Returns the report as an HTML page that can be opened, stored and sent. */
export const write = (run: Run): string => {
  const { failed, lacking, passed } = Report.counts(run.results)
  const unfinished = Report.unfinishedLine(run)
  const notes = [
    ...(unfinished === undefined ? [] : [`<p class="failed">${escaped(unfinished)}.</p>`]),
    ...run.choices.map((choice) => `<p>${escaped(Report.choiceLine(choice))}.</p>`)
  ]
  const sections = Report.groupsOf(run.results).map(([name, results]) => section(name, results))
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Conformance of ${escaped(run.baseUrl)}</title>
<style>${style}</style>
</head>
<body>
<h1>Conformance</h1>
<p>Gateway <code>${escaped(run.baseUrl)}</code>, ${new Date(run.startedAtMs).toISOString()}.
Profile: <code>${escaped(run.profile === "" ? "none announced" : run.profile)}</code>.</p>
<p>${run.results.length} checks: ${passed} passed, <span${failed > 0 ? ' class="failed"' : ""}>${failed} failed</span>, ${lacking} not checked.</p>
${notes.join("\n")}
${sections.join("\n")}
</body>
</html>
`
}
