/** The path of each shelf: pages that are read in their order. Each is short and leads to the next one; programs print what the merchants' pages say. */
import { readFileSync } from "node:fs"
import { basename, join } from "node:path"
import { afterAll, assert, beforeAll, describe, expect, it } from "@effect/vitest"
import * as Client from "@pay/client"
import * as Shelves from "../src/site/Shelves.ts"
import * as SnippetRun from "./SnippetRun.ts"
import { merchant, start, type TestSandbox } from "./TestSandbox.ts"

const root = join(import.meta.dirname, "../../..")
/** The documents of each shelf that are read in their order. Those of closed groups are for looking up. */
const paths = Shelves.read(root).map(({ groups, title }) => ({
  title,
  path: groups
    .filter(({ isClosed = false }) => !isClosed)
    .flatMap(({ pages }) => pages)
    .filter(({ source }) => source.startsWith("docs/"))
}))
const path = paths.find(({ title }) => title === "Merchants")?.path ?? []

/** A program with the name of its file, and what it prints if the page says it. */
const program = /^```ts\n\/\/ ([\w-]+)\.ts\n([\s\S]*?)^```\n(?:\n```text\n([\s\S]*?)^```\n)?/gm

const programsOf = (markdown: string) =>
  [...markdown.matchAll(program)].map(([, name = "", text = "", output]) => ({ name, text, output }))

const programs = path
  // The quick start needs a browser: tests/browser/QuickStart.test.ts.
  .filter(({ source }) => !source.endsWith("quick-start.md"))
  .flatMap(({ markdown, source }) => programsOf(markdown).map((each) => ({ ...each, source })))

describe.each(paths)("the path of the shelf $title", ({ path }) => {
  it.each(path.map(({ markdown, source }) => [source, markdown.split("\n").length] as const))(
    "%s has at most two screens",
    (_, lines) => expect(lines).toBeLessThanOrEqual(120)
  )
  it("leads from each page to the next one", () => {
    const next = path.map(({ markdown }) => /^Next: .*\]\(([\w-]+)\.md\)/m.exec(markdown)?.[1])
    const names = path.map(({ source }) => basename(source, ".md"))
    expect(names.length).toBeGreaterThan(4)
    expect(next).toEqual([...names.slice(1), undefined])
  })
})

describe("the merchants' path", () => {
  it("has a recipe for each error of the client", () => {
    const text = readFileSync(join(root, "docs/merchants/errors.md"), "utf8")
    const recipes = [...text.matchAll(/^- \*\*`(\w+)`\*\*, `\1Error` — /gm)].map(([, code]) => `${code}Error`)
    const classes = Object.keys(Client).filter((name) => name.endsWith("Error") && name !== "PayError")
    assert.deepStrictEqual(recipes.toSorted(), classes.toSorted())
  })
})

describe("a program of the merchants' path", () => {
  let sandbox: TestSandbox
  const folder = SnippetRun.folder()
  beforeAll(async () => {
    sandbox = await start()
    for (const { name, text } of programs) if (name === "payment") SnippetRun.write(folder.path, name, text)
  })
  afterAll(async () => {
    folder.close()
    await sandbox.close()
  })
  it.each(programs.filter(({ output }) => output !== undefined))(
    "prints what the page says: $name",
    async ({ name, output = "", text }) => {
      const variables = {
        ...SnippetRun.variablesOf(sandbox),
        PAY_LOGIN: merchant.login,
        PAY_CONTROL_KEY: merchant.controlKey,
        PAY_ENDPOINT_ID: merchant.endpoints.usd,
        PAY_GATEWAY_PROFILE: "pay"
      }
      const run = await SnippetRun.run(folder.path, name, "TypeScript", text, { variables })
      // What is different at each run stands as … at the end of a line.
      const expected = output.split("\n")
      const printed = run.output.split("\n").map((line, index) => {
        const [begin = "", ...more] = expected[index]?.split("…") ?? []
        return more.length > 0 && line.startsWith(begin) ? `${begin}…` : line
      })
      // A callback may arrive before or after its call ends.
      const inOrder = (lines: ReadonlyArray<string>) => (name === "receive" ? lines.toSorted() : lines)
      expect(inOrder(printed)).toEqual(inOrder(expected))
      expect(run.code).toBe(0)
    }
  )
})
