import { assert, describe, it } from "@effect/vitest"
import * as FairQueue from "../src/kernel/FairQueue.ts"
import * as Jobs from "../src/kernel/Jobs.ts"

/** Events of a queue, and the jobs under way afterwards: `+a1` adds job 1 of merchant a, `-a1` ends it. The limit is two. */
const table: ReadonlyArray<readonly [what: string, events: string, underWay: string]> = [
  ["jobs up to the limit", "+a1 +a2 +a3", "a1 a2"],
  ["the next job when one has ended", "+a1 +a2 +a3 -a1", "a2 a3"],
  ["the first job of a second merchant beyond the limit", "+a1 +a2 +a3 +b1", "a1 a2 b1"],
  ["one job of every merchant", "+a1 +a2 +b1 +c1 +d1", "a1 a2 b1 c1 d1"],
  ["no second job of a merchant beyond the limit", "+a1 +a2 +b1 +b2", "a1 a2 b1"],
  ["no further job of a merchant while more than the limit are under way", "+a1 +a2 +a3 +b1 -a1", "a2 b1"],
  ["jobs of the merchants by turns", "+a1 +a2 +a3 +a4 +b1 +b2 -a1 -a2", "b1 a3"],
  ["jobs of the merchants by turns again", "+a1 +a2 +a3 +a4 +b1 +b2 -a1 -a2 -a3", "b1 b2 a4"],
  ["a job of a merchant that has none under way", "+a1 +b1 +b2 +a2 +a3 -b1", "a1 b2"]
]

const jobOf = (name: string) =>
  Jobs.make({ kind: "bank", subject: name.slice(1), merchantId: name.slice(1, 2), nowMs: 0 })

describe("a fair queue with a limit of two", () => {
  it.each(table)("starts %s: %s", (_what, events, expected) => {
    const queue = FairQueue.make(2)
    const underWay: Array<string> = []
    for (const event of events.split(" ")) {
      const job = jobOf(event)
      if (event.startsWith("+")) queue.add(job)
      else {
        queue.end(job)
        underWay.splice(underWay.indexOf(job.subject), 1)
      }
      for (let next = queue.take(); next !== undefined; next = queue.take()) underWay.push(next.subject)
    }
    assert.strictEqual(underWay.join(" "), expected)
  })

  it("counts its jobs, and those of each merchant", () => {
    const queue = FairQueue.make(1)
    for (const name of ["+a1", "+a2", "+b1"]) queue.add(jobOf(name))
    assert.deepStrictEqual([queue.load(), queue.loadOf("a"), queue.loadOf("c")], [3, 2, 0])
    assert.deepStrictEqual(queue.merchants(), ["a", "b"])
    const first = queue.take()
    assert(first !== undefined)
    queue.end(first)
    assert.deepStrictEqual([queue.load(), queue.merchants()], [2, ["a", "b"]])
  })
})
