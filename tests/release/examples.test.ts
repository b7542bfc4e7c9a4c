import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "@effect/vitest"
import { files, read, root } from "../../scripts/Workspace.ts"
import { compile, passes, tool } from "../rules/Tool.ts"
import { fences } from "./Fences.ts"

const examples = files.filter((path) => /^examples\/[^/]+\.(ts|mjs)$/.test(path))

// A test that is an example is run by vitest itself, as the project `examples`.
it.concurrent.each(examples.filter((path) => !path.endsWith(".test.ts")))(
  "%s runs to its end, and prints a result",
  async (path) => {
    const { answer, output } = await passes(tool(process.execPath, [path], { cwd: root }))
    expect(answer).not.toBe("")
    expect(output).toBe(answer)
  }
)

it("examples in plain JavaScript import no package of ours except @pay/signing", () => {
  const imported = examples
    .filter((path) => path.endsWith(".mjs"))
    .map((path) =>
      [...read(path).matchAll(/from "([^"]+)"/g)].map(([, name = ""]) => name.replace(/^(@pay\/\w+)\/.*/, "$1"))
    )
  expect(imported.map((names) => [...new Set(names)])).toEqual([
    ["@pay/signing", "express"],
    ["@pay/signing", "fastify"],
    ["@pay/signing"]
  ])
})

it("the reader of Markdown finds each piece of TypeScript, with its line", () => {
  const text = "# Title\n\n```ts\nconst one = 1\n```\n\n```sh\nnpm test\n```\n\n```ts\n// two.ts\nconst two = 2\n```\n"
  expect(fences(text)).toEqual([
    { line: 3, code: "const one = 1\n" },
    { line: 11, code: "// two.ts\nconst two = 2\n", name: "two.ts" }
  ])
})

it("the TypeScript in the documentation compiles", async () => {
  // Beside the examples, so that it finds the same packages.
  const folder = join(root, "examples/node_modules/.fences")
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  for (const path of files.filter((name) => name.endsWith(".md") && !name.endsWith("CHANGELOG.md"))) {
    const text = path.replaceAll("/", "_")
    for (const { code, line, name = `${line}.ts` } of fences(read(path))) {
      mkdirSync(join(folder, text), { recursive: true })
      writeFileSync(join(folder, text, name), `${code}export {}\n`)
    }
  }
  const pieces = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".ts"))
  const compilerOptions = { noUnusedLocals: false }
  writeFileSync(
    join(folder, "tsconfig.json"),
    JSON.stringify({ extends: "../../../tsconfig.check.json", compilerOptions, files: pieces, include: [] })
  )
  if (pieces.length > 0) await passes(compile(["-p", folder]))
})
