/** Dashboards and alerts know the metrics of the gateway by their names, so `metrics.txt` lists them as they are released. */
import { assert, it } from "@effect/vitest"
import { allSources, files, read } from "../../scripts/Workspace.ts"

const names = files
  .filter((path) => allSources.test(path) && /^(?:gateway|packages\/sqlite)\//.test(path))
  .flatMap((path) => [...read(path).matchAll(/(?<![\w.])pay_[a-z_]+[a-z]/g)].map(([name]) => name))

it("the names of metrics are unchanged", () => {
  const frozen = read("tests/golden/metrics.txt").trimEnd().split("\n")
  assert.deepStrictEqual([...new Set(names)].sort(), frozen)
})
