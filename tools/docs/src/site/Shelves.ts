/** The pages of the site, on three shelves, in the order of their menus. */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { basename, join } from "node:path"
import * as PayApi from "@pay/schema/PayApi"
import * as OperationPage from "../pages/OperationPage.ts"
import * as OperationsPage from "../pages/OperationsPage.ts"
import type { Page, Shelf } from "./Page.ts"

/** Documents on no shelf: the pages of the operations have the content of the first, and the second lists the shelves. */
const replaced = ["merchants/operations", "README"]

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
  path: `merchants/operations/${OperationPage.fileName(operation)}.md`,
  markdown: OperationPage.write(operation),
  name: operation.command
})

const operationsPage: Page = {
  source: "docs/merchants/operations/index.md",
  path: "merchants/operations/index.md",
  markdown: OperationsPage.write(),
  name: "All operations"
}

/** Reads the documents, and generates the pages of the contract. Every document is in one group of one shelf. */
export const read = (root: string): ReadonlyArray<Shelf> => {
  const listed = new Set(replaced)
  const pageOf = (source: string, path: string, name?: string): Page => ({
    source,
    path,
    markdown: readFileSync(join(root, source), "utf8"),
    ...(name === undefined ? {} : { name })
  })
  const documents = (folder: string, ...names: ReadonlyArray<string>): ReadonlyArray<Page> =>
    names.map((name) => {
      listed.add(`${folder}/${name}`)
      return pageOf(`docs/${folder}/${name}.md`, `${folder}/${name}.md`)
    })
  /** A document that sources cite, and that therefore lies beside the shelves. */
  const cited = (name: string): Page => {
    listed.add(name)
    return pageOf(`docs/${name}.md`, `merchants/${name}.md`)
  }
  const inFolder = (folder: string) => documents(folder, ...namesIn(join(root, "docs", folder)))
  const isPublished = (folder: string) => {
    const file = join(root, folder, "package.json")
    return existsSync(file) && JSON.parse(readFileSync(file, "utf8")).private !== true
  }
  const packages = (folder: string, shelf: string) =>
    readdirSync(join(root, folder))
      .filter((name) => isPublished(`${folder}/${name}`))
      .map((name) => pageOf(`${folder}/${name}/README.md`, `${shelf}/packages/${name}.md`, `@pay/${name}`))
  const decisions = namesIn(join(root, "docs/decisions")).map((name) => {
    listed.add(`decisions/${name}`)
    return pageOf(`docs/decisions/${name}.md`, `contributors/decisions/${name}.md`)
  })
  const merchants: Shelf = {
    title: "Merchants",
    about: "Take payments: from the first test payment to going live, page by page.",
    groups: [
      {
        title: "Start",
        pages: [
          ...documents("merchants", "quick-start", "sandbox"),
          pageOf("README.md", "merchants/overview.md", "Overview")
        ]
      },
      {
        title: "Pay",
        pages: documents(
          "merchants",
          "checkout",
          "3-d-secure",
          "callbacks",
          "refunds",
          "stored-cards",
          "payouts",
          "errors"
        )
      },
      { title: "Trust it", pages: documents("merchants", "testing", "crash-testing", "going-live") },
      { title: "Look up", pages: documents("merchants", "from-another-gateway", "glossary", "changes") },
      {
        title: "Guides",
        isClosed: true,
        pages: [
          ...documents("merchants", "client", "callback-receivers", "shop", "files-of-a-release", "from-plain-http"),
          ...documents(
            "merchants",
            "testing-effect",
            "crashtest",
            "conformance",
            "subscriptions",
            "payout-rules",
            "transfers",
            "after-final-status"
          ),
          pageOf("examples/README.md", "merchants/examples.md", "Examples")
        ]
      },
      {
        title: "Flows",
        isClosed: true,
        pages: [...documents("merchants", "flows", "durable"), ...inFolder("merchants/flows")]
      },
      { title: "Operations", isClosed: true, pages: [operationsPage, ...PayApi.all.map(operationPage)] },
      {
        title: "Reference",
        isClosed: true,
        pages: [
          ...documents(
            "merchants",
            "callback-format",
            "error-codes",
            "cli",
            "flows-reference",
            "lifecycle",
            "payout-lifecycle",
            "vectors"
          ),
          ...documents("merchants", "test-cards", "test-recipients", "threeds", "older-dialect", "conformance-file"),
          cited("specification"),
          cited("assumptions")
        ]
      },
      { title: "Packages", isClosed: true, pages: packages("packages", "merchants") }
    ]
  }
  const operators: Shelf = {
    title: "Operators",
    about: "Run a gateway: begin, operate it every day, and run more than one.",
    groups: [
      {
        title: "Begin",
        pages: documents(
          "operators",
          "production",
          "adapters",
          "adapter-rules",
          "adyen",
          "another-bank",
          "several-acquirers",
          "merchants"
        )
      },
      {
        title: "Every day",
        pages: documents(
          "operators",
          "operating",
          "console",
          "monitoring",
          "incidents",
          "disputes",
          "clock-and-store",
          "backup",
          "point-in-time"
        )
      },
      {
        title: "More than one",
        pages: documents("operators", "postgres", "postgres-moving", "many-processes", "high-availability", "drills")
      },
      {
        title: "Look up",
        isClosed: true,
        pages: documents("operators", "configuration", "commands", "ledger", "soak")
      },
      {
        title: "Security",
        pages: [
          pageOf("SECURITY.md", "operators/security.md", "Security"),
          ...documents("operators", "threat-model", "pci-dss")
        ]
      },
      { title: "Packages", isClosed: true, pages: packages("gateway", "operators") }
    ]
  }
  const contributors: Shelf = {
    title: "Contributors",
    about: "Change this repository: its rules, its tests, and the reasons behind them.",
    groups: [
      {
        title: "Work on it",
        pages: [
          ...documents("contributors", "contributing"),
          pageOf("AGENTS.md", "contributors/agents.md", "Working in the repository"),
          ...documents("contributors", "tests", "simulation", "simulation-coverage", "releasing")
        ]
      },
      {
        title: "Evidence",
        isClosed: true,
        pages: documents("contributors", "mutations", "performance", "external", "simulation-tables", "dependencies")
      },
      { title: "Decisions", isClosed: true, pages: decisions },
      { title: "Packages", isClosed: true, pages: packages("tools", "contributors") }
    ]
  }
  const folders = ["merchants", "merchants/flows", "operators", "contributors", "decisions"]
  const unlisted = [
    ...namesIn(join(root, "docs")),
    ...folders.flatMap((folder) => namesIn(join(root, "docs", folder)).map((name) => `${folder}/${name}`))
  ].filter((name) => !listed.has(name))
  if (unlisted.length > 0)
    throw new UnlistedDocument(`tools/docs/src/site/Shelves.ts lists no docs/${unlisted.join(".md, docs/")}.md`)
  return [merchants, operators, contributors]
}

/** All pages of the shelves. */
export const pagesOf = (shelves: ReadonlyArray<Shelf>): ReadonlyArray<Page> =>
  shelves.flatMap(({ groups }) => groups.flatMap(({ pages }) => pages))
