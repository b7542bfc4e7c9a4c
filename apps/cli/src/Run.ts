/**
 * Runs the program `pay`. Help and version are printed directly; each command has its own program, which is loaded when it is
 * called.
 */
import * as Suggestion from "@pay/server/Suggestion"
import { commands, named } from "./Commands.ts"
import type { Command } from "./command/Command.ts"
import * as Profiles from "./command/Profiles.ts"
import * as HelpPage from "./help/HelpPage.ts"
import { programs } from "./Programs.ts"
import { keepCompiledCode, variables } from "./terminal/Environment.ts"
import { codes, type ExitCode } from "./terminal/ExitCode.ts"
import * as Io from "./terminal/Io.ts"
import * as Output from "./terminal/Output.ts"
import { UsageError } from "./terminal/UsageError.ts"
import { version } from "./terminal/Version.ts"

const isHelp = (word: string): boolean => word === "--help" || word === "-h"

const answer = async (args: ReadonlyArray<string>): Promise<ExitCode> => {
  const [first, ...rest] = args
  if (first === "--version" || first === "-v") return say(version)
  if (first === undefined || isHelp(first)) return say(HelpPage.overview())
  const name = named(first)
  if (name === undefined) throw await unknown(first, rest[0])
  keepCompiledCode()
  const asksForHelp = rest.slice(0, endOfFlags(rest)).some(isHelp)
  if (asksForHelp) {
    const help = await programs.help()
    return help.run([first, ...rest.filter((word) => !word.startsWith("-")).slice(0, 1)])
  }
  const { profile, words } = withoutProfile(rest)
  const program = await programs[name]()
  const running = () =>
    withoutSettings.has(name)
      ? program.run(rest)
      : Io.within({ env: Profiles.applied(variables(), profile) }, () => program.run(words))
  return running().catch(async (error: unknown) => {
    throw error instanceof UsageError ? await withSuggestion(error, name, words) : error
  })
}

/** Adds the word that a misspelt one after a command means: `pay trigger declined` for `pay trigger decline`. */
const withSuggestion = async (error: UsageError, name: string, words: ReadonlyArray<string>): Promise<UsageError> => {
  const [typed] = words
  if (typed === undefined || typed.startsWith("-") || error.message.includes("Did you mean")) return error
  const { wordsOf } = await import("./help/Completion.ts")
  const candidates = await wordsOf(name)
  const near = candidates.includes(typed) ? undefined : Suggestion.closest(typed, candidates)
  return near === undefined
    ? error
    : new UsageError(
        `${error.message}${error.message.includes("\n") ? "\n" : ". "}Did you mean pay ${name} ${near}?`,
        error.topic
      )
}

/** Commands that read no settings. */
const withoutSettings: ReadonlySet<string> = new Set([
  "help",
  "profile",
  "completion",
  "gateway",
  "restore",
  "keyring",
  "config",
  "crashtest"
])

/** Removes `--profile NAME`, which can be anywhere after the command. */
const withoutProfile = (args: ReadonlyArray<string>) => {
  const end = endOfFlags(args)
  const at = args.findIndex((word, index) => index < end && /^--profile(=|$)/.test(word))
  if (at === -1) return { profile: undefined, words: args }
  const inline = args[at]?.includes("=") === true
  const profile = inline ? args[at]?.slice("--profile=".length) : args[at + 1]
  if (!profile) throw new UsageError("--profile needs the name of a profile: pay profile list shows them", "profile")
  return { profile, words: args.toSpliced(at, inline ? 1 : 2) }
}

/** Returns the position after which no argument is a flag: that of `--`. */
const endOfFlags = (args: ReadonlyArray<string>): number => {
  const end = args.indexOf("--")
  return end === -1 ? args.length : end
}

const say = (text: string): ExitCode => {
  Output.printPage(text)
  return codes.ok
}

/** Describes an unknown command: the name of an operation, a misspelt command, or neither. */
const unknown = async (typed: string, next: string | undefined): Promise<UsageError> => {
  const { all } = await import("./command/Contract.ts")
  if (all.some(({ command }) => command === typed)) {
    return new UsageError(`${typed} is an operation, not a command: pay call ${typed}`, `call ${typed}`)
  }
  const others = Object.values<Command>(commands).flatMap(({ also = [] }) => also)
  const near = Suggestion.closest(typed, [...Object.keys(commands), ...others, "--help", "--version"])
  if (near === undefined) return new UsageError("Unknown command. pay help lists the commands")
  const { wordsOf } = await import("./help/Completion.ts")
  const isWord = next !== undefined && (await wordsOf(near)).includes(next)
  return new UsageError(`Unknown command. Did you mean pay ${isWord ? `${near} ${next}` : near}?`)
}

const fail = (error: unknown, asJson: boolean): ExitCode => {
  if (error instanceof UsageError) {
    const { message, topic } = error
    const read = topic === undefined ? "pay help" : `pay help ${topic}`
    const json = { outcome: "usage", message, read }
    Output.printFailure({ text: `${message}\n${read} tells more.`, json }, asJson)
    return codes.usage
  }
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
  Output.printFailure({ text: `pay has a defect: ${text}`, json: { outcome: "defect", message: text } }, asJson)
  return codes.defect
}

/** Runs one command line and returns its exit code, with the streams and variables of the process or with others. */
export const run = (args: ReadonlyArray<string>, io?: Io.Io): Promise<ExitCode> => {
  const answering = () =>
    answer(args).catch((error: unknown) => fail(error, args.slice(0, endOfFlags(args)).includes("--json")))
  return io === undefined ? answering() : Io.within(io, answering)
}
