/** The report of a drill: for each incident what happened, what was said, and that no payment was lost or doubled. */
import type { Result } from "./Play.ts"

const mostExamples = 5
const mostWarnings = 6

/** Everything of an incident that is not as it has to be, in words. */
export const failures = ({ money, problems, sayings }: Result): ReadonlyArray<string> => [
  ...money.lost,
  ...money.doubled,
  ...money.otherProblems,
  ...problems,
  ...sayings.flatMap(({ evidence, from, says }) => (evidence === undefined ? [`not said: ${from} ${says}`] : []))
]

const listed = (texts: ReadonlyArray<string>): ReadonlyArray<string> => [
  ...texts.slice(0, mostExamples).map((text) => `    ${text}`),
  ...(texts.length > mostExamples ? [`    and ${texts.length - mostExamples} more`] : [])
]

const counts = (map: ReadonlyMap<string, number>): string =>
  [...map].map(([name, count]) => `${count} ${name}`).join(", ")

/** One incident, in lines. */
export const ofIncident = (result: Result): string => {
  const { happens, money, name, sayings, seconds, settledSeconds, warnings } = result
  const wrong = failures(result)
  return [
    `${wrong.length === 0 ? "passed" : "FAILED"}  ${name}: ${happens}`,
    `  payments  ${money.payments} (${counts(money.ends)}); ${money.repeatedCalls} calls repeated by merchants; ${money.bookings} bookings at the bank`,
    ...sayings.map(({ evidence, from, says }) => `  ${from.padEnd(8)}  ${says}: ${evidence ?? "NOT SEEN"}`),
    ...warnings.slice(0, mostWarnings).map((line) => `  logged    ${line}`),
    ...(warnings.length > mostWarnings ? [`  logged    ${warnings.length - mostWarnings} more kinds of warnings`] : []),
    `  settled   ${settledSeconds} s after it was over; ${seconds} s in all`,
    `  lost ${money.lost.length}, doubled ${money.doubled.length}`,
    ...listed(wrong)
  ].join("\n")
}

/** The last line of all. */
export const total = (results: ReadonlyArray<Result>): string => {
  const sum = (of: (result: Result) => number) => results.reduce((all, result) => all + of(result), 0)
  const failed = results.filter((result) => failures(result).length > 0)
  const payments = sum(({ money }) => money.payments)
  const lost = sum(({ money }) => money.lost.length)
  const doubled = sum(({ money }) => money.doubled.length)
  const names = failed.length === 0 ? "" : `: ${failed.map(({ name }) => name).join(", ")}`
  return `${results.length} incidents, ${payments} payments, lost ${lost}, doubled ${doubled}; ${failed.length} failed${names}`
}
