/** Reads what `pay crashtest` is given: its flags, and the command after `--`. */
import * as Faults from "@pay/crashtest/Faults"
import * as Suggestion from "@pay/server/Suggestion"
import { Random } from "effect"
import { commands } from "../Commands.ts"
import * as Flags from "../command/Flags.ts"
import { quoted } from "../terminal/Output.ts"
import { UsageError } from "../terminal/UsageError.ts"

export const topic = "crashtest"

export interface Input {
  readonly given: Flags.Given
  /** The words after `--`. */
  readonly command: ReadonlyArray<string>
}

/** Separates the flags from the shop's command, which may have flags of the same names. */
export const parse = (args: ReadonlyArray<string>): Input => {
  const end = args.indexOf("--")
  const own = end === -1 ? args : args.slice(0, end)
  const given = Flags.ofCommand(own, commands.crashtest, topic)
  if (given.operands.length > 0)
    throw new UsageError("Write the command that starts the shop after --: pay crashtest -- php shop.php", topic)
  return { given, command: end === -1 ? [] : args.slice(end + 1) }
}

/** Returns the value of a flag that is a whole number. `undefined`: not given. */
const wholeNumber = ({ flags }: Flags.Given, flag: string, most: number): number | undefined => {
  const text = flags.get(flag)
  if (text === undefined) return undefined
  if (/^[1-9]\d{0,9}$/.test(text) && Number(text) <= most) return Number(text)
  throw new UsageError(`--${flag} is a whole number from 1 to ${most}`, topic)
}

/** Returns the faults of `--kinds`. `undefined`: all. */
const kindsOf = ({ flags }: Flags.Given): ReadonlyArray<Faults.Fault> | undefined => {
  const text = flags.get("kinds")
  if (text === undefined) return undefined
  const words = text.split(",").flatMap((word) => (word.trim() === "" ? [] : [word.trim()]))
  if (words.length === 0) throw new UsageError("--kinds names no fault: pay crashtest --list shows all", topic)
  return words.map((word) => {
    const fault = Faults.names.find((name) => name.toLowerCase() === word.toLowerCase())
    if (fault !== undefined) return fault
    const near = Suggestion.closest(word, Faults.names)
    throw new UsageError(
      near === undefined
        ? "--kinds: pay crashtest --list shows the names of all faults"
        : `--kinds: did you mean ${near}?`,
      topic
    )
  })
}

/** Returns the variables of `--env NAME=TEXT`. */
const variablesOf = ({ flags }: Flags.Given): Readonly<Record<string, string>> =>
  Object.fromEntries(
    (flags.get("env")?.split("\n") ?? []).map((line) => {
      const at = line.indexOf("=")
      if (at > 0) return [line.slice(0, at), line.slice(at + 1)]
      throw new UsageError("--env is a name and a text: --env GATEWAY_URL={url}", topic)
    })
  )

const largestSeed = 999_999_999

/** What a run is given besides its template. */
export interface Wanted extends Input {
  readonly payments: number
  readonly minutes: number | undefined
  /** Absent: a random one. */
  readonly seed: number | undefined
  readonly only: number | undefined
  readonly kinds: ReadonlyArray<Faults.Fault> | undefined
  /** Values that take the place of the template's. */
  readonly overrides: Readonly<Record<string, unknown>>
  /** Variables in addition to the template's. */
  readonly variables: Readonly<Record<string, string>>
}

/** Reads everything that a run needs, and refuses what is wrong before anything starts. */
export const wantedOf = (input: Input): Wanted => {
  const { command, given } = input
  if (command.length === 0)
    throw new UsageError("Give the command that starts the shop after --: pay crashtest -- php shop.php", topic)
  if (given.flags.has("case") && !given.flags.has("seed"))
    throw new UsageError("--case needs the seed of its run: --seed NUMBER, as the run printed it", topic)
  const seconds = wholeNumber(given, "patience", 3600)
  const url = given.flags.get("url")
  return {
    ...input,
    payments: wholeNumber(given, "payments", 1_000_000) ?? 300,
    minutes: wholeNumber(given, "minutes", 10_000),
    seed: wholeNumber(given, "seed", largestSeed),
    only: wholeNumber(given, "case", 2_000_000_000),
    kinds: kindsOf(given),
    overrides: {
      ...(url !== undefined && { url }),
      ...(seconds !== undefined && { patience: `${seconds} seconds` })
    },
    variables: variablesOf(given)
  }
}

/** Chooses a seed. */
export const randomSeed = Random.nextIntBetween(1, largestSeed)

/** Flags that a repeated case needs, too: those by which the shop is driven. */
const kept = ["template", "url", "env", "patience"] as const

/** Returns the command line that repeats a case; for number 0, that of the whole run. */
export const replay = ({ command, given }: Input, seed: number, caseNumber: number): string => {
  const flags = (name: string): ReadonlyArray<string> =>
    (given.flags.get(name)?.split("\n") ?? []).flatMap((value) => [`--${name}`, value])
  const run = caseNumber > 0 ? ["--case", String(caseNumber)] : ["payments", "minutes", "kinds"].flatMap(flags)
  return ["pay", "crashtest", "--seed", String(seed), ...run, ...kept.flatMap(flags), "--", ...command]
    .map(quoted)
    .join(" ")
}
