import { assert, describe, it } from "@effect/vitest"
import * as FairQueue from "../src/kernel/FairQueue.ts"
import * as Jobs from "../src/kernel/Jobs.ts"

/** What happens to the queue in turn, and which jobs are under way then: `+a1` adds, `-a1` ends. Two are under way at once. */
const table: ReadonlyArray<readonly [what: string, happens: string, underWay: string]> = [
  ["up to the limit at once", "+a1 +a2 +a3", "a1 a2"],
  ["the next when one has ended", "+a1 +a2 +a3 -a1", "a2 a3"],
  ["the first of a merchant beyond the limit", "+a1 +a2 +a3 +b1", "a1 a2 b1"],
  ["of every merchant", "+a1 +a2 +b1 +c1 +d1", "a1 a2 b1 c1 d1"],
  ["one beyond the limit, and no second", "+a1 +a2 +b1 +b2", "a1 a2 b1"],
  ["none of whoever has enough while there are more than the limit", "+a1 +a2 +a3 +b1 -a1", "a2 b1"],
  ["merchants in turns", "+a1 +a2 +a3 +a4 +b1 +b2 -a1 -a2", "b1 a3"],
  ["and in turns again", "+a1 +a2 +a3 +a4 +b1 +b2 -a1 -a2 -a3", "b1 b2 a4"],
  ["whoever has none under way any more", "+a1 +b1 +b2 +a2 +a3 -b1", "a1 b2"]
]

const jobOf = (name: string) =>
  Jobs.make({ kind: "bank", subject: name.slice(1), merchantId: name.slice(1, 2), nowMs: 0 })

describe("a queue of which two jobs are under way at once begins", () => {
  it.each(table)("%s: %s", (_what, happens, expected) => {
    const queue = FairQueue.make(2)
    const underWay: Array<string> = []
    for (const event of happens.split(" ")) {
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

  it("and knows what it has of whom", () => {
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
