import { without } from "./Html.ts"

/** A page of the site: Markdown, and its place among the documents of the repository. */
export interface Page {
  /** The path of its Markdown in the repository, or the one that it would have: links are relative to it. */
  readonly source: string
  /** The path of its HTML in the site. */
  readonly path: string
  readonly markdown: string
  /** Instead of its first heading, in lists. */
  readonly name?: string
}

export interface Section {
  readonly title: string
  readonly pages: ReadonlyArray<Page>
}

const heading = /^# (.+)$/m

/** The first heading, without marks. */
export const titleOf = ({ markdown, source }: Page): string =>
  (heading.exec(markdown)?.[1] ?? source).replaceAll("`", "")

/** The first paragraph, as one line of text. */
export const summaryOf = ({ markdown }: Page): string => {
  const [, ...blocks] = without(markdown, "<!--", "-->").split(/\n{2,}/)
  const paragraphs = blocks.filter((block) => /^[\p{L}`*[]/u.test(block.trim()) && !block.startsWith("```"))
  return paragraphs.map((paragraph) => aboutSubject(plainText(paragraph))).find((text) => text !== "") ?? ""
}

/** Marks of sentences that tell only where a page comes from. */
const origins = ["generated from", "generates this page", "The states come from", "Written from"]

/** A paragraph without such sentences. */
const aboutSubject = (paragraph: string): string =>
  paragraph
    .replaceAll("\n", " ")
    .split(/(?<=\.) /)
    .filter((sentence) => !origins.some((origin) => sentence.includes(origin)))
    .join(" ")

/** Markdown without links and marks. */
export const plainText = (markdown: string): string =>
  markdown
    .replace(/\]\([^()\s]*\)/g, "")
    .replaceAll("[", "")
    .replace(/[`*_]{1,2}(?=\S)|(?<=\S)[`*]{1,2}/g, "")
    .trim()
