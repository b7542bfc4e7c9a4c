import { readdirSync } from "node:fs"
import { join } from "node:path"
import { configDefaults, defineConfig } from "vitest/config"
import * as Chromium from "./scripts/Chromium.ts"
import * as Compiler from "./scripts/Compiler.ts"
import * as Pgbouncer from "./scripts/Pgbouncer.ts"
import * as Postgres from "./scripts/Postgres.ts"
import * as Programs from "./scripts/Programs.ts"
import * as LeftForTestAll from "./tests/LeftForTestAll.ts"

/** `npm test` runs most tests: it leaves some to `npm run test:all`. */
const isMost = process.env.PAY_TEST === "most"
const excluded = isMost ? LeftForTestAll.files.map((path) => (path.endsWith("/") ? `${path}**` : path)) : []

interface Folder {
  readonly name: string
  readonly include: string
}

const subfolders = (folder: string) =>
  readdirSync(join(import.meta.dirname, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== "node_modules")
    .map((entry) => ({ name: entry.name, path: join(folder, entry.name) }))

/**
 * Projects whose files get a module graph of their own each: they run one tool after another. The others keep theirs for all files of a
 * worker, which spares a third of their time: a gateway under test has numbers of its own, and other modules hold no state.
 */
const isolated = new Set(["rules"])

/**
 * One project of vitest for these folders. Without a root of its own a project shares one server, which transforms each module once for
 * all of them.
 */
const project = (name: string, folders: readonly [Folder, ...ReadonlyArray<Folder>]) => {
  const [first] = folders
  const names = folders.map((folder) => folder.name)
  return {
    extends: true as const,
    test: {
      name,
      include: folders.map(({ include }) => include),
      exclude: [...configDefaults.exclude, ...excluded],
      globalSetup: [...new Set(names.flatMap((each) => setups[each] ?? []))],
      maxConcurrency: sideBySide[first.name] ?? 5,
      env: memory === undefined || onDisk.has(first.name) ? {} : { TMPDIR: memory },
      isolate: isolated.has(first.name)
    }
  }
}

/**
 * What folders of one project have in common. Projects begin in the order of their names: what has the longest tests first, so that at the
 * end no processor waits for one of them.
 */
const needsOf = ({ name }: Folder): string =>
  [
    isolated.has(name) ? "alone" : "together",
    onDisk.has(name) ? "disk" : "memory",
    ...(name in sideBySide ? [`${sideBySide[name]} at once`] : [])
  ].join(", ")

/**
 * A worker is for one project. In a run of everything, folders with the same needs are one project and share its workers: starting one and
 * loading its modules takes as long as hundreds of tests. Otherwise each folder is a project by its name.
 */
const projects = (folders: ReadonlyArray<Folder>) => {
  if (process.env.PAY_TEST === undefined) return folders.map((folder) => project(folder.name, [folder]))
  const shared = new Map<string, [Folder, ...Array<Folder>]>()
  for (const folder of folders) {
    const others = shared.get(needsOf(folder))
    if (others === undefined) shared.set(needsOf(folder), [folder])
    else others.push(folder)
  }
  return [...shared].map(([needs, each]) => project(needs, each))
}

/** Projects whose files are on the machine's disk: what survives there is tested, or what is installed there. The others' are in memory. */
const onDisk = new Set(["crash", "disk", "postgres", "processes", "release"])
const memory = process.env.PAY_TEST_MEMORY

const fromRoot = (path: string) => join(import.meta.dirname, path)
const bundles = fromRoot("tests/harness/Build.ts")
const storeTemplate = fromRoot("tests/postgres/Build.ts")

/** The packages as they are published. Their tests are left to `npm run test:all`. */
const packages = isMost ? [] : [fromRoot("tests/release/Build.ts")]

/** What is made once, before the tests of a project. */
const setups: Record<string, ReadonlyArray<string>> = {
  "app-cli": [fromRoot("apps/cli/test/Build.ts")],
  cluster: [bundles],
  crash: [bundles],
  disk: [bundles],
  move: [bundles, storeTemplate],
  pgbouncer: [storeTemplate],
  postgres: [storeTemplate],
  processes: [bundles, storeTemplate],
  release: packages,
  services: [bundles, ...packages],
  shop: [bundles]
}

/** How many tests of a file run at once, where it says that they may; default: 5. A page takes more of a processor than a flow. */
const sideBySide: Record<string, number> = { browser: 2 }

/** What of the machine a project needs; left out where it is not there, and `npm test` says so. */
const needs: Record<string, () => string | undefined> = {
  docs: Programs.find,
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

const tests = "test/**/*.test.ts"

const folders: ReadonlyArray<Folder> = [
  ...["packages", "gateway", "acquirers", "tools"]
    .flatMap(subfolders)
    .map(({ name, path }): Folder => ({ name, include: `${path}/${tests}` })),
  ...subfolders("apps").map(({ name, path }): Folder => ({ name: `app-${name}`, include: `${path}/${tests}` })),
  ...subfolders("tests").map(({ name, path }): Folder => ({ name, include: `${path}/**/*.test.ts` })),
  { name: "examples", include: "examples/*.test.ts" }
]

export default defineConfig({
  test: {
    // Shared machines are five times slower at times: a time-out is there to end what hangs, not to judge speed.
    testTimeout: 240_000,
    hookTimeout: 480_000,
    ...(isMost ? { testNamePattern: LeftForTestAll.testNamePattern } : {}),
    // For two cores: tests wait a third of their time, for processes that they start, disks and browsers.
    maxWorkers: 3,
    // What tests that pass print is seen nowhere: thousands of lines of log.
    silent: "passed-only",
    projects: projects(folders.filter(({ name }) => runsHere(name)))
  }
})
