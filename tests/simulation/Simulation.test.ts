/** Simulated runs: with every kind of fault, no money appears, disappears or moves twice. */
import { assert, describe, it } from "vitest"
import * as EveryFlow from "../workflows/EveryFlow.ts"
import * as MerchantActions from "./merchant/MerchantActions.ts"
import * as Shrink from "./Shrink.ts"
import * as Simulation from "./Simulation.ts"
import * as SqliteFiles from "./storage/SqliteFiles.ts"
import * as Storage from "./storage/Storage.ts"

const steps = 120

/** Without these options a run draws its store, and which merchants have durable flows. */
const inMemory = { steps: 30, storage: Storage.memory, durable: false }

const variants = [
  { variant: "in memory", ...inMemory },
  { variant: "on the SQLite engine", steps: 40, storage: SqliteFiles.sqlite(), durable: false },
  { variant: "with durable flows", steps: 40, storage: Storage.memory, durable: true }
]

describe("a simulated run", () => {
  it.each(variants)(
    "passes every check and gives the same trace for the same seed: $variant",
    async ({ variant: _, ...plan }) => {
      const [one, other] = [await Simulation.run({ ...plan, seed: 13 }), await Simulation.run({ ...plan, seed: 13 })]
      assert.deepStrictEqual(one.problems, [], one.lines.slice(-200).join("\n"))
      assert.strictEqual(one.hash, other.hash)
      assert.notStrictEqual((await Simulation.run({ ...plan, steps: 1, seed: 12 })).hash, one.hash)
    }
  )

  it("ends without faults that are left for a charge that falls due at the end", async () => {
    const kept = new Set([15, 65, 98, 103, 111])
    const without = new Set(Array.from({ length: steps }, (_, index) => index).filter((index) => !kept.has(index)))
    const { lines, problems } = await Simulation.run({
      seed: 755,
      steps,
      maxConcurrent: 1500,
      restores: false,
      without
    })
    assert.deepStrictEqual(problems, [], lines.slice(-200).join("\n"))
  })

  it("can draw every flow, and every program that is composed of flows", () => {
    const drawable = new Set([...MerchantActions.creations, ...MerchantActions.followers].map(({ flow }) => flow))
    const missing = [...EveryFlow.flows.map(({ name }) => name), "withAuthorization", "Resolve"].filter(
      (name) => !drawable.has(name)
    )
    assert.deepStrictEqual(missing, [])
  })

  it("is reduced to the shortest list of steps that still fails", async () => {
    const needed = [3, 40, 41]
    const { steps: remaining } = await Shrink.shrink(100, async (entries) =>
      needed.every((step) => entries.includes(step))
    )
    assert.deepStrictEqual(remaining, needed)
  })
})
