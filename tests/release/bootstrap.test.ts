import { type ChildProcess, type ExecFileOptions, spawn } from "node:child_process"
import { once } from "node:events"
import { chmodSync, cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "@effect/vitest"
import { files, root } from "../../scripts/Workspace.ts"
import { passes, type ToolResult, tool } from "../rules/Tool.ts"

const MINUTE = 60_000
const NOBODY = 65534
const folder = realpathSync(mkdtempSync(join(tmpdir(), "pay clone ")))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** What a clone holds, in a path with a space, with nothing installed. */
const clone = (name: string): string => {
  const to = join(folder, name)
  for (const file of files) {
    mkdirSync(dirname(join(to, file)), { recursive: true })
    cpSync(join(root, file), join(to, file))
  }
  return to
}

const bootstrap = (cwd: string, args: ReadonlyArray<string>, options: ExecFileOptions = {}): Promise<ToolResult> =>
  tool(process.execPath, ["scripts/bootstrap.mjs", ...args], { ...options, cwd })
/** Makes the Node that runs the bootstrap believe something else about its machine. */
const believing = (statement: string) => ({
  NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(statement)}`
})

describe("the first run", () => {
  const bare = clone("bare copy")

  it.each([
    [
      "an unknown command",
      ["strat"],
      {},
      "the command is one of: start, test, test:all, build, typecheck, check, bench, docs, docs:site, test:external, simulate, soak, drill, mutate, conformance, conformance:planted, release:dry, crashtest:examples, node"
    ],
    ["Windows", ["test"], believing("Object.defineProperty(process,'platform',{value:'win32'})"), "inside WSL 2"],
    [
      "no Node for this platform, and an old one",
      ["test"],
      believing(
        "Object.defineProperty(process,'platform',{value:'sunos'});" +
          "Object.defineProperty(process,'versions',{value:{...process.versions,node:'20.1.0'}})"
      ),
      "and this one is 20.1.0: install Node ≥ 22.19 and run the command again"
    ],
    ["npm missing", ["test"], { PATH: "/nonexistent" }, "npm was not found; it comes with Node.js"],
    [
      "no network",
      ["test"],
      { npm_config_registry: "http://127.0.0.1:9", npm_config_cache: join(folder, "no cache") },
      "No network: the first run needs the npm registry once"
    ]
  ])("names the remedy: %s", async (_, args, env, advice) => {
    const { ok, output } = await bootstrap(bare, args, { env })
    expect(output).toContain(advice)
    expect(output).not.toContain("bootstrap.mjs:")
    expect(ok).toBe(false)
  })
})

describe("a clone in a path with a space", () => {
  const installed = clone("fresh clone")
  let home = installed
  let first: ToolResult
  beforeAll(async () => {
    chmodSync(folder, 0o755)
    first = await bootstrap(installed, ["node", "--print", "process.execPath"])
    // Without a registry or its caches there is nothing to install from; then the checkout itself shows the rest.
    if (!first.ok) home = root
  }, 15 * MINUTE)

  it("installs itself and runs on its own Node, or reports that it needs the network once", async () => {
    if (first.ok) {
      expect(first.output).toContain("pay: installing pnpm")
      expect(first.answer).toContain(join(installed, "node_modules"))
    } else {
      expect(first.output).toContain("No network: the first run needs the npm registry once")
      expect((await tool("npm", ["ping"])).ok).toBe(false)
    }
  })

  it("starts without a network after it was installed", async () => {
    const isolated = (await tool("unshare", ["-rn", "true"])).ok ? ["unshare", "-rn"] : ["env"]
    const [program = "", ...args] = [
      ...isolated,
      process.execPath,
      "scripts/bootstrap.mjs",
      "test",
      "--project",
      "rules",
      "count"
    ]
    const env = { npm_config_registry: "http://127.0.0.1:9", pnpm_config_registry: "http://127.0.0.1:9" }
    const { answer, output } = await passes(tool(program, args, { cwd: home, env }))
    expect(output).not.toContain("pay: installing")
    expect(answer.split("\n").at(-1)).toMatch(/^\d+ passed, 0 failed, 0 skipped$/)
  })

  it("starts for a user without files and without a home folder", async () => {
    const other = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {}
    /** The clone's own Node. Ours may be in a folder that this user may not enter. */
    const node = join(home, "node_modules/.bin/node")
    const { output } = await tool(node, ["scripts/bootstrap.mjs", "node", "--print", "process.getuid()"], {
      ...other,
      cwd: home,
      env: { HOME: "/nonexistent" }
    })
    expect(output).toBe(String(other.uid ?? process.getuid?.()))
  })
})

describe("a command of package.json", () => {
  const start = (code: string): ChildProcess =>
    spawn(process.execPath, ["scripts/bootstrap.mjs", "node", "--eval", code], {
      cwd: root,
      stdio: ["ignore", "pipe", "inherit"]
    })

  it("ends with the exit code of its program", async () => {
    const [code] = await once(start("process.exit(7)"), "exit")
    expect(code).toBe(7)
  })

  it.each(["SIGTERM", "SIGINT", "SIGHUP"] as const)(
    "passes %s to its program, and ends with the program's exit code",
    async (signal) => {
      const child = start(
        `process.on("${signal}", () => process.exit(3)); setInterval(() => {}, 1000); console.log("up")`
      )
      if (child.stdout !== null) await once(child.stdout, "data")
      child.kill(signal)
      expect(await once(child, "exit")).toEqual([3, null])
    }
  )

  it("reports the signal that ended its program", async () => {
    const [code, signal] = await once(start('process.kill(process.pid, "SIGKILL")'), "exit")
    expect([code, signal]).toEqual([null, "SIGKILL"])
  })
})
