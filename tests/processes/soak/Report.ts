/** The result of a run as Markdown. */
import * as Failures from "./Failures.ts"
import type * as Recurring from "./Recurring.ts"
import type { Injected, Result } from "./Soak.ts"
import * as Tally from "./Tally.ts"

type Cell = string | number

const number = (value: number): string => value.toLocaleString("en", { maximumFractionDigits: 1 })
const row = (cells: ReadonlyArray<Cell>): string =>
  `| ${cells.map((cell) => (typeof cell === "number" ? number(cell) : cell)).join(" | ")} |`

const table = (head: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<Cell>>): string =>
  [row(head), row(head.map(() => "---")), ...rows.map(row)].join("\n")

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`

const median = (values: ReadonlyArray<number>): number =>
  [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0

/** Times of one kind of failure: how long it lasted, and how long no request was accepted meanwhile. */
const failureRow = (tally: Tally.Tally, name: string, injected: ReadonlyArray<Injected>): ReadonlyArray<Cell> => {
  const times = injected.filter((each) => each.name === name)
  const gaps = times.map(({ fromMs, untilMs }) => Tally.longestGapMs(tally, fromMs, untilMs))
  return times.length === 0
    ? [name, 0, "", "", ""]
    : [
        name,
        times.length,
        seconds(median(times.map(({ fromMs, untilMs }) => untilMs - fromMs))),
        seconds(median(gaps)),
        seconds(Math.max(...gaps))
      ]
}

const sum = (injected: ReadonlyArray<number>): number => injected.reduce((all, each) => all + each, 0)

const facts = (result: Result): ReadonlyArray<ReadonlyArray<Cell>> => {
  const { balancer, callbacks, counts, ledger, merchants, recurring, settledMs, tally } = result
  const totals = Tally.answers.map((answer) => number(Tally.total(tally, answer)))
  const statuses = [...balancer].map(([status, count]) => `${status}: ${number(count)}`).sort()
  return [
    ["requests that were accepted, refused, of unknown outcome, not sent", totals.join(", ")],
    ["answers of gateways to requests and pages, by HTTP status", statuses.join(", ")],
    ["orders in the store", counts.orders],
    ["orders that the merchant has an answer for", ledger.acknowledged.size],
    ["orders of whose acceptance no answer ever came", ledger.doubtful.size],
    ["jobs that one gateway had begun and another took over", counts.takeovers],
    ["requests whose outcome at the bank or the rail was unknown for a while", counts.unknowns],
    ["callbacks in the store", counts.callbacks],
    ["deliveries that arrived at the callback server", callbacks.received],
    ["deliveries that the callback server did not accept", callbacks.refused],
    ["recurring payments, and the days on which each was charged", `${recurring.payments}, ${recurring.days}`],
    ["purchases of the merchant with flows in memory", merchants.inMemory.length],
    ["purchases of the merchant with durable flows", merchants.durable.length],
    ["times that a process of the durable merchant was killed", merchants.deaths()],
    ["time after the last failure until all was final", seconds(settledMs)]
  ]
}

/** A refusal's reason without the numbers of orders. */
const reason = (message: string): string => message.replaceAll(/\d{9,}/g, "…")

/** The requests that were refused, and the failure before each. */
export const refusals = ({ injected, tally }: Result): string => {
  const times = tally.refusals.map(({ atMs, message }) => {
    const failure = injected.findLast(({ fromMs }) => fromMs <= atMs)
    return `${reason(message)} | ${failure?.name ?? ""}`
  })
  const rows = [...Map.groupBy(times, (line) => line)].map(([line, { length }]) => [line, length])
  return rows.length === 0 ? "No request was refused." : table(["Refusal", "After", "Times"], rows)
}

const verdict = ({ problems }: { readonly problems: ReadonlyArray<string> }): string =>
  problems.length === 0
    ? "All invariants hold: 0 violations."
    : `${problems.length} violations:\n\n${problems.map((problem) => `- ${problem}`).join("\n")}`

export const ofFailures = (result: Result, day: string): string => {
  const { injected, ms, seed, tally } = result
  const requests = sum(Tally.answers.map((answer) => Tally.total(tally, answer)))
  return [
    `Run on ${day}, seed ${seed}: ${number(ms / 60_000)} minutes, ${number(requests)} requests, ${injected.length} failures. ${verdict(result)}`,
    table(
      ["Failure", "Times", "Lasted (median)", "No accepted request (median)", "No accepted request (longest)"],
      Failures.all.map(({ name }) => failureRow(tally, name, injected))
    ),
    table(["What", "Count"], facts(result))
  ].join("\n\n")
}

export const ofRecurring = (result: Recurring.Result, day: string): string =>
  [
    `Run on ${day}. ${verdict(result)}`,
    table(
      ["What", "Figure"],
      [
        ["recurring payments that were due at once", result.payments],
        ["time until each was charged", seconds(result.seconds * 1000)],
        ["charges a second", Math.round(result.payments / result.seconds)],
        ["largest difference between a charge's place and its place in the order of due times", result.overtaken]
      ]
    )
  ].join("\n\n")
