/** `llms.txt` (llmstxt.org): the pages with one sentence each, and every page as Markdown beside its HTML. */
import { nameOf } from "./Layout.ts"
import { type Page, type Section, summaryOf } from "./Page.ts"

const mostCharacters = 200

const shortened = (text: string): string =>
  text.length > mostCharacters ? `${text.slice(0, mostCharacters).trimEnd()}…` : text

/** The address of a page as Markdown. */
export const markdownPath = ({ path }: Page): string => path.replace(/\.html$/, ".md")

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
