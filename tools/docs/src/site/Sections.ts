/** The pages of the site in the order of its menu. */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { basename, join } from "node:path"
import * as PayApi from "@pay/schema/PayApi"
import * as CallbacksPage from "../pages/CallbacksPage.ts"
import * as OperationPage from "../pages/OperationPage.ts"
import * as OperationsPage from "../pages/OperationsPage.ts"
import type { Page, Section } from "./Page.ts"

/** Documents that the site leaves out, because the pages of the operations have their content. */
const replaced = ["merchants/operations"]

export class UnlistedDocument extends Error {
  override readonly name = "UnlistedDocument"
}

const namesIn = (folder: string): ReadonlyArray<string> =>
  readdirSync(folder)
    .filter((name) => name.endsWith(".md"))
    .map((name) => basename(name, ".md"))
    .sort()

const operationPage = (operation: (typeof PayApi.all)[number]): Page => ({
  source: `docs/merchants/operations/${OperationPage.fileName(operation)}.md`,
  path: `merchants/operations/${OperationPage.fileName(operation)}.html`,
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
    source: "docs/merchants/operations/index.md",
    path: "merchants/operations/index.html",
    markdown: OperationsPage.write(),
    name: "All operations"
  }
  const callbacks: Page = {
    source: "docs/merchants/callbacks.md",
    path: "merchants/callbacks.html",
    markdown: CallbacksPage.write()
  }
  const sections = {
    "Get started": [
      fromRoot("README.md", "index.html", "Overview"),
      ...documents(
        "merchants/use-from-a-clone",
        "merchants/client",
        "merchants/callback-receivers",
        "merchants/from-plain-http",
        "merchants/shop",
        "merchants/crashtest",
        "merchants/test-cards",
        "merchants/test-recipients"
      ),
      ...documents("merchants/vectors", "merchants/older-dialect")
    ],
    Guides: documents(
      "merchants/flows",
      "merchants/durable",
      "merchants/subscriptions",
      "merchants/payouts",
      "merchants/transfers",
      "merchants/threeds",
      "merchants/after-final-status"
    ),
    Flows: inFolder("merchants/flows"),
    States: documents("merchants/lifecycle", "merchants/payout-lifecycle"),
    Operations: [operations, ...PayApi.all.map(operationPage)],
    Reference: [
      callbacks,
      ...documents(
        "merchants/error-codes",
        "merchants/flows-reference",
        "merchants/cli",
        "operators/configuration",
        "operators/ledger",
        "specification",
        "assumptions"
      )
    ],
    "Run a gateway": [
      ...documents(
        "operators/production",
        "operators/operating",
        "operators/postgres",
        "operators/high-availability",
        "operators/many-processes",
        "operators/soak",
        "operators/cells"
      ),
      fromRoot("SECURITY.md", "security.html", "Security")
    ],
    Packages: readmes,
    Decisions: inFolder("decisions"),
    Project: [
      ...documents(
        "contributors/contributing",
        "contributors/releasing",
        "merchants/testing",
        "contributors/external",
        "merchants/conformance",
        "merchants/conformance-file"
      ),
      ...documents(
        "contributors/simulation",
        "contributors/simulation-tables",
        "contributors/mutations",
        "contributors/performance",
        "contributors/dependencies"
      ),
      fromRoot("AGENTS.md", "agents.html", "Working in the repository"),
      fromRoot("examples/README.md", "examples.html", "Examples")
    ]
  }
  const folders = ["merchants/", "operators/", "contributors/", ""]
  const unlisted = folders.flatMap((folder) =>
    namesIn(join(root, "docs", folder)).flatMap((name) => (listed.has(folder + name) ? [] : [folder + name]))
  )
  if (unlisted.length > 0)
    throw new UnlistedDocument(
      `tools/docs/src/site/Sections.ts has no section for docs/${unlisted.join(".md, docs/")}.md`
    )
  return Object.entries(sections).map(([title, pages]) => ({ title, pages }))
}
