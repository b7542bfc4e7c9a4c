/** The table of moves and faults says what is filled, what cannot be, and what is empty. */
import { assert, it } from "vitest"
import * as Coverage from "./Coverage.ts"

const move = "sale: authorizing → settled"

it("knows filled, empty and impossible cells, also of moves that nobody has seen", () => {
  const cells: Coverage.Cells = {}
  Coverage.add(cells, { [move]: { count: 2, faults: { network: 1 } } })
  Coverage.add(cells, { [move]: { count: 1, faults: { network: 1, line: 1 } } })
  assert.deepStrictEqual(cells[move], { count: 3, faults: { network: 2, line: 1 } })
  const { contradicted, empty, faults, filled, impossible, moves } = Coverage.of(cells)
  assert.strictEqual(filled, 2)
  assert.strictEqual(impossible % moves, 0)
  assert.deepStrictEqual(contradicted, [])
  assert.lengthOf(empty.get(move) ?? [], faults - 2 - impossible / moves)
  assert.lengthOf(empty.get("deposit: uncertain → failed") ?? [], faults - impossible / moves)
})

it("says where a cell is filled that was said to be impossible", () => {
  const cells: Coverage.Cells = {}
  Coverage.add(cells, { [move]: { count: 1, faults: { stubDown: 1 } } })
  assert.deepStrictEqual(Coverage.of(cells).contradicted, [`${move} × stubDown`])
  assert.include(Coverage.lines(cells).join("\n"), `not impossible, for it is filled: ${move} × stubDown`)
})
