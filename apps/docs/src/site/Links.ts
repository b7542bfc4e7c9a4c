/** Links of the documents as links of the site. */
import { posix } from "node:path"
import { without } from "./Html.ts"
import type { Page } from "./Page.ts"

/** `page`: a link of the site. `file`: a file of the repository, which the site does not have. */
export type Target =
  | { readonly _tag: "Page"; readonly href: string }
  | { readonly _tag: "File"; readonly path: string }
  | { readonly _tag: "Outside"; readonly href: string }

export type Resolve = (from: Page, href: string) => Target

/** Folders that documents link to, and the page that lists or begins them. */
const folders: Readonly<Record<string, string>> = { "docs/decisions": "docs/decisions/structure.md" }

const operationsDocument = "docs/operations.md"

/** `commands`: the page of an operation by the anchor of its heading in `docs/operations.md`. */
export const resolver = (
  pages: ReadonlyArray<Page>,
  files: ReadonlyMap<string, string>,
  commands: ReadonlyMap<string, string>
): Resolve => {
  const paths = new Map([...files, ...pages.map(({ path, source }) => [source, path] as const)])
  const pathOf = (target: string, fragment: string): string | undefined =>
    target === operationsDocument
      ? (commands.get(fragment) ?? "operations/index.html")
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

/** Links of a page of the site that lead to no file, or to no element of it. */
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
