/** The alerts of Prometheus: one for each metric that the page for operators names, of metrics that the gateway has. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { read } from "../../scripts/Workspace.ts"
import * as Documents from "../rules/Documents.ts"
import * as Kit from "./Kit.ts"

const alerts = Kit.read("prometheus/alerts.yml")
const metricsOf = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(/pay_[a-z_]+[a-z]/g)].map(([name]) => name.replace(/_(?:bucket|count)$/, ""))

const [, table = ""] = read("docs/operators/monitoring.md").split("## Metrics to alert on")
const described = table
  .split("## ")[0]
  ?.split("\n")
  .filter((line) => line.startsWith("| `pay_"))
  .map((line) => line.split(" | ")[0] ?? "")

describe("deploy/prometheus/alerts.yml", () => {
  it("asks only for metrics that the gateway has", () => {
    const released = new Set(read("tests/golden/metrics.txt").trimEnd().split("\n"))
    assert.deepStrictEqual(
      metricsOf(alerts).filter((name) => !released.has(name)),
      []
    )
  })

  it("has an alert for each metric on the page for operators", () => {
    const used = new Set(metricsOf(alerts))
    const names = metricsOf(described?.join("\n") ?? "")
    assert.isAbove(names.length, 25)
    assert.deepStrictEqual(
      names.filter((name) => !used.has(name)),
      []
    )
  })

  it("gives each alert a severity, a summary and a page that exists", () => {
    const all = alerts.split("- alert: ").slice(1)
    for (const each of all) {
      assert.match(each, /severity: (?:page|ticket)\n/)
      assert.match(each, /summary: ".+\."\n {10}page: docs\/operators\/\S+\n/)
    }
    const page = (path: string) => {
      try {
        return read(path)
      } catch {
        return undefined
      }
    }
    assert.deepStrictEqual(Documents.deadCitations(alerts, page), [])
  })

  it("has a unit test that raises each alert", () => {
    const names = [...alerts.matchAll(/- alert: (\w+)/g)].map(([, name]) => name).sort()
    const raised = [...Kit.read("prometheus/alerts.test.yml").matchAll(/alertname="(\w+)"/g)].map(([, name]) => name)
    assert.deepStrictEqual(raised, names)
  })

  it.live(`passes its unit tests with the programs of the machine${Kit.unless("promtool")}`, () =>
    Effect.gen(function* () {
      const path = Kit.path("prometheus/alerts.test.yml")
      const verdict = yield* Effect.promise(() => Kit.ran("promtool", ["test", "rules", path]))
      assert.strictEqual(verdict?.code ?? 0, 0, verdict?.text)
    })
  )
})
