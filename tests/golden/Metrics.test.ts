/** Dashboards and alerts know the metrics of the gateway by their names. */
import { assert, it } from "@effect/vitest"
import { allSources, files, read } from "../../scripts/Workspace.ts"
import * as Frozen from "./Frozen.ts"

const names = files
  .filter((path) => allSources.test(path) && /^(?:gateway|packages\/sqlite)\//.test(path))
  .flatMap((path) => [...read(path).matchAll(/(?<![\w.])pay_[a-z_]+[a-z]/g)].map(([name]) => name))

it("the names of metrics are unchanged", () => {
  assert.deepStrictEqual(Frozen.missing("metrics", names), [], "removed or changed")
  assert.deepStrictEqual(Frozen.unlisted("metrics", names), [], "new, to be added to the frozen lines")
})
