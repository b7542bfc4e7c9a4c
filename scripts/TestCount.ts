/** The parts of vitest's JSON report that are counted. */
export interface Report {
  readonly testResults: ReadonlyArray<{
    readonly status: string
    readonly assertionResults: ReadonlyArray<{ readonly status: string }>
  }>
}

/**
 * Counts a run from the runner's own report. What failed without a test of its own counts as one failure, so that no
 * failed run can show `0 failed`: a file that did not load, a runner that ended badly, or left no report at all.
 * `leftOut`: projects that could not run on this machine, which count as skipped.
 */
export const count = (report: Report | undefined, exitCode: number | null, leftOut = 0) => {
  const results = report?.testResults ?? []
  const tests = results.flatMap((file) => file.assertionResults.map((test) => test.status))
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
