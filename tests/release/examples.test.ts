import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "@effect/vitest"
import { files, read, root } from "../../scripts/Workspace.ts"
import { passes, tool } from "../house/Tool.ts"
import { fences } from "./Fences.ts"

const MINUTE = 60_000

it(
  "every example runs to its end",
  async () => {
    const examples = files.filter((path) => /^examples\/[^/]+\.ts$/.test(path))
    for (const path of examples) await passes(tool(process.execPath, [path], { cwd: root }))
  },
  3 * MINUTE
)

it("finds the TypeScript in a text, each piece with its line", () => {
  const text = "# Title\n\n```ts\nconst one = 1\n```\n\n```sh\nnpm test\n```\n\n```ts\nconst two = 2\n```\n"
  expect(fences(text)).toEqual([
    { line: 3, code: "const one = 1\n" },
    { line: 11, code: "const two = 2\n" }
  ])
})

it(
  "the TypeScript in the documentation compiles",
  async () => {
    // Beside the examples, so that it finds the same packages.
    const folder = join(root, "examples/node_modules/.fences")
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(folder, { recursive: true })
    for (const path of files.filter((name) => name.endsWith(".md") && !name.endsWith("CHANGELOG.md"))) {
      for (const { line, code } of fences(read(path))) {
        writeFileSync(join(folder, `${path.replaceAll("/", "_")}_${line}.ts`), `${code}export {}\n`)
      }
    }
    const pieces = readdirSync(folder)
    const compilerOptions = { noUnusedLocals: false }
    writeFileSync(
      join(folder, "tsconfig.json"),
      JSON.stringify({ extends: "../../../tsconfig.check.json", compilerOptions, files: pieces, include: [] })
    )
    if (pieces.length > 0) await passes(tool("tsc", ["-p", folder]))
  },
  MINUTE
)
