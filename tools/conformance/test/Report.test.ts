import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Check from "../src/Check.ts"
import type { Outcome, Run } from "../src/Conformance.ts"
import * as Report from "../src/Report.ts"
import * as ReportPage from "../src/ReportPage.ts"

const result = (id: string, outcome: Outcome) => ({
  check: Check.make({
    id,
    title: "a <title> & more",
    clause: "docs/specification.md#errors",
    needs: [],
    program: Effect.void
  }),
  outcome,
  tookMs: 20
})

const passed = result("acceptance/sale", { _tag: "Passed" })
const failed = result("states/void", { _tag: "Failed", message: 'expected "a" & <b>\u0007' })
const lacking = result("time/hold", { _tag: "Lacking", message: 'the file has no "clock"' })

const run = (...results: ReadonlyArray<typeof passed>): Run => ({
  baseUrl: "https://gateway.example",
  profile: "typed-errors",
  startedAtMs: 0,
  tookMs: 1500,
  results,
  choices: [],
  all: results.length,
  unfinished: undefined
})

describe("a report", () => {
  it("counts its checks, and names each failed check with its clause and each missing capability", () => {
    const text = Report.text(run(passed, failed, lacking))
    assert.include(text, "3 checks in 1.5 s: 1 passed, 1 failed, 1 not checked")
    assert.include(text, "FAILED  states/void: a <title> & more")
    assert.include(text, "docs/specification.md#errors")
    assert.include(text, 'not checked (1): the file has no "clock"')
  })

  it("passes if nothing failed and something was checked", () => {
    assert.isTrue(Report.isPassed(run(passed, lacking)))
    assert.isFalse(Report.isPassed(run(passed, failed)))
    assert.isFalse(Report.isPassed(run()))
  })

  it("says how far a run came that did not finish, in every form, and does not pass", () => {
    const stopped = { ...run(passed), all: 3, unfinished: "the gateway does not answer any more" }
    const says = "UNFINISHED: the gateway does not answer any more; 2 of 3 checks have no result"
    assert.isFalse(Report.isPassed(stopped))
    for (const report of [Report.text(stopped), Report.junit(stopped), ReportPage.write(stopped)])
      assert.include(report, says)
    const { all, outcome, unfinished } = Report.json(stopped)
    assert.deepStrictEqual([outcome, unfinished, all], ["unfinished", stopped.unfinished, 3])
  })

  it("names a choice of the gateway once, with the number of times", () => {
    const choices = [{ about: "another method than POST is answered with HTTP 404", count: 36 }]
    for (const report of [Report.text({ ...run(passed), choices }), ReportPage.write({ ...run(passed), choices })])
      assert.lengthOf(report.split("choice (36): another method than POST is answered with HTTP 404, which"), 2)
    assert.deepStrictEqual(Report.json({ ...run(passed), choices }).choices, choices)
  })

  it("is JSON for programs", () => {
    const json = Report.json(run(passed, failed))
    assert.strictEqual(json.outcome, "differs")
    assert.strictEqual(json.startedAt, "1970-01-01T00:00:00.000Z")
    assert.deepStrictEqual(
      json.checks.map(({ id, outcome }) => [id, outcome]),
      [
        ["acceptance/sale", "passed"],
        ["states/void", "failed"]
      ]
    )
  })

  it("is JUnit for build servers, with its text escaped", () => {
    const xml = Report.junit(run(passed, failed, lacking))
    assert.include(xml, '<testsuites name="conformance" tests="3" failures="1" errors="0" skipped="1" time="1.500">')
    assert.include(xml, '<testcase classname="acceptance" name="acceptance/sale" time="0.020"/>')
    assert.include(xml, '<failure message="expected &quot;a&quot; &amp; &lt;b&gt;">')
    assert.include(xml, "<skipped message=")
    assert.notInclude(xml, "\u0007")
  })

  it("is an HTML page that opens the failed groups, and loads nothing", () => {
    const html = ReportPage.write(run(passed, failed))
    assert.include(html, "<details open><summary><strong>states</strong>")
    assert.include(html, "<details><summary><strong>acceptance</strong>")
    assert.include(html, "a &lt;title&gt; &amp; more")
    assert.notMatch(html, /src=|href=/)
  })
})

describe("a check", () => {
  it("of an assumption in docs/assumptions.md needs a gateway that follows the assumptions", () => {
    const { needs } = Check.make({ ...passed.check, clause: "docs/assumptions.md#callback-delivery" })
    assert.deepStrictEqual(
      needs.map(({ name }) => name),
      ["assumptions"]
    )
  })
})
