import { expect, it } from "@effect/vitest"
import { count, promises } from "../../scripts/TestCount.ts"

const file = (status: string, ...tests: ReadonlyArray<string>) => ({
  name: "/repository/tests/system/Order.test.ts",
  status,
  assertionResults: tests.map((test) => ({
    ancestorTitles: ["an order"],
    title: `is ${test}`,
    status: test
  }))
})

it.each([
  [
    "tests over all files",
    [file("passed", "passed", "passed"), file("failed", "failed", "passed", "skipped")],
    1,
    "3 1 1"
  ],
  ["what was never run as skipped", [file("passed", "passed", "pending", "todo")], 0, "1 0 2"],
  ["a file that did not load as a failure", [file("passed", "passed"), file("failed")], 1, "1 1 0"],
  ["a set-up that failed as a failure", [file("failed", "skipped", "skipped")], 1, "0 1 2"],
  ["a runner that ended badly as a failure", [file("passed", "passed")], 1, "1 1 0"],
  ["a run that was killed as a failure", [file("passed", "passed")], null, "1 1 0"]
])("the last line of npm test counts %s", (_, testResults, code, line) => {
  const { passed, failed, skipped } = count({ testResults }, code)
  expect(`${passed} ${failed} ${skipped}`).toBe(line)
})

it("the last line of npm test counts a run without a report as a failure", () => {
  expect(count(undefined, 0)).toEqual({ passed: 0, failed: 1, skipped: 0 })
})

it("the last line of npm test counts a project that could not run here as skipped", () => {
  const report = { testResults: [file("passed", "passed", "skipped")] }
  expect(count(report, 0, 1)).toEqual({ passed: 1, failed: 0, skipped: 2 })
})

it("a run of npm test lists the promises of its files in an order that does not depend on the run", () => {
  const testResults = [file("passed", "passed", "failed")]
  expect(promises({ testResults }, "/repository")).toBe(
    "- tests/system/Order.test.ts: an order > is failed\n- tests/system/Order.test.ts: an order > is passed\n"
  )
})

it("the last line of npm test does not count a test that is left to npm run test:all", () => {
  const report = { testResults: [file("passed", "passed", "skipped")] }
  expect(count(report, 0, 0, (name) => name === "an order > is skipped")).toEqual({ passed: 1, failed: 0, skipped: 0 })
})
