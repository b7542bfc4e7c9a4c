/**
 * `npm test`: one vitest run over every project, including rules, packaging and examples, so that one report counts all tests.
 * Arguments are passed to vitest: `npm test -- --project signing`, `npm test -- Money`. Some projects need a program of the
 * machine. If it is missing and cannot be installed, these projects are left out and count as skipped. A run of everything lists
 * what the tests promise in `.reports/promises.md`.
 */
import { spawn } from "node:child_process"
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Chromium from "./Chromium.ts"
import * as Compiler from "./Compiler.ts"
import * as MemoryFolder from "./MemoryFolder.ts"
import * as Pgbouncer from "./Pgbouncer.ts"
import * as Postgres from "./Postgres.ts"
import * as Programs from "./Programs.ts"
import { count, promises, type Report } from "./TestCount.ts"
import { compileCache, root } from "./Workspace.ts"

const wanted = process.argv.slice(2)
const isWanted = (project: string): boolean =>
  wanted.length === 0 || wanted.some((argument) => argument.toLowerCase().includes(project))
const leftOut = [
  { project: "browser", tests: "in a real browser", ...Chromium },
  { project: "cluster", tests: "of runners on PostgreSQL", ...Postgres },
  { project: "postgres", tests: "of the store on PostgreSQL and its failures", ...Postgres },
  { project: "pgbouncer", tests: "of a pool in front of PostgreSQL", ...Pgbouncer },
  { project: "docs", tests: "of the documentation and its snippets", ...Programs },
  { project: "disk", tests: "of storage faults", ...Compiler }
].filter(({ findOrInstall, project }) => isWanted(project) && findOrInstall() === undefined)

const folder = mkdtempSync(join(tmpdir(), "pay-test-"))
const reportFile = join(folder, "report.json")
const vitest = join(root, "node_modules/vitest/vitest.mjs")
const options = ["run", "--reporter=default", "--reporter=json", `--outputFile.json=${reportFile}`]

const memory = MemoryFolder.make()

const child = spawn(process.execPath, [vitest, ...options, ...wanted], {
  cwd: root,
  env: {
    NODE_COMPILE_CACHE: compileCache,
    PAY_TEST_MEMORY: memory,
    ...process.env,
    // A test runs `npm test` itself, for one project.
    PAY_TEST_ALL: wanted.length === 0 ? "all" : undefined
  },
  stdio: ["ignore", "inherit", "inherit"]
})
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => child.kill(signal))

child.on("exit", (code) => {
  const report: Report | undefined = existsSync(reportFile) ? JSON.parse(readFileSync(reportFile, "utf8")) : undefined
  for (const made of [folder, memory]) if (made !== undefined) rmSync(made, { recursive: true, force: true })
  if (report !== undefined && wanted.length === 0) {
    mkdirSync(join(root, ".reports"), { recursive: true })
    writeFileSync(join(root, ".reports/promises.md"), promises(report, root))
  }
  const { passed, failed, skipped } = count(report, code, leftOut.length)
  for (const { howToGet, tests } of leftOut) console.log(`The tests ${tests} were left out. To run them, ${howToGet}`)
  console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`)
  process.exitCode = failed === 0 ? 0 : 1
})
