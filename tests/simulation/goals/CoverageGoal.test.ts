/** A run with a coverage goal makes its transition, and every transition has a setup. */
import { assert, describe, it } from "vitest"
import * as Simulation from "../Simulation.ts"
import * as Steps from "../steps/Steps.ts"
import * as Storage from "../storage/Storage.ts"
import * as GoalSetups from "./GoalSetups.ts"
import * as OrderTransitions from "./OrderTransitions.ts"

describe("a run with a coverage goal", () => {
  it("makes its transition, meets its faults, and gives the same trace for the same seed", async () => {
    const goal = { transition: "deposit: unknown → failed", faults: ["rotateKey", "flood"] }
    const runOnce = () => Simulation.run({ seed: 3, steps: 40, storage: Storage.memory, durable: false, goal })
    const [one, other] = [await runOnce(), await runOnce()]
    assert.deepStrictEqual(one.problems, [], one.lines.slice(-200).join("\n"))
    assert.strictEqual(one.hash, other.hash)
    assert.includeMembers(Object.keys(one.transitions[goal.transition]?.faults ?? {}), goal.faults)
  })
})

describe("the transitions of orders", () => {
  it("have a setup with at least one merchant action each", () => {
    const without = OrderTransitions.all.filter((transition) => {
      const parsed = OrderTransitions.parse(transition)
      return parsed === undefined || GoalSetups.forTransition(parsed).actions.length === 0
    })
    assert.deepStrictEqual(without, [])
  })

  it("contain none that is excluded for its kind", () => {
    assert.isAbove(OrderTransitions.all.length, 100)
    for (const { transition } of OrderTransitions.exclusions)
      assert.isUndefined(OrderTransitions.all.find((each) => transition.test(each)))
  })
})

it("the setups of faults name existing faults only", () => {
  const faults = new Set(Steps.all.filter(({ isFault }) => isFault).map(({ name }) => name))
  assert.deepStrictEqual(
    Object.keys(GoalSetups.forFault).filter((name) => !faults.has(name)),
    []
  )
})
