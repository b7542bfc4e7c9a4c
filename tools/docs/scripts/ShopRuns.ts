/** The shop of `docs/client.md` on other runtimes of JavaScript, as the tests of the packed client run it. */
import { spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { root } from "../../../scripts/Workspace.ts"

/** One promise of the shop, on one web server and one runtime. */
export interface ShopRun {
  /** `the shop of docs/client.md on hono, run by bun 1.4.5` */
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

const ofShop = "the shop of docs/client.md"

/** Runs the tests in a process of their own, which writes its report into `folder`. */
export const run = (folder: string): ReadonlyArray<ShopRun> => {
  const reportFile = join(folder, "shops.json")
  const vitest = join(root, "node_modules/vitest/vitest.mjs")
  const options = ["--project", "release", "--reporter=json", `--outputFile=${reportFile}`, "-t", ofShop]
  spawnSync(process.execPath, [vitest, "run", "tests/release/client.test.ts", ...options], {
    cwd: root,
    env: { ...process.env, PAY_OTHER_RUNTIMES: "1" },
    stdio: ["ignore", "inherit", "inherit"]
  })
  const report: Report = JSON.parse(readFileSync(reportFile, "utf8"))
  return report.testResults.flatMap(({ assertionResults, message }) =>
    message === ""
      ? assertionResults
          .filter(({ ancestorTitles: [shop = ""] }) => shop.startsWith(ofShop))
          .map(({ ancestorTitles: [shop = ""], failureMessages, status, title }) => ({
            shop,
            promise: title,
            problem: status === "passed" ? undefined : failureMessages.join("\n").slice(0, 300)
          }))
      : [{ shop: ofShop, promise: "begins", problem: message.slice(0, 300) }]
  )
}
