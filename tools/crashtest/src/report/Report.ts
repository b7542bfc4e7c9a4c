/** The result of a run as text for a terminal. */

import type { Finding, Result } from "../judgement/Finding.ts"
import { kinds } from "../judgement/Finding.ts"
import type { Event } from "../plan/Payment.ts"
import * as Advice from "./Advice.ts"
import * as FaultText from "./FaultText.ts"
import * as Groups from "./Groups.ts"
import * as Numbers from "./Numbers.ts"

/** Returns the command line that repeats a case. */
export type Replay = (caseNumber: number) => string

const right = (texts: ReadonlyArray<string>): number => Math.max(0, ...texts.map(({ length }) => length))

/** The first line: how much was tested. */
const summary = (result: Result): string => {
  const { failureKinds, failures, payments } = Groups.totals(result)
  const parts = [
    Numbers.counted(payments, "payment"),
    Numbers.counted(failures, "failure"),
    Numbers.counted(failureKinds, "kind")
  ]
  return ` ${parts.join(", ")}`
}

/** A line for each kind of finding: how many, what they are, and the faults that caused most of them. */
const groupLines = (groups: ReadonlyArray<Groups.Group>): ReadonlyArray<string> => {
  const counts = groups.map(({ findings }) => Numbers.whole(findings.length))
  const countWidth = Math.max(4, right(counts) + 1)
  const titleWidth = right(groups.map(({ title }) => title))
  return groups.map(
    ({ cause, title }, index) => `${(counts[index] ?? "").padStart(countWidth)} ${title.padEnd(titleWidth)}  ${cause}`
  )
}

const notes = ({ ended, notMet }: Result): ReadonlyArray<string> => [
  ...(notMet === 0
    ? []
    : [` in ${Numbers.counted(notMet, "payment")} nothing failed, because the moment of the failure never came`]),
  ...(ended === undefined ? [] : [` ended early: ${ended}`])
]

const replayLine = (groups: ReadonlyArray<Groups.Group>, replay: Replay): ReadonlyArray<string> => {
  const example = Groups.simplest(groups[0]?.findings ?? [])
  return example === undefined ? [] : [` replay one: ${replay(example.case.number)}`]
}

/** Returns the report of a run: what was tested, what was found, and how to repeat one of the findings. */
export const text = (result: Result, replay: Replay): string => {
  const groups = Groups.of(result)
  const findings = groups.length === 0 ? [" no finding"] : groupLines(groups)
  return [summary(result), ...findings, ...notes(result), ...replayLine(groups, replay)].join("\n")
}

/** Returns a timeline as lines with aligned columns. Faults are marked by an asterisk. */
export const timeline = (events: ReadonlyArray<Event>): ReadonlyArray<string> => {
  const times = events.map(({ atMs }) => Numbers.duration(atMs))
  const [timeWidth, fromWidth] = [right(times), right(events.map(({ from }) => from))]
  return events.map(
    ({ from, isFault, text }, index) =>
      `${isFault ? " *" : "  "} ${(times[index] ?? "").padStart(timeWidth)}  ${from.padEnd(fromWidth)}  ${text}`
  )
}

/** What a finding belongs to: a payment with its faults, or the shop as a whole. */
const heading = ({ case: { action, faults, number }, kind, requests }: Finding): ReadonlyArray<string> => {
  const title = kinds[kind][0]
  if (number === 0 && requests.length === 0) return [` ${title}`]
  const lines = faults.map((each) => `   ${FaultText.brief(each, requests)}, ${FaultText.when(each.moment, requests)}`)
  return [
    ` ${number === 0 ? "a payment without faults" : `case ${number}`} (${action}): ${title}`,
    ...(lines.length === 0 ? ["   no fault at all"] : lines)
  ]
}

/** Returns one finding in full: its faults, the difference, the timeline, and how such shops are mended. */
export const details = (finding: Finding): string => {
  const { general, ours } = Advice.about(finding)
  return [
    ...heading(finding),
    `   ${finding.difference}`,
    ...(finding.timeline.length === 0 ? [] : ["", ...timeline(finding.timeline)]),
    "",
    ` How such shops are mended: ${general}`,
    ` With our client: ${ours}`
  ].join("\n")
}
