/** What goes wrong on the way, from the table that runs every flow against it, with what the flow then does. */
import { readFileSync } from "node:fs"
import type { Group } from "./FlowsPage.ts"

const source = new URL("../../../tests/workflows/Table.test.ts", import.meta.url)

const again = "the same request goes again under the same `Idempotency-Key`; the gateway does it once"
const foundByStatus = "asks `status`, finds the order and goes on with it"

const shopperLeaves = "shopper leaves"

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
    happens: "The request is lost on its way",
    creates: "asks `status`: not found, before and after 45 quiet seconds; the identical request goes again",
    repeats: again
  },
  "answer lost": { happens: "It is done, the answer is lost", creates: foundByStatus, repeats: again },
  "answer late": { happens: "The answer comes when nobody waits any more", creates: foundByStatus, repeats: again },
  "answer twice": {
    happens: "The answer comes twice, the second time for another request",
    creates: "nothing: an answer that is not this request's is none, and what it was taken for is asked again"
  },
  "request late": {
    happens: "The request arrives when nobody waits any more",
    creates: "asks `status`, as above; where it was sent again, both are the same order",
    repeats: again
  },
  "request twice": {
    happens: "The request arrives twice",
    creates: "nothing: one `client_orderid` is one order",
    repeats: "nothing: one `Idempotency-Key` has one effect"
  },
  unreachable: {
    happens: "The gateway cannot be reached",
    creates: "the client tries three times; then it ends `Unreachable`, and is run again"
  },
  "callback first": {
    happens: "The callback comes before the answer",
    creates: "a callback only wakes: it asks `status`"
  },
  "callback never": {
    happens: "No callback comes",
    creates: "asks by itself: every 4 s for 5 minutes, every 7½ minutes up to an hour"
  },
  "callback forged": {
    happens: "A callback is forged",
    creates: "the inbox answers 403, the flow hears nothing of it"
  },
  "clock jumps": {
    happens: "The clock jumps by a day",
    creates: "waits are durations, and no identity holds the time"
  },
  "cut off": {
    happens: "Your program is cut off in the middle, by a timeout or whatever else",
    creates: "run again it finds the order and goes on with it",
    repeats: "run again it uses the same `Idempotency-Key`"
  },
  "begun twice": {
    happens: "Two parts of your program begin the same at once",
    creates: "one `client_orderid` is one order: both see its end",
    repeats: "one `Idempotency-Key` has one effect: both see its end"
  },
  "gateway dies": { happens: "The gateway is killed right after it", creates: foundByStatus, repeats: again },
  "merchant dies": {
    happens: "Your process is killed in the middle ([durable](../durable.md))",
    creates: "the next process goes on after the last step that is on the disk"
  },
  "dies at once": {
    happens: "Your process is killed before the request leaves ([durable](../durable.md))",
    creates: "a security code is nowhere kept: asks `status`, sends nothing, and is run again with the card",
    isApproved: "the next process begins it"
  },
  [shopperLeaves]: {
    happens: "The shopper closes the window",
    creates: "where the browser is needed, waits until the gateway's time is up"
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

/** The outcome; where variants of the flow end differently, each with its variants. */
const look = (variants: ReadonlyArray<ReadonlyArray<string>>, column: number): string => {
  const named = Map.groupBy(variants, (row) => row[column] ?? "?")
  const outcomes = [...named].map(([outcome, its]) => {
    const text = outcome.replace(/\b[A-Z]\w*/g, "`$&`").replace(", ", ", then ")
    return named.size === 1 ? text : `${text}: ${its.map(([name]) => name).join("; ")}`
  })
  return outcomes.join("<br>")
}

/** Rows of Markdown for these flows; none where the table does not run them by themselves. */
export const faultRows = (names: ReadonlyArray<string>, { acts, from }: Group): ReadonlyArray<string> => {
  const variants = rowsOf(names)
  if (variants.length === 0 || acts === "only waits") return []
  return head.flatMap((fault, column) => {
    if (column === 0 || fault === "nothing" || (fault === shopperLeaves && from.Abandoned === undefined)) return []
    const way = ways[fault]
    if (way === undefined) throw new Error(`packages/flows/scripts/Faults.ts does not say what flows do when: ${fault}`)
    const end = look(variants, column)
    const asItActs = acts === "repeats" ? (way.repeats ?? way.creates) : way.creates
    const does = end === "approved" ? (way.isApproved ?? asItActs) : asItActs
    // The table runs it where no browser is needed.
    const isAlone = fault === shopperLeaves && end === "approved"
    return [`| ${way.happens} | ${does} | ${isAlone ? `${end}; with a browser \`Abandoned\`` : end} |`]
  })
}
