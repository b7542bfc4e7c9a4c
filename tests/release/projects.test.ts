/** The packed client in projects of others, on real tools, which npm installs from its registry. `npm run test:external` runs it. */
import { mkdirSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Gateway from "../../packages/client/test/Gateway.ts"
import { freePort } from "../../packages/schema/test/Loopback.ts"
import * as Runtimes from "../../scripts/Runtimes.ts"
import { passes, tool } from "../rules/Tool.ts"
import * as ClientShop from "./ClientShop.ts"
import * as Projects from "./Projects.ts"

const MINUTE = 60_000
/** `npm run test:external` sets the variable. */
const isWanted = process.env.PAY_OTHER_RUNTIMES !== undefined

let installed: ClientShop.Project
let gateway: Gateway.Gateway
if (isWanted) {
  beforeAll(async () => {
    installed = await ClientShop.install()
    gateway = await Gateway.start()
    const flags = ["--no-audit", "--no-fund", "--no-package-lock", "--loglevel=error"]
    await passes(tool("npm", ["install", ...flags, ...Projects.packages], { cwd: installed.folder }))
  }, 15 * MINUTE)
  afterAll(async () => {
    await gateway?.close()
    installed?.remove()
  })
}

const settings = async (env: Readonly<Record<string, string>> = {}) => ({
  PAY_BASE_URL: gateway.baseUrl,
  PAY_LOGIN: Gateway.merchant.login,
  PAY_CONTROL_KEY: Gateway.merchant.controlKey,
  PAY_ENDPOINT_ID: Gateway.merchant.endpoints.usd,
  PORT: String(await Effect.runPromise(freePort)),
  NEXT_TELEMETRY_DISABLED: "1",
  NODE_OPTIONS: "",
  // A test runner in a test of another one would believe that it is run by it.
  ...Object.fromEntries(["VITEST", "NODE_TEST_CONTEXT", "JEST_WORKER_ID"].map((name) => [name, undefined])),
  ...env
})

const write = (folder: string, files: Readonly<Record<string, string>>) => {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), content)
  }
}

/** The path of a file that a command names: one of the project, or one of an installed package. */
const pathOf = (word: string): string =>
  word.startsWith(".") || word.startsWith("-") || !word.includes("/")
    ? word
    : join(installed.folder, "node_modules", word)

it("the projects install exact versions, so that a run says what was tried", () =>
  expect(Projects.packages.filter((name) => !/@\d+\.\d+\.\d+$/.test(name))).toEqual([]))

describe.each(isWanted ? Projects.projects : [])("the client in a project with $name", (project) => {
  it(
    "is built, and does what its code says",
    async () => {
      const folder = join(installed.folder, `project-${Projects.projects.indexOf(project)}`)
      write(folder, project.files)
      const env = await settings()
      const run = (args: ReadonlyArray<string>) =>
        tool(
          process.execPath,
          args.map((word, at) => (at < 2 ? pathOf(word) : word)),
          { cwd: folder, env }
        )
      const last = project.commands.length - 1
      for (const command of project.commands.slice(0, last)) await passes(run(command))
      const { output } = await run(project.commands[last] ?? [])
      expect(output).toMatch(project.prints)
    },
    10 * MINUTE
  )
})

const runtimes = isWanted ? Runtimes.install(["node", "node24", "bun", "deno"]) : []
const programs = Object.entries(Projects.programs).flatMap(([how, program]) =>
  runtimes.map(({ command, name }) => ({ how, program, name, command }))
)

describe.each(programs)(
  "the client $how on $name",
  ({ command: [program, ...args], program: { code, file, prints } }) => {
    it("does what its code says", async () => {
      write(installed.folder, { [file]: code })
      const { output } = await passes(tool(program, [...args, file], { cwd: installed.folder, env: await settings() }))
      expect(output).toMatch(prints)
    })
  }
)

describe.each(isWanted ? Runtimes.install(Runtimes.older) : [])(
  "the client on $name",
  ({ command: [program, ...args], name }) => {
    it.each([
      ["import.mjs", 'import "@pay/client"'],
      ["require.cjs", 'require("@pay/client/durable")'],
      ["testing.mjs", 'import "@pay/client/testing"']
    ])("says which Node it needs: %s", async (file, code) => {
      write(installed.folder, { [`old-${file}`]: code })
      const { ok, output } = await tool(program, [...args, `old-${file}`], {
        cwd: installed.folder,
        env: await settings()
      })
      expect(ok).toBe(false)
      expect(output.split("\n")).toContain(
        `Error: @pay/client needs Node 22.19 or later, and this is ${name.replace("node", "Node")}: https://nodejs.org`
      )
    })
  }
)
