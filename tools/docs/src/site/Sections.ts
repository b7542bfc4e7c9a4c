/** The pages of the site in the order of its menu. */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { basename, join } from "node:path"
import * as PayApi from "@pay/schema/PayApi"
import * as CallbacksPage from "../pages/CallbacksPage.ts"
import * as OperationPage from "../pages/OperationPage.ts"
import * as OperationsPage from "../pages/OperationsPage.ts"
import type { Page, Section } from "./Page.ts"

/** Documents that the site leaves out, because the pages of the operations have their content. */
const replaced = ["operations"]

export class UnlistedDocument extends Error {
  override readonly name = "UnlistedDocument"
}

const namesIn = (folder: string): ReadonlyArray<string> =>
  readdirSync(folder)
    .filter((name) => name.endsWith(".md"))
    .map((name) => basename(name, ".md"))
    .sort()

const operationPage = (operation: (typeof PayApi.all)[number]): Page => ({
  source: `docs/operations/${OperationPage.fileName(operation)}.md`,
  path: `operations/${OperationPage.fileName(operation)}.html`,
  markdown: OperationPage.write(operation),
  name: operation.command
})

/** Reads the documents, and generates the pages of the contract. Every document is in one section. */
export const read = (root: string): ReadonlyArray<Section> => {
  const listed = new Set(replaced)
  const documents = (...names: ReadonlyArray<string>): ReadonlyArray<Page> =>
    names.flatMap((name) => {
      listed.add(name)
      const source = `docs/${name}.md`
      const file = join(root, source)
      return existsSync(file) ? [{ source, path: `${name}.html`, markdown: readFileSync(file, "utf8") }] : []
    })
  const inFolder = (folder: string) =>
    documents(...namesIn(join(root, "docs", folder)).map((name) => `${folder}/${name}`))
  const fromRoot = (source: string, path: string, name: string): Page => ({
    source,
    path,
    name,
    markdown: readFileSync(join(root, source), "utf8")
  })
  const isPublished = (folder: string) => {
    const file = join(root, folder, "package.json")
    return existsSync(file) && JSON.parse(readFileSync(file, "utf8")).private !== true
  }
  const readmes = ["packages", "gateway", "tools"].flatMap((folder) =>
    readdirSync(join(root, folder))
      .filter((name) => isPublished(`${folder}/${name}`))
      .map((name) => fromRoot(`${folder}/${name}/README.md`, `packages/${name}.html`, `@pay/${name}`))
  )
  const operations: Page = {
    source: "docs/operations/index.md",
    path: "operations/index.html",
    markdown: OperationsPage.write(),
    name: "All operations"
  }
  const callbacks: Page = { source: "docs/callbacks.md", path: "callbacks.html", markdown: CallbacksPage.write() }
  const sections = {
    "Get started": [
      fromRoot("README.md", "index.html", "Overview"),
      ...documents(
        "use-from-a-clone",
        "client",
        "callback-receivers",
        "from-plain-http",
        "shop",
        "crashtest",
        "test-cards",
        "test-recipients"
      ),
      ...documents("vectors", "older-dialect")
    ],
    Guides: documents("flows", "durable", "subscriptions", "payouts", "transfers", "threeds", "after-final-status"),
    Flows: inFolder("flows"),
    States: documents("lifecycle", "payout-lifecycle"),
    Operations: [operations, ...PayApi.all.map(operationPage)],
    Reference: [
      callbacks,
      ...documents("error-codes", "flows-reference", "cli", "configuration", "ledger", "specification", "assumptions")
    ],
    "Run a gateway": [
      ...documents("production", "operating", "postgres", "high-availability", "many-processes", "soak", "cells"),
      fromRoot("SECURITY.md", "security.html", "Security")
    ],
    Packages: readmes,
    Decisions: inFolder("decisions"),
    Project: [
      ...documents("contributing", "releasing", "testing", "external", "conformance", "conformance-file"),
      ...documents("simulation", "simulation-tables", "mutations", "performance", "dependencies"),
      fromRoot("AGENTS.md", "agents.html", "Working in the repository"),
      fromRoot("examples/README.md", "examples.html", "Examples")
    ]
  }
  const unlisted = namesIn(join(root, "docs")).filter((name) => !listed.has(name))
  if (unlisted.length > 0)
    throw new UnlistedDocument(
      `tools/docs/src/site/Sections.ts has no section for docs/${unlisted.join(".md, docs/")}.md`
    )
  return Object.entries(sections).map(([title, pages]) => ({ title, pages }))
}
