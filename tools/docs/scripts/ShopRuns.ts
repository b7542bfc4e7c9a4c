/**
 * The tests that run on other runtimes of JavaScript, too: the shop of `docs/client.md`, receivers of callbacks on web frameworks, and the
 * network as `fetch` reports it.
 */
import { spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { root } from "../../../scripts/Workspace.ts"

/** One promise of the client on one runtime. */
export interface ShopRun {
  /** `the shop of docs/client.md on hono, run by bun 1.4.5`, `the network, as fetch reports it on bun 1.4.5` */
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
interface Suite {
  readonly project: string
  readonly file: string
  readonly title: string
}

const suites: ReadonlyArray<Suite> = [
  { project: "release", file: "tests/release/client.test.ts", title: "the shop of docs/client.md" },
  { project: "release", file: "tests/release/receivers.test.ts", title: "the receiver of docs/callback-receivers.md" },
  { project: "transport", file: "packages/transport/test/Network.test.ts", title: "" }
]

const runOne = (folder: string, { file, project, title }: Suite): ReadonlyArray<ShopRun> => {
  const reportFile = join(folder, `${project}.json`)
  const vitest = join(root, "node_modules/vitest/vitest.mjs")
  const options = ["--project", project, "--reporter=json", `--outputFile=${reportFile}`, "-t", title]
  spawnSync(process.execPath, [vitest, "run", file, ...options], {
    cwd: root,
    env: { ...process.env, PAY_OTHER_RUNTIMES: "1" },
    stdio: ["ignore", "inherit", "inherit"]
  })
  const report: Report = JSON.parse(readFileSync(reportFile, "utf8"))
  return report.testResults.flatMap(({ assertionResults, message }) =>
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
}

/** Runs the tests in processes of their own, which write their reports into `folder`. */
export const run = (folder: string): ReadonlyArray<ShopRun> => suites.flatMap((suite) => runOne(folder, suite))
