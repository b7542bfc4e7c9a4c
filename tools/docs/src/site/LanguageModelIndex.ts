/** `llms.txt` (llmstxt.org): the pages with one sentence each. Every page is in the site as Markdown, too. */
import { nameOf, type Page, type Shelf, summaryOf } from "./Page.ts"

const mostCharacters = 200

const shortened = (text: string): string =>
  text.length > mostCharacters ? `${text.slice(0, mostCharacters).trimEnd()}…` : text

const line = (page: Page): string => {
  const summary = shortened(summaryOf(page))
  return `- [${nameOf(page)}](${page.path})${summary === "" ? "" : `: ${summary}`}`
}

export const write = (shelves: ReadonlyArray<Shelf>): string =>
  [
    "# pay",
    "",
    "> Card payments and payouts, server to server: a merchant toolkit, a gateway, and a sandbox of the same gateway with a simulated bank. One contract defines all three.",
    "",
    "Each operation has a page with its fields, its answer, its errors and a request in curl, TypeScript, PHP and Python. openapi.json describes the same for tools.",
    "",
    ...shelves.flatMap(({ groups, title }) =>
      groups.flatMap((group) => [`## ${title}: ${group.title}`, "", ...group.pages.map(line), ""])
    )
  ].join("\n")
