/**
 * `npm test`: one vitest run over every project, including rules, packaging and examples, so that one report counts all tests. It
 * leaves the tests of `LeftForTestAll.ts` to `npm run test:all`, which calls this program with `--all`. Other arguments are passed
 * to vitest: `npm test -- --project signing`, `npm test -- Money`. Such a run leaves out nothing. Some projects need a program of the
 * machine. If it is missing and cannot be installed, these projects are left out and count as skipped. A run of everything lists
 * what the tests promise in `.reports/promises.md`.
 */
import { spawn } from "node:child_process"
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Left from "../tests/LeftForTestAll.ts"
import * as Chromium from "./Chromium.ts"
import * as Compiler from "./Compiler.ts"
import * as MemoryFolder from "./MemoryFolder.ts"
import * as Pgbouncer from "./Pgbouncer.ts"
import * as Postgres from "./Postgres.ts"
import * as Programs from "./Programs.ts"
import { count, nameOf, promises, type Report } from "./TestCount.ts"
import { compileCache, root } from "./Workspace.ts"

const isAll = process.argv.includes("--all")
const wanted = process.argv.slice(2).filter((argument) => argument !== "--all")
/** What a run of everything runs; undefined: the run is of some projects or files. */
const extent = wanted.length > 0 ? undefined : isAll ? "all" : "most"
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
    PAY_TEST: extent
  },
  stdio: ["ignore", "inherit", "inherit"]
})
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => child.kill(signal))

child.on("exit", (code) => {
  const report: Report | undefined = existsSync(reportFile) ? JSON.parse(readFileSync(reportFile, "utf8")) : undefined
  for (const made of [folder, memory]) if (made !== undefined) rmSync(made, { recursive: true, force: true })
  const names = report?.testResults.flatMap((file) => file.assertionResults.map(nameOf)) ?? []
  const missing = Left.files.filter((path) => !existsSync(join(root, path)))
  const unused = extent === undefined || leftOut.length > 0 ? [] : [...missing, ...Left.unused(names)]
  if (report !== undefined && extent !== undefined) {
    mkdirSync(join(root, ".reports"), { recursive: true })
    writeFileSync(join(root, ".reports/promises.md"), promises(report, root))
  }
  const { passed, failed, skipped } = count(report, code, leftOut.length, extent === "most" ? Left.isLeft : undefined)
  for (const { howToGet, tests } of leftOut) console.log(`The tests ${tests} were left out. To run them, ${howToGet}`)
  if (extent === "most") console.log("npm run test:all also runs the tests that tests/LeftForTestAll.ts names")
  for (const part of unused) console.log(`tests/LeftForTestAll.ts names no test and no file: ${part}`)
  console.log(`${passed} passed, ${failed + unused.length} failed, ${skipped} skipped`)
  process.exitCode = failed + unused.length === 0 ? 0 : 1
})
