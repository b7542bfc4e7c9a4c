/** Simulated runs of a payment world: whatever happens in them, money is neither made, lost nor moved twice. */
import { assert, describe, it } from "vitest"
import * as EveryFlow from "../workflows/EveryFlow.ts"
import * as MerchantActions from "./merchant/MerchantActions.ts"
import * as Shrink from "./Shrink.ts"
import * as Simulation from "./Simulation.ts"
import * as SqliteFiles from "./storage/SqliteFiles.ts"
import * as Storage from "./storage/Storage.ts"

const steps = 120

/** Other runs draw their store, and which merchants' flows are durable: those two have tests of their own below. */
const inMemory = { steps, storage: Storage.memory, durable: false }

const variants = [
  { variant: "in memory", ...inMemory },
  { variant: "on the SQLite engine", steps: 40, storage: SqliteFiles.sqlite(), durable: false },
  { variant: "with durable flows", steps: 40, storage: Storage.memory, durable: true }
]

describe("a simulated world", () => {
  it.each(variants)("$variant is right, and the same for the same seed", async ({ variant: _, ...plan }) => {
    const [one, other] = [await Simulation.run({ ...plan, seed: 13 }), await Simulation.run({ ...plan, seed: 13 })]
    assert.deepStrictEqual(one.problems, [], one.lines.slice(-200).join("\n"))
    assert.strictEqual(one.hash, other.hash)
    assert.notStrictEqual((await Simulation.run({ ...plan, steps: 1, seed: 12 })).hash, one.hash)
  })

  it("has no trouble left at the end for a charge that falls due then", async () => {
    const kept = new Set([15, 65, 98, 103, 111])
    const without = new Set(Array.from({ length: steps }, (_, index) => index).filter((index) => !kept.has(index)))
    const { lines, problems } = await Simulation.run({ seed: 755, steps, maxConcurrent: 1500, without })
    assert.deepStrictEqual(problems, [], lines.slice(-200).join("\n"))
  })

  it("has merchants who want every flow, and the programs that are made of flows", () => {
    const wanted = new Set([...MerchantActions.creations, ...MerchantActions.followers].map(({ flow }) => flow))
    const missing = [...EveryFlow.flows.map(({ name }) => name), "withAuthorization", "Resolve"].filter(
      (name) => !wanted.has(name)
    )
    assert.deepStrictEqual(missing, [])
  })

  it("leaves out steps until the shortest run that fails is left", async () => {
    const needed = [3, 40, 41]
    const { kept } = await Shrink.shrink(100, async (entries) => needed.every((step) => entries.includes(step)))
    assert.deepStrictEqual(kept, needed)
  })
})
