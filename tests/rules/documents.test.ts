import { existsSync, statSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import { callbackOffsetsMs } from "@pay/gateway/Settings"
import { files, packages, read, root } from "../../scripts/Workspace.ts"
import { deadCitations, deadLinks, wrongDiagrams } from "./Documents.ts"

/** Texts beside a generator become part of a document elsewhere. */
const documents = files.filter((path) => path.endsWith(".md") && !/\/scripts\//.test(path))

const readExisting = (path: string): string | undefined => {
  const file = join(root, path)
  return existsSync(file) ? (statSync(file).isDirectory() ? "" : read(path)) : undefined
}

describe("the documents", () => {
  it.each([
    ["a file that is not there", "[x](gone.md)", 1],
    ["a heading that is not there", "[x](there.md#gone)", 1],
    ["a heading", "[x](there.md#the-shoppers-browser), [y](#here)\n\n## Here", 0],
    ["an address, and code", "[x](https://example.com)\n\n```ts\na[0](gone)\n```", 0]
  ])("are checked for dead links: %s", (_, text, dead) => {
    const there = (path: string) => (path === "docs/there.md" ? "# The shopper's browser\n" : undefined)
    expect(deadLinks("docs/page.md", text, there)).toHaveLength(dead)
  })
  it("import only public modules, in their tables too", () => {
    const modules = packages.flatMap(({ manifest: { exports = {}, name } }) =>
      Object.keys(exports).map((subpath) => name + subpath.slice(1))
    )
    const imported = documents.flatMap((path) =>
      [...read(path).matchAll(/\bfrom "(@pay\/[^"]+)"/g)].map(([, module = ""]) => ({ path, module }))
    )
    expect(imported.length).toBeGreaterThan(100)
    expect(imported.filter(({ module }) => !modules.includes(module))).toEqual([])
  })
  it("have no dead link", () =>
    expect(documents.flatMap((path) => deadLinks(path, read(path), readExisting))).toEqual([]))
  it.each([
    ["a document that does not exist", "/** Pays (docs/gone.md#paying). */", 1],
    ["a heading that does not exist", "/** Pays (docs/there.md#paying, docs/there.md#refunds). */", 1],
    ["a heading in another case", "// docs/there.md#Refunds", 1],
    ["a heading, and a document as a whole", "/** docs/there.md#refunds, docs/there.md */", 0]
  ])("are cited by sources, tests and documents: %s", (_, text, dead) => {
    const there = (path: string) => (path === "docs/there.md" ? "# Money\n\n## Refunds\n" : undefined)
    expect(deadCitations(text, there)).toHaveLength(dead)
  })
  it("have every heading that a file cites", () => {
    // The first names pages that exist only on the site, the second is this file with its bad samples.
    const exempt = ["tools/docs/src/site/Shelves.ts", "tests/rules/documents.test.ts"]
    const citing = files.filter((path) => !exempt.includes(path))
    expect(citing.flatMap((path) => deadCitations(read(path), readExisting).map((dead) => `${path}: ${dead}`))).toEqual(
      []
    )
  })
  it.each(["a b --> c", "a --> end", "a --> b: one; two", "a -> b"])(
    "are checked for diagrams that renderers do not draw: %s",
    (line) =>
      expect(wrongDiagrams(`\`\`\`mermaid\nstateDiagram-v2\n  [*] --> a\n  ${line}\n\`\`\``)).toEqual([`  ${line}`])
  )
  it("have only state diagrams that renderers draw", () =>
    expect(documents.flatMap((path) => wrongDiagrams(read(path)).map((line) => `${path}: ${line}`))).toEqual([]))
  it.each(["README.md", "docs/assumptions.md", "docs/operators/monitoring.md"])(
    "state the plan of a callback's delivery as the gateway has it: %s",
    (path) => {
      const days = Math.round((callbackOffsetsMs.at(-1) ?? 0) / 86_400_000)
      const plan = [`${days} days`, `${callbackOffsetsMs.length} times`]
      const stated = [...read(path).matchAll(/^.*callback.*$/gim)].flatMap(
        ([line]) => line.match(/\b\d+ (?:days|times)\b/g) ?? []
      )
      expect(stated).toContain(`${days} days`)
      expect(stated.filter((each) => !plan.includes(each))).toEqual([])
    }
  )
})
