import { relative } from "node:path"
import { expect, it } from "@effect/vitest"
import { generate, stale } from "../../scripts/GeneratedFiles.ts"
import { root } from "../../scripts/Workspace.ts"
import { passes, tool } from "./Tool.ts"

const MINUTE = 60_000

it("lint and format (biome)", () => passes(tool("biome", ["check", "--error-on-warnings"])))

it("types of the libraries, and their build (tsc -b)", () => passes(tool("tsc", ["-b"])), 15 * MINUTE)

/** The compiler with the lint of effects inside: types and effects of a project in one run. */
const types = async (project: string) => {
  const { answer } = await passes(tool("effect-tsgo", ["get-exe-path"]))
  return tool(answer, ["-p", project])
}

it(
  "types of everything else, and effects that are built and never run (tsc of effect-tsgo)",
  async () => {
    const { output } = await passes(types("tsconfig.check.json"))
    expect(output).toBe("")
  },
  15 * MINUTE
)

it("the checks of types see every file", async () => {
  const { answer: all } = await passes(tool("git", ["ls-files", "*.ts", ":!tests/rules/fixtures"]))
  const { answer } = await passes(tool("tsc", ["-p", "tsconfig.check.json", "--listFilesOnly"]))
  const visited = new Set(answer.split("\n").map((path) => relative(root, path)))
  expect(all.split("\n").filter((path) => !visited.has(path))).toEqual([])
})

// Without its plugin in the configuration, which the fixture shares, the lint checks nothing and is content.
it("types and the lint of effects find a wrong type, and an effect that never runs", async () => {
  const { ok, output } = await types("tests/rules/fixtures/tsconfig.json")
  expect(output.split("\n").map((line) => line.replace(/^.*\/(.*? error) (TS\d+).*$/, "$1 $2"))).toEqual([
    "FloatingEffect.ts(5,3): error TS377001",
    "WrongType.ts(2,14): error TS2322"
  ])
  expect(ok).toBe(false)
})

it("generated files are what their generators write", async () => {
  const paths = stale(await generate())
  expect(paths, "run `npm run docs` and commit what it writes").toEqual([])
})
