/** Lives that aim at a transition make it, and each transition has something that leads to it. */
import { assert, describe, it } from "vitest"
import * as Simulation from "../Simulation.ts"
import * as Steps from "../steps/Steps.ts"
import * as Storage from "../storage/Storage.ts"
import * as GoalSetups from "./GoalSetups.ts"
import * as OrderTransitions from "./OrderTransitions.ts"

describe("a run with a coverage goal", () => {
  it("creates its transition, meets its faults, and is the same for the same seed", async () => {
    const goal = { transition: "deposit: uncertain → failed", faults: ["rotate", "flood"] }
    const lived = () => Simulation.run({ seed: 3, steps: 40, storage: Storage.memory, durable: false, goal })
    const [one, other] = [await lived(), await lived()]
    assert.deepStrictEqual(one.problems, [], one.lines.slice(-200).join("\n"))
    assert.strictEqual(one.hash, other.hash)
    assert.includeMembers(Object.keys(one.transitions[goal.transition]?.faults ?? {}), goal.faults)
  })
})

describe("the transitions of orders", () => {
  it("are led to by something that merchants ask for", () => {
    const without = OrderTransitions.all.filter((transition) => {
      const parsed = OrderTransitions.parse(transition)
      return parsed === undefined || GoalSetups.of(parsed).actions.length === 0
    })
    assert.deepStrictEqual(without, [])
  })

  it("are ruled out for a reason that rules something out", () => {
    assert.isAbove(OrderTransitions.all.length, 100)
    for (const { transition } of OrderTransitions.ruled)
      assert.isUndefined(OrderTransitions.all.find((each) => transition.test(each)))
  })
})

it("what faults befall is of faults that there are", () => {
  const faults = new Set(Steps.all.filter(({ isFault }) => isFault).map(({ name }) => name))
  assert.deepStrictEqual(
    Object.keys(GoalSetups.ofFault).filter((name) => !faults.has(name)),
    []
  )
})
