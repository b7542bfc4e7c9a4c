/** Faults and the reaction of the flows, from the table of the test that runs every flow against every fault. */
import { readFileSync } from "node:fs"
import type { Group } from "./FlowsPage.ts"

const source = new URL("../../../tests/workflows/Table.test.ts", import.meta.url)

const again = "sends the same request again under the same `Idempotency-Key`; the gateway executes it once"
const foundByStatus = "asks `status`, finds the order and continues with it"

const customerLeaves = "customer leaves"
const approved = "approved"

interface Way {
  readonly happens: string
  readonly creates: string
  /** The reaction of a flow that repeats its request under an `Idempotency-Key`. Absent: `creates` applies. */
  readonly repeats?: string
  /** The reaction of a flow that ends approved in spite of the fault. Absent: `creates` or `repeats` applies. */
  readonly isApproved?: string
}

/** By the names of the table's columns. */
const ways: Readonly<Record<string, Way>> = {
  "request lost": {
    happens: "The request is lost",
    creates: 'asks `status`; if the answer is "not found" twice, 45 seconds apart, sends the identical request again',
    repeats: again
  },
  "answer lost": {
    happens: "The gateway executes the request, but its answer is lost",
    creates: foundByStatus,
    repeats: again
  },
  "answer late": { happens: "The answer comes after the client's timeout", creates: foundByStatus, repeats: again },
  "answer twice": {
    happens: "The answer comes twice, the second time to another request",
    creates:
      "ignores the second answer, because it belongs to another request; asks again for the outcome of that request"
  },
  "request late": {
    happens: "The request arrives after the client's timeout",
    creates: "asks `status`, as above; if it sent the request again, both requests are one order",
    repeats: again
  },
  "request twice": {
    happens: "The request arrives twice",
    creates: "nothing: one `clientOrderId` is one order",
    repeats: "nothing: one `Idempotency-Key` has one effect"
  },
  unreachable: {
    happens: "The gateway is not reachable",
    creates: "the client tries three times; then the flow fails with `Unreachable`, and you run it again"
  },
  "callback first": {
    happens: "The callback comes before the answer",
    creates: "the callback wakes the flow; the flow asks `status`"
  },
  "callback never": {
    happens: "No callback comes",
    creates: "asks `status` every 4 s for 5 minutes, then every 7½ minutes up to an hour"
  },
  "callback forged": {
    happens: "A callback is forged",
    creates: "nothing: the inbox answers 403 and does not wake the flow"
  },
  "clock jumps": {
    happens: "The clock jumps by a day",
    creates: "nothing: waits are durations, and no identity contains the time"
  },
  interrupted: {
    happens: "Your program interrupts the flow, for example by a timeout",
    creates: "when you run it again, finds the order and continues with it",
    repeats: "when you run it again, uses the same `Idempotency-Key`"
  },
  "started twice": {
    happens: "Two parts of your program start the same flow at once",
    creates: "nothing: one `clientOrderId` is one order, and both see its result",
    repeats: "nothing: one `Idempotency-Key` has one effect, and both see its result"
  },
  "gateway killed": {
    happens: "The gateway process is killed right after the request",
    creates: foundByStatus,
    repeats: again
  },
  "merchant killed": {
    happens: "Your process is killed during a [durable](../durable.md) flow",
    creates: "the next process continues after the last recorded step"
  },
  "killed at once": {
    happens: "Your process is killed before a [durable](../durable.md) flow sends its request",
    creates: "the security code is never stored: asks `status` and sends nothing; run it again with the card",
    isApproved: "the next process starts it"
  },
  [customerLeaves]: {
    happens: "The customer closes the window",
    creates: "if the browser is needed, waits for the gateway's timeout"
  }
}

/** The cells of a line that is drawn as a row of a table. */
export const cells = (line: string): ReadonlyArray<string> => line.split("|").map((cell) => cell.trim())

const [head = [], ...rows] = (/const table = `\n([^`]*)`/.exec(readFileSync(source, "utf8"))?.[1] ?? "")
  .trim()
  .split("\n")
  .map(cells)

/** `CardSale, 3DS gateway` is a row of `CardSale`; `CheckPayOut, PayChecked` is one of both. */
const rowsOf = (names: ReadonlyArray<string>) =>
  rows.filter(([row = ""]) => row.split(", ").some((part) => names.includes(part)))

/** The outcomes of the variants of a flow. */
const outcomesOf = (variants: ReadonlyArray<ReadonlyArray<string>>, column: number): ReadonlyArray<string> => [
  ...new Set(variants.map((row) => row[column] ?? "?"))
]

/** The state in which the flow succeeds, as its diagram names it. */
const successOf = ({ way }: Group): string => /--> (approved|checked|done)/.exec(way.join("\n"))?.[1] ?? approved

const resultOf = (fault: string, outcomes: ReadonlyArray<string>): string => {
  if (fault === customerLeaves && outcomes.includes(approved))
    return `\`Abandoned\`; ${approved} if no browser is needed`
  const [outcome = "", ...others] = outcomes
  if (others.length > 0) throw new Error(`variants of a flow end differently after ${fault}: ${outcomes.join("; ")}`)
  return outcome.replace(/\b[A-Z]\w*/g, "`$&`").replace(", ", ", then ")
}

type Acts = Exclude<Group["acts"], "only waits">

/** The faults of a flow: how it ends after those that all flows of its kind survive, and the rows of the others. */
interface Faults {
  readonly acts: Acts
  readonly success: string
  readonly unusual: ReadonlyArray<string>
}

/** What flows do that create an order, and those that act on one, after each fault that all of them survive. */
export const usualRows = (acts: Acts): ReadonlyArray<string> =>
  Object.entries(ways).flatMap(([fault, { creates, happens, isApproved, repeats }]) =>
    fault === customerLeaves
      ? []
      : [`| ${happens} | ${isApproved ?? (acts === "repeats" ? (repeats ?? creates) : creates)} |`]
  )

/** Rows of Markdown for what these flows do otherwise; none where the table does not run them by themselves. */
export const faultRows = (names: ReadonlyArray<string>, group: Group): Faults | undefined => {
  const { acts, whenFound = foundByStatus, from } = group
  const variants = rowsOf(names)
  if (variants.length === 0 || acts === "only waits") return undefined
  const usual = usualRows(acts)
  const success = successOf(group)
  const unusual = head.flatMap((fault, column) => {
    if (column === 0 || fault === "nothing" || (fault === customerLeaves && from.Abandoned === undefined)) return []
    const way = ways[fault]
    if (way === undefined) throw new Error(`packages/flows/scripts/Faults.ts has no entry for the fault ${fault}`)
    const outcomes = outcomesOf(variants, column)
    const creates = way.creates === foundByStatus ? whenFound : way.creates
    const asItActs = acts === "repeats" ? (way.repeats ?? creates) : creates
    const does = outcomes.every((outcome) => outcome === approved) ? (way.isApproved ?? asItActs) : asItActs
    const result = resultOf(fault, outcomes).replaceAll(approved, success)
    const isUsual = result === success && usual.includes(`| ${way.happens} | ${does} |`)
    return isUsual ? [] : [`| ${way.happens} | ${does} | ${result} |`]
  })
  return { acts, success, unusual }
}
