/** The way to the terminal. */
import { variable } from "./Environment.ts"
import { folded } from "./Folding.ts"
import * as Io from "./Io.ts"

/** One thing to tell, for people and for programs. */
export interface Report {
  readonly text: string
  readonly json: Readonly<Record<string, unknown>>
}

/** Gateways are strangers: a control character of theirs would otherwise act on the terminal. */
const controlCharacters = /[^\P{Cc}\n]|[\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu

const visible = (character: string): string => `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}`

/** Text without what a terminal would obey. */
export const safe = (text: string): string => text.replace(controlCharacters, visible)

/** To standard output: text, or one line of JSON. */
export const print = (report: Report, asJson: boolean): void => {
  Io.stdout().write(`${safe(asJson ? JSON.stringify(report.json) : report.text)}\n`)
}

/** Lines for a program to read, with tabs between their columns. */
export const printLines = (lines: ReadonlyArray<string>): void => {
  for (const line of lines) Io.stdout().write(`${line.split("\t").map(safe).join("\t")}\n`)
}

/** A failure: for people on standard error, for programs where they read. */
export const printFailure = (report: Report, asJson: boolean): void => {
  if (asJson) print(report, true)
  else Io.stderr().write(`${safe(report.text)}\n`)
}

/** What stands beside the answer: for people on standard error, for programs where they read. */
export const printNote = printFailure

export interface Screen {
  readonly write: (text: string) => void
  readonly columns: () => number
}

/** Standard error, where a terminal is at its other end that can move its cursor. */
export const screen = (): Screen | undefined => {
  const stderr = Io.stderr()
  return stderr.isTTY && variable("TERM") !== "dumb"
    ? { write: (text) => stderr.write(text), columns: () => stderr.columns || 80 }
    : undefined
}

/** Two columns, the first as wide as its widest. */
export const columns = (rows: ReadonlyArray<readonly [left: string, right: string]>, indent = "  "): string => {
  const width = rows.reduce((widest, [left]) => Math.max(widest, left.length), 0)
  return rows.map(([left, right]) => `${indent}${left.padEnd(width)}  ${right}`.trimEnd()).join("\n")
}

/** Pages to read: folded where a person reads them at a terminal. */
export const printPage = (text: string): void => {
  const { columns, isTTY } = Io.stdout()
  print({ text: isTTY ? folded(text, columns || 80) : text, json: {} }, false)
}

/** A word for a shell to paste. */
export const quoted = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`
