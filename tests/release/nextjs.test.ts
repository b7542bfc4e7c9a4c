/**
 * The example on Next.js, which has to be built: a crash test finds nothing against it. `npm run test:external` installs Next.js, builds
 * the example and crash-tests it.
 */
import { cpSync } from "node:fs"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { read, root } from "../../scripts/Workspace.ts"
import * as ExampleRun from "../../tools/crashtest/scripts/ExampleRun.ts"
import { summary } from "../checkouts/Summary.ts"
import { passes, tool } from "../rules/Tool.ts"
import * as ClientShop from "./ClientShop.ts"

const examples = join(root, "examples/crashtest")
const minutes = 10 * 60_000

const [, words = ""] = /npm install (.+) \.\/pay-client/.exec(read("examples/crashtest/nextjs/README.md")) ?? []
const packages = words.split(" ")

it("the example on Next.js names exact versions of what it needs", () => {
  expect(packages.map((name) => name.replace(/@\d+\.\d+\.\d+$/, ""))).toEqual(["next", "react", "react-dom"])
})

/** `npm run test:external` sets the variable. */
const frameworks = process.env.PAY_OTHER_RUNTIMES === undefined ? [] : packages.slice(0, 1)

describe.each(frameworks)("the crash test of the example on %s", () => {
  let project: ClientShop.Project
  beforeAll(async () => {
    project = await ClientShop.install()
    const flags = ["--no-audit", "--no-fund", "--no-package-lock", "--loglevel=error"]
    await passes(tool("npm", ["install", ...flags, ...packages, project.tarball], { cwd: project.folder }))
    for (const name of ["nextjs", "orders.mjs"])
      cpSync(join(examples, name), join(project.folder, name), { recursive: true })
    await passes(tool(process.execPath, [next(), "build"], { cwd: join(project.folder, "nextjs") }))
  }, minutes)
  afterAll(() => project?.remove())

  const next = () => join(project.folder, "node_modules/next/dist/bin/next")

  it.live(
    "has no finding",
    () =>
      Effect.gen(function* () {
        const command = [process.execPath, next(), "start", "-H", "127.0.0.1"]
        const shop = { name: "nextjs", folder: join(project.folder, "nextjs"), command }
        const result = yield* ExampleRun.run(shop, { payments: 20, seed: 7 })
        assert.deepStrictEqual(summary(result), [])
        assert.strictEqual(result.payments, 20)
      }),
    minutes
  )
})
