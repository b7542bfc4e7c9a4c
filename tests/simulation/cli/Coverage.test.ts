/** The table of transitions and faults says what is filled, what cannot be, and what is empty. */
import { assert, it } from "vitest"
import * as Coverage from "./Coverage.ts"

const transition = "sale: authorizing → settled"

it("coverage counts filled, empty and impossible cells, including transitions that no run made", () => {
  const cells: Coverage.Cells = {}
  Coverage.add(cells, { [transition]: { count: 2, faults: { network: 1 } } })
  Coverage.add(cells, { [transition]: { count: 1, faults: { network: 1, merchantNetwork: 1 } } })
  assert.deepStrictEqual(cells[transition], { count: 3, faults: { network: 2, merchantNetwork: 1 } })
  const { contradicted, empty, faults, filled, impossible, transitions } = Coverage.of(cells)
  assert.strictEqual(filled, 2)
  assert.strictEqual(impossible % transitions, 0)
  assert.deepStrictEqual(contradicted, [])
  assert.lengthOf(empty.get(transition) ?? [], faults - 2 - impossible / transitions)
  assert.lengthOf(empty.get("deposit: unknown → failed") ?? [], faults - impossible / transitions)
})

it("coverage reports a filled cell that is listed as impossible", () => {
  const cells: Coverage.Cells = {}
  Coverage.add(cells, { [transition]: { count: 1, faults: { stubDown: 1 } } })
  assert.deepStrictEqual(Coverage.of(cells).contradicted, [`${transition} × stubDown`])
  assert.include(Coverage.lines(cells).join("\n"), `listed as impossible, but filled: ${transition} × stubDown`)
})
