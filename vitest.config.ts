import { readdirSync } from "node:fs"
import { join } from "node:path"
import { defineConfig } from "vitest/config"
import * as Chromium from "./scripts/Chromium.ts"
import * as Compiler from "./scripts/Compiler.ts"
import * as Pgbouncer from "./scripts/Pgbouncer.ts"
import * as Postgres from "./scripts/Postgres.ts"
import * as Programs from "./scripts/Programs.ts"

/** Groups run one after the other, what fails fastest first. */
const RULES = 0
const UNITS = 1
const WHOLE = 2
const RELEASE = 3

const subfolders = (folder: string) =>
  readdirSync(join(import.meta.dirname, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== "node_modules")
    .map((entry) => ({ name: entry.name, path: join(folder, entry.name) }))

/**
 * Projects whose files get a module graph of their own each: they replace modules (signing), put card numbers into metrics on purpose
 * (canary), or run one tool after another (rules). The others keep theirs for all files of a worker, which spares a third of their time:
 * a gateway under test has numbers of its own, and other modules hold no state.
 */
const isolated = new Set(["rules", "canary", "signing"])

/** Without a root of its own a project shares one server, which transforms each module once for all of them. */
const project = (name: string, folder: string, include: string, groupOrder: number) => ({
  extends: true as const,
  test: {
    name,
    include: [`${folder}/${include}`],
    sequence: { groupOrder },
    globalSetup: setups[name] ?? [],
    maxConcurrency: sideBySide[name] ?? 5,
    env: memory === undefined || onDisk.has(name) ? {} : { TMPDIR: memory },
    isolate: isolated.has(name)
  }
})

/** Projects whose files are on the machine's disk: what survives there is tested, or what is installed there. The others' are in memory. */
const onDisk = new Set(["crash", "disk", "postgres", "processes", "release"])
const memory = process.env.PAY_TEST_MEMORY

/** What is made once, before the tests of a project. */
const setups: Record<string, string> = {
  "app-cli": join(import.meta.dirname, "apps/cli/test/Build.ts"),
  processes: join(import.meta.dirname, "tests/processes/Build.ts"),
  release: join(import.meta.dirname, "tests/release/Build.ts")
}

/** How many tests of a file run at once, where it says that they may; default: 5. A page takes more of a processor than a flow. */
const sideBySide: Record<string, number> = { browser: 2 }

/** What of the machine a project needs; left out where it is not there, and `npm test` says so. */
const needs: Record<string, () => string | undefined> = {
  "app-docs": Programs.find,
  browser: Chromium.find,
  cluster: Postgres.find,
  disk: Compiler.find,
  growth: Postgres.find,
  move: Postgres.find,
  pgbouncer: Pgbouncer.find,
  postgres: Postgres.find,
  processes: Postgres.find
}
const runsHere = (name: string) => needs[name] === undefined || needs[name]() !== undefined

const wholes: Record<string, number> = { rules: RULES, release: RELEASE }

export default defineConfig({
  test: {
    // Shared machines are five times slower at times: a time-out is there to end what hangs, not to judge speed.
    testTimeout: 240_000,
    hookTimeout: 480_000,
    // For two cores: tests wait a third of their time, for processes that they start, disks and browsers.
    maxWorkers: 3,
    projects: [
      ...subfolders("packages").map(({ name, path }) => project(name, path, "test/**/*.test.ts", UNITS)),
      ...subfolders("apps")
        .filter(({ name }) => runsHere(`app-${name}`))
        .map(({ name, path }) => project(`app-${name}`, path, "test/**/*.test.ts", UNITS)),
      ...subfolders("tests")
        .filter(({ name }) => runsHere(name))
        .map(({ name, path }) => project(name, path, "**/*.test.ts", wholes[name] ?? WHOLE)),
      project("examples", "examples", "*.test.ts", RELEASE)
    ]
  }
})
