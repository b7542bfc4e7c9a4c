/** Resolves links of the documents to links of the site. */
import { posix } from "node:path"
import type { Page } from "./Page.ts"

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
 * Returns a function that resolves the links of a document. `commands` maps the anchors of headings in
 * `docs/merchants/operations.md` to the pages of operations.
 */
export const resolver = (
  pages: ReadonlyArray<Page>,
  files: ReadonlyMap<string, string>,
  commands: ReadonlyMap<string, string>
): Resolve => {
  const paths = new Map([...files, ...pages.map(({ path, source }) => [source, path] as const)])
  const pathOf = (target: string, fragment: string): string | undefined =>
    target === operationsDocument
      ? (commands.get(fragment) ?? "merchants/operations/index.md")
      : paths.get(folders[target] ?? target)
  return (from, href) => {
    if (/^[a-z]+:/.test(href)) return { _tag: "Outside", href }
    const [file = "", fragment = ""] = href.split("#")
    if (file === "") return { _tag: "Page", href }
    const target = posix.normalize(posix.join(posix.dirname(from.source), file)).replace(/\/$/, "")
    const path = pathOf(target, fragment)
    if (path === undefined) return { _tag: "File", path: target }
    const relative = posix.relative(posix.dirname(from.path), path)
    const near = relative.startsWith(".") ? relative : `./${relative}`
    const keeps = fragment !== "" && target !== operationsDocument
    return { _tag: "Page", href: keeps ? `${near}#${fragment}` : near }
  }
}

const link = /(!?)\[([^[\]]*(?:\[[^[\]]*\][^[\]]*)?)\]\(([^()\s]+)\)/g

/**
 * Returns the Markdown of a page as it stands in the site: links lead to other pages of the site, and a file that the site does not
 * contain is named by its path.
 */
export const markdownOf = (page: Page, resolve: Resolve): string => {
  const replaced = (_: string, mark: string, text: string, href: string): string => {
    const target = resolve(page, href)
    if (target._tag !== "File") return `${mark}[${text}](${target.href})`
    return mark === "" && !text.includes(posix.basename(target.path)) ? `${text} (\`${target.path}\`)` : text
  }
  // Each second part is code.
  return page.markdown
    .split("```")
    .map((part, index) => (index % 2 === 1 ? part : part.replace(link, replaced)))
    .join("```")
}
