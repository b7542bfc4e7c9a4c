/** Completes command lines. The completion script of a shell calls this at each press of Tab. */

import { commands, named, withOperation } from "../Commands.ts"
import type { Command } from "../command/Command.ts"
import * as Profiles from "../command/Profiles.ts"
import * as FlowCommands from "../flow/FlowCommands.ts"
import * as TriggerEvents from "../sandbox/TriggerEvents.ts"

export type Suggestion = readonly [word: string, about: string]

const everywhere: ReadonlyArray<Suggestion> = [
  ["--help", "Explain the command."],
  ["--profile", "Settings of this name."]
]

const aboutOf = (text: string): string => text.split(". ")[0] ?? ""

/** Returns the words that can follow a command, from its usage: `resume`, `sale|authorize`, `start`. */
const verbsOf = (name: string, { usage }: Command): ReadonlyArray<Suggestion> => {
  const words = usage.split("\n").flatMap((line) => {
    const [, command, verb = ""] = line.trim().split(" ")
    return command === name && /^[a-z-]+(\|[a-z-]+)*$/.test(verb) ? verb.split("|") : []
  })
  return [...new Set(words)].map((word) => [word, ""])
}

const operations = async (): Promise<ReadonlyArray<Suggestion>> => {
  const { all } = await import("../command/Contract.ts")
  return all.map(({ command, summary }) => [command, aboutOf(summary)])
}

/** Returns the fields of the operation that the command line names. */
const fieldsOf = async (name: string, word: string | undefined): Promise<ReadonlyArray<Suggestion>> => {
  const flow = name === "flow" ? FlowCommands.named(word) : undefined
  const command = flow === undefined ? word : FlowCommands.flows[flow]
  if (!withOperation.has(name) && flow === undefined) return []
  const { all } = await import("../command/Contract.ts")
  const operation = all.find((each) => each.command === command)
  return [...(operation?.fields ?? [])].map(([field, { about }]) => [`--${field}`, aboutOf(about)])
}

const flagsOf = ({ flags }: Command): ReadonlyArray<Suggestion> =>
  Object.entries(flags).map(([flag, { about }]) => [`--${flag}`, aboutOf(about)])

const takesValue = ({ flags }: Command, word: string | undefined): boolean =>
  word?.startsWith("--") === true && !word.includes("=") && flags[word.slice(2)]?.value !== undefined

const allOf = async (
  words: ReadonlyArray<string>,
  typed: string,
  env: Readonly<Record<string, string | undefined>>
): Promise<ReadonlyArray<Suggestion>> => {
  const [first, ...rest] = words
  if (words.at(-1) === "--profile") return Object.keys(Profiles.read(env).profiles).map((name) => [name, ""])
  const all: Readonly<Record<string, Command>> = commands
  const topLevel = (): ReadonlyArray<Suggestion> => Object.entries(all).map(([name, { summary }]) => [name, summary])
  if (first === undefined) return topLevel()
  const name = named(first)
  if (name === undefined) return []
  const command: Command = commands[name]
  const fields = await fieldsOf(name, rest[0])
  const isValue = takesValue(command, words.at(-1)) || fields.some(([field]) => field === words.at(-1))
  if (isValue) return []
  if (typed.startsWith("-")) return [...fields, ...flagsOf(command), ...everywhere]
  if (rest.some((word) => !word.startsWith("-"))) return []
  if (name === "trigger") return TriggerEvents.rows
  if (name === "help") return [...topLevel(), ...(await operations())]
  return [...verbsOf(name, command), ...(withOperation.has(name) ? await operations() : [])]
}

/** Returns the suggestions for the last word of the line, which is incomplete. */
export const suggestions = async (
  line: ReadonlyArray<string>,
  env: Readonly<Record<string, string | undefined>>
): Promise<ReadonlyArray<Suggestion>> => {
  const typed = line.at(-1) ?? ""
  const candidates = await allOf(line.slice(0, -1), typed, env)
  return candidates.filter(
    ([word], index) => word.startsWith(typed) && candidates.findIndex(([other]) => other === word) === index
  )
}

/** Returns the words that can follow a command. */
export const wordsOf = async (name: string): Promise<ReadonlyArray<string>> => {
  const words = await allOf([name], "", {})
  return words.map(([word]) => word)
}
