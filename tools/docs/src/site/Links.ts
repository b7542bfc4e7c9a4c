/** Resolves links of the documents to links of the site. */
import { posix } from "node:path"
import type { Page } from "./Page.ts"
import { without } from "./Without.ts"

/**
 * The target of a link. `Page`: an address within the site. `File`: a file of the repository that the site does not contain.
 * `Outside`: another site.
 */
export type Target =
  | { readonly _tag: "Page"; readonly href: string }
  | { readonly _tag: "File"; readonly path: string }
  | { readonly _tag: "Outside"; readonly href: string }

export type Resolve = (from: Page, href: string) => Target

/** Folders to which documents link, each with the page that represents it in the site. */
const folders: Readonly<Record<string, string>> = { "docs/decisions": "docs/decisions/structure.md" }

const operationsDocument = "docs/merchants/operations.md"

/**
 * Returns a function that resolves the links of a document. `commands` maps the anchors of headings in `docs/merchants/operations.md` to
 * the pages of operations.
 */
export const resolver = (
  pages: ReadonlyArray<Page>,
  files: ReadonlyMap<string, string>,
  commands: ReadonlyMap<string, string>
): Resolve => {
  const paths = new Map([...files, ...pages.map(({ path, source }) => [source, path] as const)])
  const pathOf = (target: string, fragment: string): string | undefined =>
    target === operationsDocument
      ? (commands.get(fragment) ?? "merchants/operations/index.html")
      : paths.get(folders[target] ?? target)
  return (from, href) => {
    if (/^[a-z]+:/.test(href)) return { _tag: "Outside", href }
    const [file = "", fragment = ""] = href.split("#")
    if (file === "") return { _tag: "Page", href }
    const target = posix.normalize(posix.join(posix.dirname(from.source), file)).replace(/\/$/, "")
    const path = pathOf(target, fragment)
    if (path === undefined) return { _tag: "File", path: target }
    const relative = posix.relative(posix.dirname(from.path), path)
    const keeps = fragment !== "" && target !== operationsDocument
    return { _tag: "Page", href: keeps ? `${relative}#${fragment}` : relative }
  }
}

/** Returns the links of a page that lead to a file or an element that does not exist in the site. */
export const deadLinks = (
  path: string,
  html: string,
  read: (path: string) => string | undefined
): ReadonlyArray<string> =>
  [...without(html, "<pre", "</pre>").matchAll(/(?:href|src)="([^"]+)"/g)].flatMap(([, link = ""]) => {
    if (/^[a-z]+:/.test(link)) return []
    const [file = "", fragment] = link.split("#")
    const target = file === "" ? html : read(posix.normalize(posix.join(posix.dirname(path), file)))
    if (target === undefined) return [`${path}: ${link} leads to no file`]
    return fragment === undefined || target.includes(`id="${fragment}"`) ? [] : [`${path}: ${link} leads to no heading`]
  })
