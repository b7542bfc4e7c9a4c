/**
 * The tests that run on other runtimes of JavaScript, too: the shop of `docs/merchants/client.md`, receivers of callbacks on web frameworks, the
 * example on Next.js, and the network as `fetch` reports it.
 */
import { spawnSync } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { root } from "../../../scripts/Workspace.ts"
import * as Progress from "./Progress.ts"

/** One promise of the client on one runtime. */
export interface ShopRun {
  /** `the shop of docs/merchants/client.md on hono, run by bun 1.4.5`, `the network, as fetch reports it on bun 1.4.5` */
  readonly shop: string
  readonly promise: string
  readonly problem: string | undefined
}

interface Report {
  readonly testResults: ReadonlyArray<{
    readonly message: string
    readonly assertionResults: ReadonlyArray<{
      readonly status: string
      readonly ancestorTitles: ReadonlyArray<string>
      readonly title: string
      readonly failureMessages: ReadonlyArray<string>
    }>
  }>
}

/** The tests of one file whose group begins with this title. */
export interface Suite {
  readonly project: string
  readonly file: string
  readonly title: string
}

const suites: ReadonlyArray<Suite> = [
  { project: "release", file: "tests/release/client.test.ts", title: "the shop of docs/merchants/client.md" },
  { project: "release", file: "tests/release/projects.test.ts", title: "the client " },
  { project: "release", file: "tests/release/packaging.test.ts", title: "the libraries on " },
  {
    project: "release",
    file: "tests/release/receivers.test.ts",
    title: "the receiver of docs/merchants/callback-receivers.md"
  },
  { project: "release", file: "tests/release/nextjs.test.ts", title: "the crash test of the example on next" },
  { project: "transport", file: "packages/transport/test/Network.test.ts", title: "" }
]

/** Reads the report of a suite. One that has no report, or no test of these titles, has not begun. */
export const runsOf = ({ file, title }: Suite, report: Report | undefined): ReadonlyArray<ShopRun> => {
  const runs = (report?.testResults ?? []).flatMap(({ assertionResults, message }) =>
    message === ""
      ? assertionResults
          .filter(({ ancestorTitles: [shop = ""] }) => shop.startsWith(title))
          .map(({ ancestorTitles: [shop = ""], failureMessages, status, title: promise }) => ({
            shop,
            promise,
            problem: status === "passed" ? undefined : failureMessages.join("\n").slice(0, 300)
          }))
      : [{ shop: file, promise: "begins", problem: message.slice(0, 300) }]
  )
  return runs.length > 0 ? runs : [{ shop: file, promise: "begins", problem: "it has run no test" }]
}

const runOne = (folder: string, suite: Suite, index: number, print: Progress.Print): ReadonlyArray<ShopRun> => {
  const { file, project, title } = suite
  print(Progress.begins(file))
  const reportFile = join(folder, `suite-${index}.json`)
  const vitest = join(root, "node_modules/vitest/vitest.mjs")
  const reporters = ["--reporter=verbose", "--reporter=json", `--outputFile=${reportFile}`]
  spawnSync(process.execPath, [vitest, "run", file, "--project", project, ...reporters, "-t", title], {
    cwd: root,
    env: { ...process.env, PAY_OTHER_RUNTIMES: "1" },
    stdio: ["ignore", "inherit", "inherit"]
  })
  const runs = runsOf(suite, existsSync(reportFile) ? JSON.parse(readFileSync(reportFile, "utf8")) : undefined)
  for (const { problem, promise, shop } of runs) print(Progress.ended(`${shop}: ${promise}`, problem))
  return runs
}

/** Runs the tests in processes of their own, which write their reports into `folder`. */
export const run = (folder: string, print: Progress.Print): ReadonlyArray<ShopRun> =>
  suites.flatMap((suite, index) => runOne(folder, suite, index, print))
