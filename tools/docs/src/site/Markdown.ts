/** Converts Markdown to HTML, and collects the headings of the page. */
import { escaped } from "@pay/schema/Markup"
import { Marked } from "marked"
import * as Diagram from "./Diagram.ts"
import type { Resolve } from "./Links.ts"
import { type Page, plainText } from "./Page.ts"

export interface Heading {
  readonly depth: number
  readonly text: string
  readonly id: string
}

export interface Rendered {
  readonly html: string
  readonly headings: ReadonlyArray<Heading>
}

/** Returns the fragment identifier of a heading, by the rules of GitHub. */
const anchor = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-")

const block = (text: string, info: string): string => {
  const [language = "", ...options] = info.split(" ")
  const tab = options.find((option) => option.startsWith("tab="))?.slice("tab=".length)
  const diagram = language === "mermaid" ? Diagram.draw(text) : undefined
  if (diagram !== undefined) return `<figure>${diagram}</figure>\n`
  const label = tab === undefined ? "" : ` data-tab="${escaped(tab)}"`
  return `<pre${label} data-language="${escaped(language)}"><code>${escaped(text)}\n</code></pre>\n`
}

export const render = (page: Page, resolve: Resolve): Rendered => {
  const headings: Array<Heading> = []
  const ids = new Set<string>()
  const unique = (text: string): string => {
    const first = anchor(text)
    let id = first
    for (let count = 1; ids.has(id); count++) id = `${first}-${count}`
    ids.add(id)
    return id
  }
  const marked = new Marked({
    gfm: true,
    renderer: {
      code: ({ lang = "", text }) => block(text, lang),
      heading({ depth, text, tokens }) {
        const plain = plainText(text)
        const id = unique(plain)
        headings.push({ depth, text: plain, id })
        const link = depth === 1 ? "" : ` <a class="anchor" href="#${id}" aria-label="Link to this section">#</a>`
        return `<h${depth} id="${id}">${this.parser.parseInline(tokens)}${link}</h${depth}>\n`
      },
      link({ href, tokens }) {
        const text = this.parser.parseInline(tokens)
        const target = resolve(page, href)
        if (target._tag === "File")
          return `<span class="file" title="${escaped(target.path)} in the repository">${text}</span>`
        return `<a href="${escaped(target.href)}">${text}</a>`
      },
      image({ href, text }) {
        const target = resolve(page, href)
        return target._tag === "File" ? "" : `<img src="${escaped(target.href)}" alt="${escaped(text)}">`
      },
      table(token) {
        const cells = (row: typeof token.header, tag: string) =>
          row
            .map(({ text, tokens }) => {
              // A screen reader would announce a header cell without text, so it becomes a normal cell.
              const name = text === "" ? "td" : tag
              return `<${name}>${this.parser.parseInline(tokens)}</${name}>`
            })
            .join("")
        const rows = token.rows.map((row) => `<tr>${cells(row, "td")}</tr>`).join("\n")
        return `<div class="table" tabindex="0"><table><thead><tr>${cells(token.header, "th")}</tr></thead>\n<tbody>${rows}</tbody></table></div>\n`
      }
    }
  })
  return { html: marked.parse(page.markdown, { async: false }), headings }
}
