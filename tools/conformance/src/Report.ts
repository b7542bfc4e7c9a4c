/** The results of a run as text, JSON, JUnit and a page. No report contains a key or a card number. */
import { escaped } from "@pay/schema/Markup"
import { type Check, groupOf } from "./Check.ts"
import type { Choice, Outcome, Result, Run } from "./Conformance.ts"

/** The subject of the checks of each group. */
export const groups: Readonly<Record<string, string>> = {
  acceptance: "each operation is accepted, and its answer has the form of the contract",
  missing: "required fields of each operation",
  values: "wrong values of each field",
  rules: "rules between fields",
  spellings: "other spellings, and unknown fields",
  control: "signatures by control",
  oauth: "signatures by OAuth with HMAC-SHA1 and RSA-SHA256",
  request: "method, path, headers, body and size",
  "refusal-order": "which error is reported first",
  replay: "repeated requests",
  states: "allowed requests in each state, and amounts",
  limit: "limits, currencies, groups",
  merchants: "isolation of merchants",
  threeds: "3-D Secure in both modes",
  card: "stored cards",
  transfer: "transfers",
  hosted: "hosted pages",
  recurring: "recurring payments",
  payout: "payouts and the balance",
  outcome: "outcomes of the bank",
  time: "outcomes that depend on time",
  callback: "callbacks"
}

type Tag = Outcome["_tag"]

const count = (results: ReadonlyArray<Result>, tag: Tag): number =>
  results.filter(({ outcome }) => outcome._tag === tag).length

export interface Counts {
  readonly passed: number
  readonly failed: number
  readonly lacking: number
}

export const counts = (results: ReadonlyArray<Result>): Counts => ({
  passed: count(results, "Passed"),
  failed: count(results, "Failed"),
  lacking: count(results, "Lacking")
})

/** Whether a run made all of its checks, and none failed. */
export const isPassed = ({ results, unfinished }: Run): boolean =>
  unfinished === undefined && results.length > 0 && count(results, "Failed") === 0

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`

/** Returns the results by group. Groups and results keep their order. */
export const groupsOf = (results: ReadonlyArray<Result>): ReadonlyArray<readonly [string, ReadonlyArray<Result>]> => {
  const all = new Map<string, Array<Result>>()
  for (const result of results) {
    const name = groupOf(result.check)
    const group = all.get(name) ?? []
    group.push(result)
    all.set(name, group)
  }
  return [...all]
}

const messageOf = ({ outcome }: Result): string => (outcome._tag === "Passed" ? "" : outcome.message)

/** Returns the text about a run that ended before all checks were made. */
export const unfinishedLine = ({ all, results, unfinished }: Run): string | undefined =>
  unfinished && `UNFINISHED: ${unfinished}; ${all - results.length} of ${all} checks have no result`

/** Returns the text about a choice of the gateway. */
export const choiceLine = ({ about, count }: Choice): string =>
  `the gateway's choice (${count}): ${about}, which the specification leaves open`

const summary = ({ results, tookMs }: Run): string => {
  const { failed, lacking, passed } = counts(results)
  return `${results.length} checks in ${seconds(tookMs)}: ${passed} passed, ${failed} failed, ${lacking} not checked`
}

/** Returns the text about a check that failed or could not be made. */
export const line = (result: Result): string =>
  `${result.outcome._tag === "Failed" ? "FAILED" : "not checked"}  ${result.check.id}: ${result.check.title}
    ${messageOf(result)}
    ${result.check.clause}`

/** Returns the capabilities that the gateway lacks, each with the number of checks that require it. */
const lackings = (results: ReadonlyArray<Result>): ReadonlyArray<readonly [string, number]> => {
  const all = new Map<string, number>()
  for (const { outcome } of results)
    if (outcome._tag === "Lacking") all.set(outcome.message, (all.get(outcome.message) ?? 0) + 1)
  return [...all]
}

/** Returns the report for people: a line for each group, then what failed and what could not be checked. */
export const text = (run: Run): string => {
  const { results } = run
  const rows = groupsOf(results).map(([name, group]) => {
    const { failed, lacking, passed } = counts(group)
    const notes = [failed > 0 ? `${failed} FAILED` : "", lacking > 0 ? `${lacking} not checked` : ""]
    const note = notes.filter((each) => each !== "").join(", ")
    return `${name.padEnd(14)}${String(passed).padStart(4)} passed  ${[note, groups[name] ?? ""].filter((each) => each !== "").join("; ")}`
  })
  const failures = results.filter(({ outcome }) => outcome._tag === "Failed").map(line)
  const lacking = lackings(results).map(([message, checks]) => `not checked (${checks}): ${message}`)
  const profile = run.profile === "" ? "announces none" : run.profile
  return [
    [`Gateway: ${run.baseUrl}`, `Profile: ${profile}`].join("\n"),
    rows.join("\n"),
    ...failures,
    ...(lacking.length === 0 ? [] : [lacking.join("\n")]),
    ...(run.choices.length === 0 ? [] : [run.choices.map(choiceLine).join("\n")]),
    [summary(run), unfinishedLine(run) ?? ""].filter((each) => each !== "").join("\n")
  ].join("\n\n")
}

/** Returns one check as JSON. */
export const checkJson = ({ clause, id, needs, title }: Check) => ({
  id,
  title,
  clause,
  needs: needs.map(({ name }) => name)
})

/** Returns the report as JSON, for programs. */
export const json = (run: Run) => ({
  outcome: isPassed(run) ? "conforms" : counts(run.results).failed > 0 ? "differs" : "unfinished",
  ...(run.unfinished !== undefined && { unfinished: run.unfinished }),
  gateway: run.baseUrl,
  profile: run.profile,
  startedAt: new Date(run.startedAtMs).toISOString(),
  tookMs: run.tookMs,
  all: run.all,
  ...counts(run.results),
  choices: run.choices,
  checks: run.results.map((result) => ({
    ...checkJson(result.check),
    outcome: result.outcome._tag.toLowerCase(),
    ...(result.outcome._tag !== "Passed" && { message: result.outcome.message }),
    tookMs: result.tookMs
  }))
})

const testcase = ({ check, outcome, tookMs }: Result): string => {
  const start = `    <testcase classname="${escaped(groupOf(check))}" name="${escaped(check.id)}" time="${(tookMs / 1000).toFixed(3)}"`
  if (outcome._tag === "Passed") return `${start}/>`
  const detail = escaped(`${check.title}: ${outcome.message} (${check.clause})`)
  const element =
    outcome._tag === "Failed"
      ? `<failure message="${escaped(outcome.message)}">${detail}</failure>`
      : `<skipped message="${detail}"/>`
  return `${start}>${element}</testcase>`
}

/** Returns the report in the XML format of JUnit, for build servers. */
export const junit = (run: Run): string => {
  const totals = (results: ReadonlyArray<Result>, errors = 0) => {
    const { failed, lacking } = counts(results)
    return `tests="${results.length + errors}" failures="${failed}" errors="${errors}" skipped="${lacking}"`
  }
  const unfinished = unfinishedLine(run)
  const end =
    unfinished === undefined
      ? []
      : [
          '  <testsuite name="run" tests="1" failures="0" errors="1" skipped="0">',
          `    <testcase classname="run" name="finished"><error message="${escaped(unfinished)}"/></testcase>`,
          "  </testsuite>"
        ]
  const suites = groupsOf(run.results).map(([name, group]) =>
    [`  <testsuite name="${escaped(name)}" ${totals(group)}>`, ...group.map(testcase), "  </testsuite>"].join("\n")
  )
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="conformance" ${totals(run.results, end.length > 0 ? 1 : 0)} time="${(run.tookMs / 1000).toFixed(3)}">`,
    ...suites,
    ...end,
    "</testsuites>",
    ""
  ].join("\n")
}
