/** Formats lists as tables for people, with a column for each name, as wide as its longest value. */

import { columns } from "../terminal/Output.ts"
import { isJson, type Json } from "./OperatorClient.ts"

/** A line end in a text, such as a comment, would begin a line that looks like another row. */
const lineEnds = /[\n\v\f\r\u0085\u2028\u2029]+/g

const cell = (value: unknown): string =>
  value === null || value === undefined
    ? ""
    : Array.isArray(value)
      ? value.map(cell).join(", ")
      : isJson(value)
        ? Object.entries(value)
            .map(([name, part]) => `${name}=${cell(part)}`)
            .join(" ")
        : String(value).replaceAll(lineEnds, "\\n")

export const rowsOf = (value: unknown): ReadonlyArray<Json> => (Array.isArray(value) ? value.filter(isJson) : [])

export const table = (rows: ReadonlyArray<Json>, names: ReadonlyArray<string>): string => {
  if (rows.length === 0) return "(none)"
  const lines = [names, ...rows.map((row) => names.map((name) => cell(row[name])))]
  const widths = names.map((_, at) => Math.max(...lines.map((line) => line[at]?.length ?? 0)))
  return lines
    .map((line) =>
      line
        .map((text, at) => text.padEnd(widths[at] ?? 0))
        .join("  ")
        .trimEnd()
    )
    .join("\n")
}

/** Formats an object with one line for each plain value. */
export const card = (of: Json): string => {
  const plain = Object.entries(of).filter(([, value]) => !Array.isArray(value) && value !== null)
  return columns(
    plain.map(([name, value]) => [name, cell(value)]),
    ""
  )
}
