import { relative } from "node:path"

/** The parts of vitest's JSON report that are counted and listed. */
export interface Report {
  readonly testResults: ReadonlyArray<{
    readonly name: string
    readonly status: string
    readonly assertionResults: ReadonlyArray<{
      readonly ancestorTitles: ReadonlyArray<string>
      readonly title: string
      readonly status: string
    }>
  }>
}

type Test = Report["testResults"][number]["assertionResults"][number]

/** Returns the full name of a test, as vitest compares it with a pattern. */
export const nameOf = ({ ancestorTitles, title }: Test): string => [...ancestorTitles, title].join(" > ")

/**
 * Counts the tests of a run from vitest's report. A failure without a failed test counts as one failure, so that a failed run
 * never shows `0 failed`: a file that did not load, or a runner that failed or left no report. `leftOut`: the number of projects
 * that could not run on this machine, which count as skipped. `isLeft`: whether a test is left to a longer run, and not counted.
 */
export const count = (
  report: Report | undefined,
  exitCode: number | null,
  leftOut = 0,
  isLeft = (_name: string): boolean => false
) => {
  const results = report?.testResults ?? []
  const tests = results.flatMap((file) =>
    file.assertionResults.filter((test) => !isLeft(nameOf(test))).map((test) => test.status)
  )
  const brokenFiles = results.filter(
    (file) => file.status === "failed" && !file.assertionResults.some((test) => test.status === "failed")
  )
  const passed = tests.filter((status) => status === "passed").length
  const failed = tests.filter((status) => status === "failed").length + brokenFiles.length
  const endedBadly = exitCode !== 0 || report === undefined
  return {
    passed,
    failed: Math.max(failed, endedBadly ? 1 : 0),
    skipped: leftOut + tests.length - passed - (failed - brokenFiles.length)
  }
}

/**
 * Lists what the tests of a run promise: a line for each test, with its file, its groups and its title. The order does not depend
 * on the run, so that the lists of two commits can be compared.
 */
export const promises = ({ testResults }: Report, root: string): string => {
  const lines = testResults.flatMap(({ assertionResults, name }) =>
    assertionResults.map((test) => `${relative(root, name)}: ${nameOf(test)}`)
  )
  return lines
    .map((line) => `- ${line.replaceAll("\n", " ")}\n`)
    .sort()
    .join("")
}
