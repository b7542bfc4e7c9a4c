import { isAbsolute, relative } from "node:path"
import { expect, it } from "@effect/vitest"
import { generate, stale } from "../../scripts/GeneratedFiles.ts"
import { root } from "../../scripts/Workspace.ts"
import { compile, passes, type ToolResult, tool } from "./Tool.ts"

// Tools run side by side: a compiler with one thread leaves the other processors to them.
const MINUTE = 60_000

it.concurrent("biome finds no mistake of lint or format", () => passes(tool("biome", ["check", "--error-on-warnings"])))

it.concurrent("the libraries build without a type error (tsc -b)", () => passes(compile(["-b"])), 15 * MINUTE)

/** The compiler with the lint of effects inside: types and effects of a project in one run. */
const types = async (project: string, ...flags: ReadonlyArray<string>) => {
  const { answer: program } = await passes(tool("effect-tsgo", ["get-exe-path"]))
  return compile(["-p", project, ...flags], { program })
}

/** The one run over everything else. Its answer is the paths of the files that it read, and its output what it says about them. */
const everythingElse = async (): Promise<ToolResult> => {
  const { ok, output } = await types("tsconfig.check.json", "--listFiles")
  const lines = output.split("\n")
  const isFile = (line: string) => isAbsolute(line) || line.startsWith("bundled:")
  return { ok, answer: lines.filter(isFile).join("\n"), output: lines.filter((line) => !isFile(line)).join("\n") }
}
let run: Promise<ToolResult> | undefined
const checked = () => {
  run ??= everythingElse()
  return run
}

it.concurrent(
  "everything else has no type error, and no effect that never runs (tsc of effect-tsgo)",
  async () => {
    const { output } = await passes(checked())
    expect(output).toBe("")
  },
  15 * MINUTE
)

it.concurrent(
  "the type checks read every file",
  async () => {
    const { answer: all } = await passes(tool("git", ["ls-files", "*.ts", ":!tests/rules/fixtures"]))
    const { answer } = await checked()
    const visited = new Set(answer.split("\n").map((path) => relative(root, path)))
    expect(all.split("\n").filter((path) => !visited.has(path))).toEqual([])
  },
  15 * MINUTE
)

// Without its plugin in the configuration, which the fixture shares, the lint checks nothing and is content.
it.concurrent("the type checks find a wrong type, and an effect that never runs", async () => {
  const { ok, output } = await types("tests/rules/fixtures/tsconfig.json")
  expect(output.split("\n").map((line) => line.replace(/^.*\/(.*? error) (TS\d+).*$/, "$1 $2"))).toEqual([
    "FloatingEffect.ts(5,3): error TS377001",
    "WrongType.ts(2,14): error TS2322"
  ])
  expect(ok).toBe(false)
})

it.concurrent("generated files equal what their generators write", async () => {
  const paths = stale(await generate())
  expect(paths, "run `npm run docs` and commit what it writes").toEqual([])
})
