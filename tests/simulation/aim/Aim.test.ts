/** Lives that aim at a move make it, and each move has something that leads to it. */
import { assert, describe, it } from "vitest"
import * as Simulation from "../Simulation.ts"
import * as Steps from "../steps/Steps.ts"
import * as Storage from "../storage/Storage.ts"
import * as Leads from "./Leads.ts"
import * as Moves from "./Moves.ts"

describe("a life that aims at a move", () => {
  it("makes it, meets the faults, and is the same for the same seed", async () => {
    const aim = { move: "deposit: uncertain → failed", faults: ["rotate", "flood"] }
    const lived = () => Simulation.run({ seed: 3, steps: 40, storage: Storage.memory, durable: false, aim })
    const [one, other] = [await lived(), await lived()]
    assert.deepStrictEqual(one.problems, [], one.lines.slice(-200).join("\n"))
    assert.strictEqual(one.hash, other.hash)
    assert.includeMembers(Object.keys(one.transitions[aim.move]?.faults ?? {}), aim.faults)
  })
})

describe("the moves of orders", () => {
  it("are led to by something that merchants ask for", () => {
    const without = Moves.all.filter((move) => {
      const parsed = Moves.parse(move)
      return parsed === undefined || Leads.of(parsed).wishes.length === 0
    })
    assert.deepStrictEqual(without, [])
  })

  it("are ruled out for a reason that rules something out", () => {
    assert.isAbove(Moves.all.length, 100)
    for (const { move } of Moves.ruled) assert.isUndefined(Moves.all.find((each) => move.test(each)))
  })
})

it("what faults befall is of faults that there are", () => {
  const faults = new Set(Steps.all.filter(({ isFault }) => isFault).map(({ name }) => name))
  assert.deepStrictEqual(
    Object.keys(Leads.ofFault).filter((name) => !faults.has(name)),
    []
  )
})
