/** Defects that are planted on purpose: each still has its place; `npm run simulate -- --planted` says whether each is found. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "vitest"
import { planted } from "./planted/Planted.ts"

const root = join(import.meta.dirname, "../..")

describe("planted defects", () => {
  it("are at least forty that can be seen, each under a name of its own", () => {
    assert.isAtLeast(planted.filter(({ visible }) => visible.is).length, 40)
    assert.strictEqual(new Set(planted.map(({ name }) => name)).size, planted.length)
  })

  it.each(planted)("have their place: $name", ({ patch: { file, find, replace } }) => {
    assert.strictEqual(readFileSync(join(root, file), "utf8").split(find).length - 1, 1, `${find} in ${file}`)
    assert.notStrictEqual(find, replace)
  })
})
