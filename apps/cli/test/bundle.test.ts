/** The built program: on its own in a folder, and what each of its commands loads. */
import { spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { basename, join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import * as ExitCode from "../src/terminal/ExitCode.ts"
import { built, merchant, source, spawned } from "./Pay.ts"

const folder = built()

interface Metafile {
  readonly outputs: Readonly<
    Record<
      string,
      {
        readonly inputs: Readonly<Record<string, unknown>>
        readonly imports: ReadonlyArray<{ readonly path: string; readonly kind: string; readonly external?: boolean }>
      }
    >
  >
}

/** The source files that are loaded with a command: what it imports, and what that imports. */
const loadedBy = (entry: string): ReadonlyArray<string> => {
  const { outputs }: Metafile = JSON.parse(readFileSync(join(folder, "metafile-esm.json"), "utf8"))
  const byName = new Map(Object.entries(outputs).map(([path, output]) => [basename(path), output] as const))
  const visited = new Set<string>()
  const visit = (name: string): void => {
    const output = byName.get(name)
    if (visited.has(name) || output === undefined) return
    visited.add(name)
    for (const { external, kind, path } of output.imports) {
      if (kind === "import-statement" && external !== true) visit(basename(path))
    }
  }
  visit([...byName.keys()].find((name) => name.startsWith(entry)) ?? "")
  return [...visited].flatMap((name) => Object.keys(byName.get(name)?.inputs ?? {}))
}

/** Effect's runtime, schemas and the network. `Result`, a plain data type, is not among them. */
const heavy = /\/effect\/dist\/(Effect|Schema|Layer|Fiber|Context|internal\/effect)\.js$|\/undici\//

describe("the modules that a command loads", () => {
  it.each([
    "main.js",
    ...["Help", "Sign", "Verify", "Explain", "Profile", "Completion", "Open", "Trigger"].map(
      (name) => `${name}Program-`
    )
  ])("for %s contain neither Effect nor the network client", (name) => {
    const files = loadedBy(name)
    expect(files.length).toBeGreaterThan(0)
    expect(files.filter((file) => heavy.test(file))).toEqual([])
  })
  it.each(["CallProgram-", "StatusProgram-", "GatewayProgram-"])(
    "for %s contain both, which shows that the test above can fail",
    (name) => expect(loadedBy(name).filter((file) => heavy.test(file)).length).toBeGreaterThan(5)
  )
  it("for help and version do not contain the contract", () =>
    expect(loadedBy("main.js").filter((file) => /Contract\.json|signing|schema/.test(file))).toEqual([]))
})

describe("the program of the repository", () => {
  it("runs from the source", async () => {
    const run = await spawned(["sign", "status", "--client_orderid", "1"], { main: source, env: merchant })
    expect([run.code, run.out]).toEqual([0, expect.stringContaining("control   ")])
  })
  it("runs as bin/pay.js", async () => {
    const run = await spawned(["--version"], { main: join(source, "../../bin/pay.js") })
    expect([run.code, run.err]).toEqual([0, ""])
  })
})

it("pay on an older Node names the version that it needs", async () => {
  const older = `Object.defineProperty(process.versions, "node", { value: "22.18.0" })`
  const args = ["--import", `data:text/javascript,${encodeURIComponent(older)}`, join(source, "../../bin/pay.js")]
  const run = spawnSync(process.execPath, [...args, "--version"], { encoding: "utf8" })
  expect([run.status, run.stdout, run.stderr]).toEqual([
    2,
    "",
    "pay needs Node 22.19 or later, and this is Node 22.18.0: https://nodejs.org\n"
  ])
})

describe("the built program, away from node_modules", () => {
  it.each([
    ["help", ["--help"], ExitCode.codes.ok, "Payments:"],
    ["help of an operation", ["help", "capture"], ExitCode.codes.ok, "CAPTURE: "],
    ["a signature", ["sign", "status", "--client_orderid", "1"], ExitCode.codes.ok, "control   "],
    ["the faults of a crash test", ["crashtest", "--list"], ExitCode.codes.ok, "lostAnswer "],
    [
      "the verdict on a wrong signature",
      ["verify", "status", "--client_orderid", "1", "--received", "x"],
      ExitCode.codes.refused,
      "is wrong"
    ]
  ])("prints %s", async (_, args, code, says) => {
    const run = await spawned(args, { env: merchant })
    expect([run.code, run.out]).toEqual([code, expect.stringContaining(says)])
  })
  it("has the overview of help as a separate program that imports nothing", async () => {
    const run = await spawned([], { main: join(folder, "overview.js") })
    expect(run).toEqual(await spawned(["--help"]))
    expect(readFileSync(join(folder, "overview.js"), "utf8")).not.toMatch(/(^|[;}])import\b|import\(|require\(/m)
  })
  it("recognizes its own errors across its chunks", async () => {
    const run = await spawned(["call", "slae"])
    expect([run.code, run.err]).toEqual([2, expect.stringContaining("Did you mean sale?")])
  })
  it("reports a request that was not sent", async () => {
    const run = await spawned(["status", "1"], { env: { ...merchant, PAY_BASE_URL: "http://127.0.0.1:1" } })
    expect([run.code, run.err]).toEqual([3, expect.stringContaining("was not sent")])
  })
})
