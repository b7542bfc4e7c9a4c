import { without } from "./Without.ts"

/** A page of the site: Markdown, and its place among the documents of the repository. */
export interface Page {
  /** The path of its Markdown in the repository. A generated page has a path here, too, because links are relative to it. */
  readonly source: string
  /** The path of its Markdown in the site. */
  readonly path: string
  readonly markdown: string
  /** The name of the page in lists. The default is its first heading. */
  readonly name?: string
}

/** Pages under one heading of a menu. A group that is closed at first has pages that readers look up, not read. */
export interface Group {
  readonly title: string
  readonly pages: ReadonlyArray<Page>
  readonly isClosed?: true
}

/** The pages for one kind of reader, in one folder of the site. */
export interface Shelf {
  readonly title: string
  readonly about: string
  readonly groups: ReadonlyArray<Group>
}

const heading = /^# (.+)$/m

/** Returns the first heading of the page, without backticks. */
const titleOf = ({ markdown, source }: Page): string => (heading.exec(markdown)?.[1] ?? source).replaceAll("`", "")

/** Returns the name of the page in lists. */
export const nameOf = (page: Page): string => page.name ?? titleOf(page)

/** Returns the first paragraph of the page, as one line of text. */
export const summaryOf = ({ markdown }: Page): string => {
  const [, ...blocks] = without(markdown, "<!--", "-->").split(/\n{2,}/)
  const paragraphs = blocks.filter((block) => /^[\p{L}`*[]/u.test(block.trim()) && !block.startsWith("```"))
  return paragraphs.map((paragraph) => aboutSubject(plainText(paragraph))).find((text) => text !== "") ?? ""
}

/** Texts by which {@link summaryOf} recognizes sentences about the origin of a page. */
const origins = ["generated from", "generates this page", "The states come from", "Written from"]

/** Removes the sentences about the page's origin from a paragraph. */
const aboutSubject = (paragraph: string): string =>
  paragraph
    .replaceAll("\n", " ")
    .split(/(?<=\.) /)
    .filter((sentence) => !origins.some((origin) => sentence.includes(origin)))
    .join(" ")

/** Returns the text of Markdown, without links and formatting. */
const plainText = (markdown: string): string =>
  markdown
    .replace(/\]\([^()\s]*\)/g, "")
    .replaceAll("[", "")
    .replace(/[`*_]{1,2}(?=\S)|(?<=\S)[`*]{1,2}/g, "")
    .trim()
