/** Builds the Markdown of generated pages: blocks, tables and code. */

const cell = (text: string): string => text.replaceAll("|", "\\|").replaceAll("\n", " ")

const row = (cells: ReadonlyArray<string>): string => `| ${cells.map(cell).join(" | ")} |`

export const table = (head: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<string>>): string =>
  [row(head), row(head.map(() => "---")), ...rows.map(row)].join("\n")

export const code = (text: string): string => `\`${text}\``

export const codes = (texts: ReadonlyArray<string>): string => texts.map(code).join(", ")

/** Joins blocks with an empty line between them and a line end after the last. Empty blocks are left out. */
export const page = (...blocks: ReadonlyArray<string>): string => `${blocks.filter(Boolean).join("\n\n")}\n`

export const list = (lines: ReadonlyArray<string>): string => lines.map((line) => `- ${line}`).join("\n")

/** Returns a block of code. */
export const fence = (language: string, text: string): string => `\`\`\`${language}\n${text.trimEnd()}\n\`\`\``

/** Returns a block that the reader opens. */
export const folded = (summary: string, text: string): string => `::: details ${summary}\n\n${text}\n\n:::`

/** Returns blocks of which the reader chooses one. The choice of a programming language is kept for all pages. */
export const tabs = (blocks: Readonly<Record<string, string>>): string =>
  [":::tabs key:language", ...Object.entries(blocks).flatMap(([name, block]) => [`== ${name}`, block]), ":::"].join(
    "\n\n"
  )
