/** The little Markdown that the documents need. */

const cell = (text: string): string => text.replaceAll("|", "\\|").replaceAll("\n", " ")

const row = (cells: ReadonlyArray<string>): string => `| ${cells.map(cell).join(" | ")} |`

export const table = (head: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<string>>): string =>
  [row(head), row(head.map(() => "---")), ...rows.map(row)].join("\n")

export const code = (text: string): string => `\`${text}\``

export const codes = (texts: ReadonlyArray<string>): string => texts.map(code).join(", ")

/** Blocks with an empty line between them and a line end after the last. */
export const page = (...blocks: ReadonlyArray<string>): string => `${blocks.join("\n\n")}\n`
