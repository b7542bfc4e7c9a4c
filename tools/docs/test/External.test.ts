/** What the report of `npm run test:external` says of clients, suites and failures. */
import { execFileSync } from "node:child_process"
import { mkdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { temporaryFolder } from "../../../packages/sqlite/test/TemporaryFolder.ts"
import * as Projects from "../../../tests/release/Projects.ts"
import * as ClientRuns from "../scripts/ClientRuns.ts"
import * as ExternalReport from "../scripts/ExternalReport.ts"
import * as ReleaseRuns from "../scripts/ReleaseRuns.ts"
import * as ShopRuns from "../scripts/ShopRuns.ts"

const nothing = { results: [], shops: [], clients: { runs: [], left: [] }, versions: [], missing: [], places: [] }

describe("public clients of the older dialect", () => {
  it.effect("are each left out with a reason that names no path of this machine", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const clones = join(folder, "clones")
      mkdirSync(clones)
      const all = [
        ...["Zotapay", "node-payneteasy", "payneteasy-v4-api-examples-php", "php-library-payneteasy-api"],
        ...["php-plugin-cscart", "php-plugin-magento-2", "php-plugin-opencart-4", "php-plugin-prestashop"],
        ...["php-plugin-woocommerce", "ruby-integration-examples", "wooCommerce-pne-module"]
      ]
      for (const [path, why] of [
        ["", "PAY_EXTERNAL_CLIENTS names no folder"],
        [join(folder, "nowhere"), "PAY_EXTERNAL_CLIENTS names no folder"],
        [clones, "the folder of PAY_EXTERNAL_CLIENTS has no clone of "]
      ] as const) {
        const lines: Array<string> = []
        const { left, runs } = yield* Effect.promise(() => ClientRuns.run(path, (line) => void lines.push(line)))
        expect(runs).toEqual([])
        expect(lines).toEqual(left.map((each) => `left   ${each.client}: ${each.why}`))
        expect(left.filter((each) => each.why.startsWith(why))).toHaveLength(10)
        expect(left.map(({ client }) => client).toSorted()).toEqual(all)
        const page = ExternalReport.write({ ...nothing, clients: { left, runs }, day: "2026-11-27" })
        for (const each of left) expect(page).toContain(`| ${each.client} | left out: ${each.why} |`)
        expect(page).not.toContain(folder)
      }
    })
  )

  it.effect("are named with the commit of their clone", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      mkdirSync(join(folder, "owner-copy"))
      const git = (...args: ReadonlyArray<string>) =>
        execFileSync("git", ["-C", join(folder, "owner+clone"), ...args], { encoding: "utf8" }).trim()
      execFileSync("git", ["init", "--quiet", join(folder, "owner+clone")])
      const author = ["-c", "user.name=a", "-c", "user.email=a@shop.example"]
      git(...author, "commit", "--quiet", "--allow-empty", "--message", "First")
      expect(ClientRuns.labelOf(folder, "clone")).toBe(`clone at ${git("rev-parse", "--short=7", "HEAD")}`)
      expect(ClientRuns.labelOf(folder, "copy")).toBe("copy")
    })
  )

  it.effect("are left out without the library that they need", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      mkdirSync(join(folder, "owner+php-plugin-prestashop"))
      const { left } = yield* Effect.promise(() => ClientRuns.run(folder, () => undefined))
      expect(left.find(({ client }) => client === "php-plugin-prestashop")?.why).toBe(
        "the folder of PAY_EXTERNAL_CLIENTS has no clone of php-library-payneteasy-api"
      )
    })
  )

  it.each([
    [
      "what its program printed",
      "ok\tsale\nnotice\nFAILED\tstatus\tno answer\n",
      0,
      { sale: undefined, status: "no answer" }
    ],
    ["a program that ended early", "ok\tsale\nboom", 1, { sale: undefined, "runs to its end": "ok\tsale\nboom" }],
    ["a program that was ended", "ok\tsale\n", null, { sale: undefined, "runs to its end": "ok\tsale\n" }],
    ["a program that promised nothing", "", 0, { "runs to its end": "" }]
  ])("are reported with %s", (_, output, exitCode, expected) => {
    const runs = ClientRuns.runsOf("client", output, exitCode)
    expect(Object.fromEntries(runs.map(({ problem, promise }) => [promise, problem]))).toEqual(expected)
  })
})

describe("a suite on other runtimes", () => {
  const suite = { project: "release", file: "a.test.ts", title: "the shop" }
  const passed = { status: "passed", ancestorTitles: ["the shop on bun"], title: "pays", failureMessages: [] }
  const of = (...assertionResults: ReadonlyArray<typeof passed>) => ({
    testResults: [{ message: "", assertionResults }]
  })
  it.each([
    ["its tests", of(passed, { ...passed, ancestorTitles: ["other"] }), "the shop on bun", "pays", undefined],
    ["a test that was not run", of({ ...passed, status: "pending" }), "the shop on bun", "pays", ""],
    [
      "a file that did not load",
      { testResults: [{ message: "boom", assertionResults: [] }] },
      "a.test.ts",
      "begins",
      "boom"
    ],
    ["no test of its title", of({ ...passed, ancestorTitles: ["other"] }), "a.test.ts", "begins", "it has run no test"],
    ["no report", undefined, "a.test.ts", "begins", "it has run no test"]
  ])("is reported with %s", (_, report, shop, promise, problem) => {
    expect(ShopRuns.runsOf(suite, report)).toEqual([{ shop, promise, problem }])
  })
})

describe("the files of a release", () => {
  it.each([
    [
      "each promise that was printed",
      "packed a.tgz\nok     a starts\nok     b answers\n",
      0,
      { "a starts": undefined, "b answers": undefined }
    ],
    ["why a run has ended", "ok     a starts\n", 1, { "a starts": undefined, "run to their end": "boom" }],
    ["a run that promised nothing", "packed a.tgz\n", 0, { "run to their end": "boom" }]
  ])("are reported with %s", (_, printed, exitCode, expected) => {
    const runs = ReleaseRuns.runsOf(printed, "boom\n", exitCode)
    expect(Object.fromEntries(runs.map(({ problem, promise }) => [promise, problem]))).toEqual(expected)
  })
})

describe("docs/contributors/external.md", () => {
  const published = readFileSync(join(import.meta.dirname, "../../../docs/contributors/external.md"), "utf8")
  const rows = published.split("\n").flatMap((line) => /^\| ([^|]*) \| \d+ of \d+ \|$/.exec(line)?.[1] ?? [])
  it.each(Projects.projects)("has a row for a project with $name", ({ name }) => expect(rows).toContain(name))
  it.each(Object.keys(Projects.programs))("has a row for a program that loads the client %s on each runtime", (how) => {
    const runtimes = rows.flatMap((row) =>
      row.startsWith(`${how} on `) ? [row.slice(how.length + 4).split(" ", 1)[0]] : []
    )
    expect(runtimes).toEqual(["node", "node", "bun", "deno"])
  })
  const problem = "in /home/x/clients/php/a.php, /home/x/pay/b.ts and /tmp/c"
  it.each([
    ["a snippet", { results: [{ of: "sale", language: "PHP", problem } as const] }],
    ["a suite", { shops: [{ shop: "sale", promise: "PHP", problem }] }],
    ["a client", { clients: { runs: [{ client: "sale", promise: "PHP", problem }], left: [] } }]
  ])("shows why %s failed, without the paths of this machine", (_, failed) => {
    const places = [
      ["/home/x/clients", "PAY_EXTERNAL_CLIENTS"],
      ["", "unset"],
      ["/home/x/pay", "pay"],
      ["/tmp", "tmp"]
    ] as const
    const page = ExternalReport.write({ ...nothing, ...failed, places, day: "2026-11-27" })
    expect(page).toContain("0 of 1 worked")
    expect(page).toContain("in PAY_EXTERNAL_CLIENTS/php/a.php, pay/b.ts and tmp/c")
  })
})
