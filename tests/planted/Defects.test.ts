/** Planted defects still apply to the source. Three commands show whether the simulation, the suite and the tests find each. */
import { assert, describe, it } from "vitest"
import { read } from "../../scripts/Workspace.ts"
import { defects } from "./Defects.ts"

describe("planted defects", () => {
  it("have unique names, and most are visible in the simulation and at the API", () => {
    assert.strictEqual(new Set(defects.map(({ name }) => name)).size, defects.length)
    assert.isAtLeast(defects.filter(({ inSimulation }) => inSimulation.is).length, 40)
    assert.isAtLeast(defects.filter(({ atApi }) => atApi.is).length, 35)
  })

  it.each(defects)("apply to exactly one place of the source: $name", ({ patch: { file, find, replace } }) => {
    assert.strictEqual(read(file).split(find).length - 1, 1, `${find} in ${file}`)
    assert.notStrictEqual(find, replace)
  })
})
