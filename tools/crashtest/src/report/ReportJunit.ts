/** The result of a run in the XML format of JUnit, for build servers: a test case for each fault, and for each pair with a finding. */
import { escaped } from "@pay/schema/Markup"
import { type Finding, kinds, type Result } from "../judgement/Finding.ts"
import * as Faults from "../plan/Faults.ts"
import * as FaultText from "./FaultText.ts"
import * as Report from "./Report.ts"

interface TestCase {
  /** The part of a payment that the faults concern. */
  readonly place: string
  readonly name: string
  readonly findings: ReadonlyArray<Finding>
  /** Why it shows nothing. */
  readonly skipped?: string
}

/** How many findings of a test case are shown with their timeline. */
const mostShown = 3

/** The faults of a case by name. Its moments are left out. */
const namesOf = ({ case: { faults } }: Finding): string =>
  faults
    .map(({ fault }) => fault)
    .toSorted()
    .join(" + ")

/** One test case for each fault of the table, which is skipped if its moment never came. */
const ofOneFault = (result: Result, byNames: ReadonlyMap<string, ReadonlyArray<Finding>>): ReadonlyArray<TestCase> =>
  Faults.names.map((name) => {
    const findings = byNames.get(name) ?? []
    const isShown = findings.length > 0 || (result.met[name] ?? 0) > 0
    return {
      place: Faults.faults[name].at,
      name,
      findings,
      ...(!isShown && { skipped: "the moment of the fault never came" })
    }
  })

const casesOf = (result: Result): ReadonlyArray<TestCase> => {
  const byNames = Map.groupBy(result.findings, namesOf)
  const others = [...byNames].filter(([names]) => names !== "" && Faults.names.every((name) => name !== names))
  return [
    { place: "none", name: "no fault", findings: byNames.get("") ?? [] },
    ...ofOneFault(result, byNames),
    ...others.map(([name, findings]) => ({ place: "pairs", name, findings }))
  ]
}

const shown = (finding: Finding, replay: Report.Replay): string =>
  [
    `${kinds[finding.kind][0]}: ${FaultText.cause(finding)}`,
    finding.difference,
    ...Report.timeline(finding.timeline),
    `replay: ${replay(finding.case.number)}`
  ].join("\n")

const failure = (findings: ReadonlyArray<Finding>, replay: Report.Replay): string => {
  const titles = [...Map.groupBy(findings, ({ kind }) => kind)].map(
    ([kind, { length }]) => `${length} ${kinds[kind][length === 1 ? 0 : 1]}`
  )
  const more = findings.length - mostShown
  const texts = [
    ...findings.slice(0, mostShown).map((finding) => shown(finding, replay)),
    ...(more > 0 ? [`and ${more} more`] : [])
  ]
  return `<failure message="${escaped(titles.join(", "))}">${escaped(texts.join("\n\n"))}</failure>`
}

const testcase = ({ findings, name, place, skipped }: TestCase, replay: Report.Replay): string => {
  const start = `    <testcase classname="crashtest.${place}" name="${escaped(name)}"`
  if (findings.length > 0) return `${start}>${failure(findings, replay)}</testcase>`
  return skipped === undefined ? `${start}/>` : `${start}><skipped message="${escaped(skipped)}"/></testcase>`
}

/** The numbers of a suite. The schema of JUnit knows no `skipped` of all suites together. */
const counts = (cases: ReadonlyArray<TestCase>): string =>
  `tests="${cases.length}" failures="${cases.filter(({ findings }) => findings.length > 0).length}" errors="0"`

const suite = (place: string, cases: ReadonlyArray<TestCase>, replay: Report.Replay): string => {
  const skipped = cases.filter((each) => each.skipped !== undefined).length
  const start = `  <testsuite name="${place}" ${counts(cases)} skipped="${skipped}">`
  return [start, ...cases.map((each) => testcase(each, replay)), "  </testsuite>"].join("\n")
}

/** Returns the report in the XML format of JUnit. */
export const junit = (result: Result, replay: Report.Replay): string => {
  const all = casesOf(result)
  const suites = [...Map.groupBy(all, ({ place }) => place)].map(([place, cases]) => suite(place, cases, replay))
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="crashtest" ${counts(all)} time="${result.seconds.toFixed(3)}">`,
    ...suites,
    "</testsuites>",
    ""
  ].join("\n")
}
