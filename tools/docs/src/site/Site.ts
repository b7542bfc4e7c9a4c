/** All files from which VitePress builds the site, by their paths. */
import { existsSync } from "node:fs"
import { join } from "node:path"
import * as PayApi from "@pay/schema/PayApi"
import * as OperationPage from "../pages/OperationPage.ts"
import * as FrontPage from "./FrontPage.ts"
import * as LanguageModelIndex from "./LanguageModelIndex.ts"
import * as Links from "./Links.ts"
import { nameOf, type Shelf } from "./Page.ts"
import * as Shelves from "./Shelves.ts"
import type { Menus } from "./VitePress.ts"
import { without } from "./Without.ts"

/** Files of the repository that are copied into the site: path in the repository, path in the site. */
const copied: ReadonlyMap<string, string> = new Map([
  ["docs/openapi.json", "openapi.json"],
  ["docs/layers.svg", "layers.svg"],
  ["docs/payment-page.png", "payment-page.png"],
  ["docs/console-now.png", "console-now.png"],
  // Drawn after the first run over the example shops.
  ["docs/crashtest.svg", "crashtest.svg"]
])

const commands: ReadonlyMap<string, string> = new Map(
  PayApi.all.map((operation) => [
    operation.command.replaceAll("/", ""),
    `merchants/operations/${OperationPage.fileName(operation)}.md`
  ])
)

const address = (path: string): string => `/${path.replace(/(?:index)?\.md$/, "")}`

/** The menus of VitePress, which it chooses by the folder of a page. */
const menus = (shelves: ReadonlyArray<Shelf>): Menus => ({
  nav: shelves.map(({ groups, title }) => ({
    text: title,
    link: address(groups[0]?.pages[0]?.path ?? ""),
    activeMatch: `^/${title.toLowerCase()}/`
  })),
  sidebar: Object.fromEntries(
    shelves.map(({ groups, title }) => [
      `/${title.toLowerCase()}/`,
      groups.map(({ isClosed = false, pages, title: text }) => ({
        text,
        // The title of a group that opens and closes is a link: as a button it would contain a second one.
        ...(isClosed ? { collapsed: true, link: address(pages[0]?.path ?? "") } : {}),
        items: pages.map((page) => ({ text: nameOf(page), link: address(page.path) }))
      }))
    ])
  )
})

export interface Site {
  /** The pages as Markdown, `menus.json` and `llms.txt`. */
  readonly texts: ReadonlyMap<string, string>
  /** Files to copy: path in the site, path in the repository. */
  readonly copies: ReadonlyMap<string, string>
}

/** Collects the files of the site. `root` is the folder of the repository. */
export const collect = (root: string): Site => {
  const shelves = Shelves.read(root)
  const pages = [FrontPage.page(shelves), ...Shelves.pagesOf(shelves)]
  const resolve = Links.resolver(pages, copied, commands)
  const texts = pages.map(
    (page) =>
      [page.path, Links.markdownOf({ ...page, markdown: without(page.markdown, "<!--", "-->") }, resolve)] as const
  )
  return {
    texts: new Map([
      ...texts,
      ["menus.json", JSON.stringify(menus(shelves))],
      ["public/llms.txt", LanguageModelIndex.write(shelves)]
    ]),
    copies: new Map(
      [...copied].filter(([source]) => existsSync(join(root, source))).map(([source, path]) => [path, source])
    )
  }
}
