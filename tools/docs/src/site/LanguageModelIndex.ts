/** `llms.txt` (llmstxt.org): the pages with one sentence each, and every page as Markdown beside its HTML. */
import { nameOf } from "./Layout.ts"
import type { Resolve } from "./Links.ts"
import { type Page, type Section, summaryOf } from "./Page.ts"

const mostCharacters = 200

const shortened = (text: string): string =>
  text.length > mostCharacters ? `${text.slice(0, mostCharacters).trimEnd()}…` : text

/** Returns the path of a page's Markdown in the site. */
export const markdownPath = ({ path }: Page): string => path.replace(/\.html$/, ".md")

const link = /\]\(([^()\s]+)\)/g

/**
 * Returns the Markdown of a page, with links to the Markdown of other pages. Links to files that the site does not contain keep
 * their path.
 */
export const markdownOf = (page: Page, resolve: Resolve): string =>
  page.markdown
    .split("```")
    .map((part, index) =>
      index % 2 === 1
        ? part
        : part.replace(link, (_, href: string) => {
            const target = resolve(page, href)
            if (target._tag === "File") return `](<${target.path}>)`
            return `](${target._tag === "Page" ? target.href.replace(/\.html(?=#|$)/, ".md") : target.href})`
          })
    )
    .join("```")

const line = (page: Page): string => {
  const summary = shortened(summaryOf(page))
  return `- [${nameOf(page)}](${markdownPath(page)})${summary === "" ? "" : `: ${summary}`}`
}

export const write = (sections: ReadonlyArray<Section>): string =>
  [
    "# pay",
    "",
    "> Card payments and payouts, server to server: a merchant toolkit, a gateway, and a sandbox of the same gateway with a simulated bank. One contract defines all three.",
    "",
    "Each operation has a page with its fields, its answer, its errors and a request in curl, TypeScript, PHP and Python. openapi.json describes the same for tools.",
    "",
    ...sections.flatMap(({ pages, title }) => [`## ${title}`, "", ...pages.map(line), ""])
  ].join("\n")
