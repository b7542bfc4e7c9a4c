/**
 * Texts that are sent, or stored in durable flows, one per line, as they were when they were frozen. Names in the code may change;
 * these may not: a durable flow, a client or a dashboard knows them.
 */
import { readFileSync } from "node:fs"
import { join } from "node:path"

const folder = join(import.meta.dirname, "frozen")

const pathOf = (name: string): string => join(folder, `${name}.txt`)

/** The lines of a frozen text. */
export const lines = (name: string): ReadonlyArray<string> => readFileSync(pathOf(name), "utf8").trimEnd().split("\n")

/** What is there now and was not frozen: a new name, or an old one that was changed. */
export const unlisted = (name: string, current: Iterable<string>): ReadonlyArray<string> => {
  const frozen = new Set(lines(name))
  return [...new Set(current)].filter((line) => !frozen.has(line)).sort()
}

/** What was frozen and is not there now: a name that was removed or changed. */
export const missing = (name: string, current: Iterable<string>): ReadonlyArray<string> => {
  const names = new Set(current)
  return lines(name).filter((line) => !names.has(line))
}
