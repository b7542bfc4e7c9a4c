/** Planted defects still apply to the source. `npm run simulate -- --planted` shows whether the simulation finds each. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "vitest"
import { planted } from "./planted/Planted.ts"

const root = join(import.meta.dirname, "../..")

describe("planted defects", () => {
  it("include at least forty visible ones, and each has a unique name", () => {
    assert.isAtLeast(planted.filter(({ visible }) => visible.is).length, 40)
    assert.strictEqual(new Set(planted.map(({ name }) => name)).size, planted.length)
  })

  it.each(planted)("apply to exactly one place of the source: $name", ({ patch: { file, find, replace } }) => {
    assert.strictEqual(readFileSync(join(root, file), "utf8").split(find).length - 1, 1, `${find} in ${file}`)
    assert.notStrictEqual(find, replace)
  })
})
