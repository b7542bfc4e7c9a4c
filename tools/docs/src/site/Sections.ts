/** The pages of the site in the order of its menu. */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { basename, join } from "node:path"
import * as PayApi from "@pay/schema/PayApi"
import * as CallbacksPage from "../pages/CallbacksPage.ts"
import * as OperationPage from "../pages/OperationPage.ts"
import * as OperationsPage from "../pages/OperationsPage.ts"
import type { Page, Section } from "./Page.ts"

/** The documents of each section of the menu, by their names in `docs`. Every document is in one section. */
const documents: Readonly<Record<string, ReadonlyArray<string>>> = {
  "Get started": ["client", "from-plain-http", "shop", "test-cards", "test-recipients", "vectors", "older-dialect"],
  Guides: ["flows", "durable", "subscriptions", "payouts", "transfers", "threeds", "after-final-status"],
  States: ["lifecycle", "payout-lifecycle"],
  Reference: ["error-codes", "flows-reference", "cli", "configuration", "ledger", "specification", "assumptions"],
  "Run a gateway": ["production", "operating", "postgres", "high-availability", "many-processes", "soak", "cells"],
  Project: [
    "contributing",
    "releasing",
    "testing",
    "external",
    "conformance",
    "conformance-file",
    "simulation",
    "simulation-tables",
    "mutations",
    "performance",
    "dependencies"
  ]
}

/** Documents that the site leaves out, because the pages of the operations have their content. */
const replaced = new Set(["operations"])

export class UnlistedDocument extends Error {
  override readonly name = "UnlistedDocument"
}

const documentPage =
  (root: string) =>
  (name: string): ReadonlyArray<Page> => {
    const source = `docs/${name}.md`
    const file = join(root, source)
    return existsSync(file) ? [{ source, path: `${name}.html`, markdown: readFileSync(file, "utf8") }] : []
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

/** Reads the documents, and generates the pages of the contract. */
export const read = (root: string): ReadonlyArray<Section> => {
  const pageOf = documentPage(root)
  const listed = new Set([...Object.values(documents).flat(), ...replaced])
  const unlisted = namesIn(join(root, "docs")).filter((name) => !listed.has(name))
  if (unlisted.length > 0)
    throw new UnlistedDocument(
      `tools/docs/src/site/Sections.ts has no section for docs/${unlisted.join(".md, docs/")}.md`
    )
  const inFolder = (folder: string) =>
    namesIn(join(root, "docs", folder)).flatMap((name) => pageOf(`${folder}/${name}`))
  const fromRoot = (source: string, path: string, name: string): Page => ({
    source,
    path,
    name,
    markdown: readFileSync(join(root, source), "utf8")
  })
  const sections = Object.entries(documents).map(([title, names]) => ({ title, pages: names.flatMap(pageOf) }))
  const pagesOf = (title: string) => sections.find((section) => section.title === title)?.pages ?? []
  const isPublished = (folder: string) => {
    const file = join(root, folder, "package.json")
    return existsSync(file) && JSON.parse(readFileSync(file, "utf8")).private !== true
  }
  const readmes = ["packages", "gateway", "tools"].flatMap((folder) =>
    readdirSync(join(root, folder))
      .filter((name) => isPublished(`${folder}/${name}`))
      .map((name) => fromRoot(`${folder}/${name}/README.md`, `packages/${name}.html`, `@pay/${name}`))
  )
  return [
    {
      title: "Get started",
      pages: [fromRoot("README.md", "index.html", "Overview"), ...pagesOf("Get started")]
    },
    { title: "Guides", pages: pagesOf("Guides") },
    { title: "Flows", pages: inFolder("flows") },
    { title: "States", pages: pagesOf("States") },
    {
      title: "Operations",
      pages: [
        {
          source: "docs/operations/index.md",
          path: "operations/index.html",
          markdown: OperationsPage.write(),
          name: "All operations"
        },
        ...PayApi.all.map(operationPage)
      ]
    },
    {
      title: "Reference",
      pages: [
        { source: "docs/callbacks.md", path: "callbacks.html", markdown: CallbacksPage.write() },
        ...pagesOf("Reference")
      ]
    },
    {
      title: "Run a gateway",
      pages: [...pagesOf("Run a gateway"), fromRoot("SECURITY.md", "security.html", "Security")]
    },
    { title: "Packages", pages: readmes },
    { title: "Decisions", pages: inFolder("decisions") },
    {
      title: "Project",
      pages: [
        ...pagesOf("Project"),
        fromRoot("AGENTS.md", "agents.html", "Working in the repository"),
        fromRoot("examples/README.md", "examples.html", "Examples")
      ]
    }
  ]
}
