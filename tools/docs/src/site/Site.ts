/** Builds all files of the site, by their paths. */
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import * as PayApi from "@pay/schema/PayApi"
import * as OperationPage from "../pages/OperationPage.ts"
import * as LanguageModelIndex from "./LanguageModelIndex.ts"
import * as Layout from "./Layout.ts"
import * as Links from "./Links.ts"
import * as Markdown from "./Markdown.ts"
import * as SearchIndex from "./SearchIndex.ts"
import * as Sections from "./Sections.ts"

const assets = join(import.meta.dirname, "../../assets")

/** Files of the repository that are copied into the site: path in the repository, path in the site. */
const copied: ReadonlyMap<string, string> = new Map([
  ["docs/openapi.json", "openapi.json"],
  ["docs/layers.svg", "layers.svg"],
  // Drawn after the first run over the example shops.
  ["docs/crashtest.svg", "crashtest.svg"]
])

const commands: ReadonlyMap<string, string> = new Map(
  PayApi.all.map((operation) => [
    operation.command.replaceAll("/", ""),
    `merchants/operations/${OperationPage.fileName(operation)}.html`
  ])
)

export interface Site {
  readonly files: ReadonlyMap<string, string>
  readonly deadLinks: ReadonlyArray<string>
}

/** Builds the site. `root` is the folder of the repository. */
export const build = (root: string): Site => {
  const sections = Sections.read(root)
  const pages = sections.flatMap((section) => section.pages)
  const resolve = Links.resolver(pages, copied, commands)
  const files = new Map<string, string>()
  const searchEntries: Array<SearchIndex.Entry> = []
  for (const page of pages) {
    const rendered = Markdown.render(page, resolve)
    files.set(page.path, Layout.frame(page, rendered, sections))
    files.set(LanguageModelIndex.markdownPath(page), LanguageModelIndex.markdownOf(page, resolve))
    searchEntries.push(...SearchIndex.entries(page, Layout.nameOf(page), rendered.headings))
  }
  files.set("search.js", SearchIndex.script(searchEntries))
  files.set("llms.txt", LanguageModelIndex.write(sections))
  for (const name of ["site.css", "content.css", "site.js"]) files.set(name, readFileSync(join(assets, name), "utf8"))
  for (const [source, path] of copied)
    if (existsSync(join(root, source))) files.set(path, readFileSync(join(root, source), "utf8"))
  const html = [...files].filter(([path]) => path.endsWith(".html"))
  return {
    files,
    deadLinks: html.flatMap(([path, text]) => Links.deadLinks(path, text, (target) => files.get(target)))
  }
}
