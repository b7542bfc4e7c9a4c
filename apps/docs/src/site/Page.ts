/** A page of the site: Markdown, and its place among the documents of the repository. */
export interface Page {
  /** Where its Markdown is, or would be, from the root of the repository. Links in it are relative to it. */
  readonly source: string
  /** Where its HTML is, from the root of the site. */
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
  const [, ...blocks] = markdown.replace(/<!--[\s\S]*?-->/g, "").split(/\n{2,}/)
  const paragraph = blocks.find((block) => /^[\p{L}`*[]/u.test(block.trim())) ?? ""
  return plainText(paragraph).replaceAll("\n", " ")
}

/** Markdown without links and marks. */
export const plainText = (markdown: string): string =>
  markdown
    .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/[`*_]{1,2}(?=\S)|(?<=\S)[`*]{1,2}/g, "")
    .trim()
