/** docs/conformance.md: a guide that people write, and the parts below it that two commands write, each behind a mark of its own. */
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"

const file = join(import.meta.dirname, "../../docs/conformance.md")

/** The commands in the order of their parts. */
const commands = ["conformance", "conformance:planted"] as const

const markOf = (command: string): string => `<!-- Written by npm run ${command} from here on. -->`

/** The page with this text as the part of the command. The other parts stay. */
export const replaced = (page: string, command: (typeof commands)[number], text: string): string => {
  const later = commands.slice(commands.indexOf(command) + 1).map((each) => page.indexOf(markOf(each)))
  const end = later.find((at) => at !== -1) ?? page.length
  const own = page.indexOf(markOf(command))
  const before = page.slice(0, own === -1 ? end : own).trimEnd()
  return `${[before, markOf(command), text.trim(), page.slice(end).trim()].filter((part) => part !== "").join("\n\n")}\n`
}

export const write = (command: (typeof commands)[number], text: string): void =>
  writeFileSync(file, replaced(readFileSync(file, "utf8"), command, text))
