/** Prints to the terminal. */
import * as Color from "./Color.ts"
import { variable, variables } from "./Environment.ts"
import { folded } from "./Folding.ts"
import * as Io from "./Io.ts"

/** A report, as text for people and as JSON for programs. */
export interface Report {
  readonly text: string
  readonly json: Readonly<Record<string, unknown>>
}

/** Control characters of texts that a gateway sends. A terminal would execute them. */
const controlCharacters = /[^\P{Cc}\n]|[\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu

const visible = (character: string): string => `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}`

/** Replaces control characters by visible text. */
export const safe = (text: string): string => text.replace(controlCharacters, visible)

/** Prints a report to standard output: text, painted if colours are wanted, or one line of JSON. */
export const print = (report: Report, asJson: boolean, paint?: Color.Painter): void => {
  const stdout = Io.stdout()
  const text = safe(asJson ? JSON.stringify(report.json) : report.text)
  const isColored = !asJson && Color.isWanted(variables(), stdout.isTTY === true)
  stdout.write(`${isColored && paint !== undefined ? paint(text) : text}\n`)
}

/** Prints lines for programs, with tabs between their columns. */
export const printLines = (lines: ReadonlyArray<string>): void => {
  for (const line of lines) Io.stdout().write(`${line.split("\t").map(safe).join("\t")}\n`)
}

/** Prints a failure: text on standard error, or JSON on standard output. */
export const printFailure = (report: Report, asJson: boolean): void => {
  if (asJson) print(report, true)
  else Io.stderr().write(`${safe(report.text)}\n`)
}

/** Prints a note besides the answer: text on standard error, or JSON on standard output. */
export const printNote = printFailure

export interface Screen {
  readonly write: (text: string) => void
  readonly columns: () => number
}

/** Returns standard error if it is a terminal that can move its cursor, otherwise `undefined`. */
export const screen = (): Screen | undefined => {
  const stderr = Io.stderr()
  return stderr.isTTY && variable("TERM") !== "dumb"
    ? { write: (text) => stderr.write(text), columns: () => stderr.columns || 80 }
    : undefined
}

/** Formats two columns. The first is as wide as its longest value. */
export const columns = (rows: ReadonlyArray<readonly [left: string, right: string]>, indent = "  "): string => {
  const width = rows.reduce((widest, [left]) => Math.max(widest, left.length), 0)
  return rows.map(([left, right]) => `${indent}${left.padEnd(width)}  ${right}`.trimEnd()).join("\n")
}

/** Prints a page. On a terminal, lines are broken to its width. */
export const printPage = (text: string): void => {
  const { columns, isTTY } = Io.stdout()
  print({ text: isTTY ? folded(text, columns || 80) : text, json: {} }, false, Color.page)
}

/** Quotes a word for a shell. */
export const quoted = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`
