import { relative } from "node:path"
import { expect, it } from "@effect/vitest"
import { generate, stale } from "../../scripts/GeneratedFiles.ts"
import { root } from "../../scripts/Workspace.ts"
import { passes, tool } from "./Tool.ts"

const MINUTE = 60_000

it("lint and format (biome)", () => passes(tool("biome", ["check", "--error-on-warnings"])))

it("types of the libraries, and their build (tsc -b)", () => passes(tool("tsc", ["-b"])), 15 * MINUTE)

it("types of everything else (tsc)", () => passes(tool("tsc", ["-p", "tsconfig.check.json"])), 15 * MINUTE)

it("the checks of types see every file", async () => {
  const { answer: all } = await passes(tool("git", ["ls-files", "*.ts", ":!tests/rules/fixtures"]))
  const { answer } = await passes(tool("tsc", ["-p", "tsconfig.check.json", "--listFilesOnly"]))
  const visited = new Set(answer.split("\n").map((path) => relative(root, path)))
  expect(all.split("\n").filter((path) => !visited.has(path))).toEqual([])
})

const effects = (project: string) =>
  tool("effect-tsgo", [
    "diagnostics",
    "--project",
    project,
    "--format",
    "text",
    "--strict",
    "--severity",
    "error,warning"
  ])

it(
  "effects that are built and never run (effect-tsgo)",
  async () => {
    const { output } = await passes(effects("tsconfig.check.json"))
    // Without its plugin in the configuration the tool checks nothing and is content.
    const [, checked, all] = /Checked (\d+) files out of (\d+) files/.exec(output) ?? []
    expect(Number(checked)).toBeGreaterThan(0)
    expect(checked).toBe(all)
  },
  15 * MINUTE
)

it("the lint of effects finds one that never runs", async () => {
  const { ok, output } = await effects("tests/rules/fixtures/tsconfig.json")
  expect(output).toContain("FloatingEffect.ts(5,3): error effect(floatingEffect)")
  expect(ok).toBe(false)
})

it("generated files are what their generators write", async () => {
  const paths = stale(await generate())
  expect(paths, "run `npm run docs` and commit what it writes").toEqual([])
})
