/**
 * `npm test`: one vitest run over every project, house rules, packaging and examples included, so that one report
 * counts them all. Arguments go to vitest: `npm test -- --project signing`, `npm test -- Money`. The browser's project
 * needs a browser: where there is none, and none can be installed, it is left out and counts as one that was skipped.
 */
import { spawn } from "node:child_process"
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Chromium from "./Chromium.ts"
import { count, type Report } from "./TestCount.ts"
import { root } from "./Workspace.ts"

const wanted = process.argv.slice(2)
const wantsBrowser = wanted.length === 0 || wanted.some((argument) => argument.includes("browser"))
const withoutBrowser = wantsBrowser && Chromium.findOrInstall() === undefined

const folder = mkdtempSync(join(tmpdir(), "pay-test-"))
const reportFile = join(folder, "report.json")
const vitest = join(root, "node_modules/vitest/vitest.mjs")
const options = ["run", "--reporter=default", "--reporter=json", `--outputFile.json=${reportFile}`]

const child = spawn(process.execPath, [vitest, ...options, ...wanted], {
  cwd: root,
  stdio: ["ignore", "inherit", "inherit"]
})
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => child.kill(signal))

child.on("exit", (code) => {
  const report: Report | undefined = existsSync(reportFile) ? JSON.parse(readFileSync(reportFile, "utf8")) : undefined
  rmSync(folder, { recursive: true, force: true })
  const { passed, failed, skipped } = count(report, code, withoutBrowser ? 1 : 0)
  if (withoutBrowser) console.log(`The tests in a real browser were left out; to run them, ${Chromium.howToGet}`)
  console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`)
  process.exitCode = failed === 0 ? 0 : 1
})
