/** The texts of the search, as a script instead of JSON, so that the search also works on files without a server. */

import type { Heading } from "./Markdown.ts"
import { type Page, plainText } from "./Page.ts"
import { without } from "./Without.ts"

/**
 * A section in the search index: `u` address, `p` page, `h` heading, `t` text. The keys are short because the index has many
 * entries.
 */
export interface Entry {
  readonly u: string
  readonly p: string
  readonly h: string
  readonly t: string
}

const textOf = (markdown: string): string =>
  plainText(
    without(without(markdown, "```mermaid", "```"), "<!--", "-->")
      .replace(/^[|\s:-]+$/gm, "")
      .replace(/```\S*.*$/gm, "")
      .replaceAll("|", " ")
  ).replace(/\s+/g, " ")

/** Returns the sections of a page: each heading with the text below it. */
export const entries = (page: Page, name: string, headings: ReadonlyArray<Heading>): ReadonlyArray<Entry> => {
  const lines = page.markdown.split("\n")
  const sections: Array<Entry> = []
  let isCode = false
  let next = 0
  let heading: Heading | undefined
  let text: Array<string> = []
  const add = () => {
    const fragment = heading === undefined || heading.depth === 1 ? "" : `#${heading.id}`
    const body = textOf(text.join("\n"))
    if (heading !== undefined) sections.push({ u: page.path + fragment, p: name, h: heading.text, t: body })
  }
  for (const line of lines) {
    if (line.startsWith("```")) isCode = !isCode
    if (!isCode && /^#{1,6} /.test(line)) {
      add()
      heading = headings[next]
      next += 1
      text = []
    } else text.push(line)
  }
  add()
  return sections
}

export const script = (all: ReadonlyArray<Entry>): string => `window.searchIndex = ${JSON.stringify(all)}\n`
