/** The simulated gateway on the SQLite engine and its files. */
import { assert, describe, it } from "vitest"
import * as Simulation from "../Simulation.ts"
import * as FileFaultRun from "./FileFaultRun.ts"
import * as SqliteFiles from "./SqliteFiles.ts"

const timeoutMs = 180_000

describe("a store on files", () => {
  it("opens with all rows, or refuses with a reason, after each fault of files; the same for the same seed", {
    timeout: timeoutMs
  }, async () => {
    const [one, other] = [await FileFaultRun.run(1, 3), await FileFaultRun.run(1, 3)]
    assert.deepStrictEqual(one.problems, [])
    assert.include(Object.keys(one.counts).join(), "refused")
    assert.strictEqual(one.hash, other.hash)
  })

  it("serves a whole run without a violation", { timeout: timeoutMs }, async () => {
    const { lines, problems } = await Simulation.run({ seed: 4, steps: 60, storage: SqliteFiles.sqlite() })
    assert.deepStrictEqual(problems, [], lines.slice(-200).join("\n"))
  })
})
