/** The expressions of the dashboard, which nothing opens in Grafana: each metric has one, and Prometheus can read it. */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { temporaryFolder } from "../../packages/sqlite/test/TemporaryFolder.ts"
import { read } from "../../scripts/Workspace.ts"
import * as Kit from "./Kit.ts"

const expressions = [...Kit.read("grafana/dashboard.json").matchAll(/"expr": "(.+)"/g)].map(([, text = ""]) => text)

describe("deploy/grafana/dashboard.json", () => {
  it("shows every metric of the gateway", () => {
    const names = read("tests/golden/metrics.txt").trimEnd().split("\n")
    assert.lengthOf(expressions, names.length)
    assert.deepStrictEqual(
      names.filter((name) => !expressions.some((each) => each.includes(name))),
      []
    )
  })

  it.live(`has expressions that Prometheus reads${Kit.unless("promtool")}`, () =>
    Effect.gen(function* () {
      const path = join(yield* temporaryFolder, "rules.yml")
      const rules = expressions.map((expr, index) => ({
        record: `panel_${index}`,
        expr: expr.replaceAll("$__rate_interval", "5m")
      }))
      // JSON is YAML, too.
      writeFileSync(path, JSON.stringify({ groups: [{ name: "panels", rules }] }))
      const verdict = yield* Effect.promise(() => Kit.ran("promtool", ["check", "rules", path]))
      assert.strictEqual(verdict?.code ?? 0, 0, verdict?.text)
    })
  )
})
