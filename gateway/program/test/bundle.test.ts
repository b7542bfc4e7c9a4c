/** The built programs: what is simulated is in the sandbox's and not in the one for real money, which runs by itself. */
import { execFile } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { basename, join } from "node:path"
import { promisify } from "node:util"
import { afterAll, beforeAll, describe, expect, it } from "@effect/vitest"

const root = join(import.meta.dirname, "../../..")
const folder = mkdtempSync(join(tmpdir(), "pay-gateway-built-"))
const run = promisify(execFile)

beforeAll(() =>
  run(process.execPath, [join(root, "node_modules/tsup/dist/cli-default.js"), "--out-dir", folder], {
    cwd: join(root, "gateway/program")
  })
)
afterAll(() => rmSync(folder, { recursive: true }))

interface Metafile {
  readonly outputs: Readonly<Record<string, { readonly inputs: Readonly<Record<string, unknown>> }>>
}

const inputsOf = (program: string): ReadonlyArray<string> => {
  const { outputs }: Metafile = JSON.parse(readFileSync(join(folder, "metafile-esm.json"), "utf8"))
  const [, output] = Object.entries(outputs).find(([path]) => basename(path) === program) ?? []
  return Object.keys(output?.inputs ?? {})
}
const simulated = (file: string) => /\/sandbox\/src\/|\/server\/src\/Sandbox((World)?Process)?\.ts/.test(file)

describe("a built gateway", () => {
  it("for live payments contains nothing of the sandbox", () => {
    const files = inputsOf("production.js")
    expect(files.filter((file) => file.startsWith("../gateway/src/")).length).toBeGreaterThan(50)
    expect(files.filter(simulated)).toEqual([])
  })
  it("for the sandbox contains the simulated bank, which shows that the test above can fail", () =>
    expect(inputsOf("sandbox.js").filter(simulated).length).toBeGreaterThan(5))
})

describe("a built gateway for live payments, away from node_modules", () => {
  it("names the missing settings, and ends", async () => {
    const ended = await run(process.execPath, [join(folder, "production.js")], { cwd: folder, env: {} }).catch(
      (error: unknown) => error
    )
    const { code, stdout } = { code: 0, stdout: "", ...(ended instanceof Error ? ended : {}) }
    expect(code).toBe(1)
    for (const word of ["PAY_CONFIG", "publicBaseUrl is missing", "no master key", "adapters is missing"])
      expect(stdout).toContain(word)
    const [line = "", ...others] = stdout.trim().split("\n")
    expect(others).toEqual([])
    const { level, message } = JSON.parse(line)
    expect([level, message]).toEqual(["ERROR", expect.stringMatching(/^The gateway does not start: /)])
    expect(line).not.toMatch(/\n +at /)
  })
})
