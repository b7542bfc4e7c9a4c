/** The progress of a long command distinguishes the versions of the sources, which it stores with its counts. */
import { assert, it } from "vitest"
import * as Progress from "./Progress.ts"

it("the hash of the sources covers the product and the simulation, without the folders that are ignored", () => {
  const hash = Progress.sourcesNow()
  assert.match(hash, /^[0-9a-f]{16}$/)
  assert.strictEqual(Progress.sourcesNow(), hash)
  for (const folder of ["packages/flows", "tests/simulation"])
    assert.notStrictEqual(Progress.sourcesNow([folder]), hash)
  assert.strictEqual(Progress.sourcesNow(["tools/vectors"]), hash)
})
