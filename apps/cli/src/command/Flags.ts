/**
 * Parses the flags of one command. A flag can be written in any accepted spelling, with `-` or `_`, in any case, and shortened to
 * an unambiguous prefix. A flag that lacks only its last letter is misspelt, not shortened. Values follow as `--name value` or
 * `--name=value`. No message repeats a value, because it could be a card number or a key.
 */
import { parseArgs } from "node:util"
import * as Suggestion from "@pay/server/Suggestion"
import { UsageError } from "../terminal/UsageError.ts"

export interface Flag {
  /** The placeholder of the value in help. A flag without a placeholder is a switch. */
  readonly value?: string
  /** Whether it may be given several times. Its values are joined by line feeds. */
  readonly many?: true
  readonly about: string
}

export interface Given {
  readonly operands: ReadonlyArray<string>
  /** The values by primary name, in the order of the command line. */
  readonly flags: ReadonlyMap<string, string>
}

export interface Accepted {
  /** The accepted flags by primary name. */
  readonly flags: ReadonlyMap<string, Flag>
  /** Further spellings, with the primary name of each. */
  readonly spellings?: ReadonlyMap<string, string>
}

/** Parses the arguments. `topic` is the page of `pay help` that an error message names. */
export const parse = (args: ReadonlyArray<string>, accepted: Accepted, topic: string): Given => {
  const { tokens } = parseArgs({ args: [...args], strict: false, allowPositionals: true, tokens: true })
  const operands: Array<string> = []
  const flags = new Map<string, string>()
  for (let index = 0; index < tokens.length; index++) {
    const token = tokens[index]
    if (token?.kind === "positional") operands.push(token.value)
    if (token?.kind !== "option") continue
    if (!token.rawName.startsWith("--")) throw notAFlag(token.rawName, topic)
    const name = resolve(token.name, accepted, topic)
    const { many, value } = accepted.flags.get(name) ?? {}
    const former = flags.get(name)
    if (former !== undefined && !many) throw new UsageError(`--${name} is given twice`, topic)
    const set = (text: string) => flags.set(name, former === undefined ? text : `${former}\n${text}`)
    if (value === undefined) {
      if (token.inlineValue === true) throw new UsageError(`--${name} takes no value`, topic)
      flags.set(name, "")
      continue
    }
    const next = tokens[index + 1]
    if (token.inlineValue === true) set(token.value)
    else if (next?.kind === "positional" && next.index === token.index + 1) {
      set(next.value)
      index++
    } else throw new UsageError(`--${name} needs a value (one that starts with "-" is written --${name}=…)`, topic)
  }
  return { operands, flags }
}

/** Parses the arguments of a command that takes its own flags and nothing else. */
export const ofCommand = (
  args: ReadonlyArray<string>,
  { flags }: { readonly flags: Readonly<Record<string, Flag>> },
  topic: string
): Given => parse(args, { flags: new Map(Object.entries(flags)) }, topic)

/** An error message repeats only the flag, without a value that is attached to it (`-p4444…`). */
const notAFlag = (rawName: string, topic: string): UsageError =>
  new UsageError(`${rawName.slice(0, 2)} is not a flag: flags start with "--"`, topic)

/** Whether a name begins so. One letter less saves no typing: it is a mistake, after which nothing must run. */
const isShortened = (name: string, typed: string): boolean => name.startsWith(typed) && name.length > typed.length + 1

const plain = (name: string): string => name.toLowerCase().replaceAll("_", "-")

/** Flags that are refused because they would show a secret to every user of the machine, each with the alternative. */
const secret: Readonly<Record<string, string>> = {
  "control-key": "Set PAY_CONTROL_KEY, or give --control-key-file FILE (- reads standard input)",
  "operator-token": "Set PAY_OPERATOR_TOKEN, or give --operator-token-file FILE",
  "private-key": "Give --private-key-file FILE"
}

const resolve = (typed: string, { flags, spellings }: Accepted, topic: string): string => {
  const instead = secret[plain(typed)]
  if (instead !== undefined) throw new UsageError(`Others can read command lines: a key is no flag. ${instead}`, topic)
  if (flags.has(typed)) return typed
  const exact = spellings?.get(typed)
  if (exact !== undefined) return exact
  const names = new Map([...(spellings ?? []), ...[...flags.keys()].map((name) => [name, name] as const)])
  const wanted = plain(typed)
  const same = primaries(names, (spelling) => plain(spelling) === wanted)
  const matches = same.length > 0 ? same : primaries(names, (spelling) => isShortened(plain(spelling), wanted))
  const [only, ...others] = matches
  if (only !== undefined && others.length === 0) return only
  if (only !== undefined) {
    throw new UsageError(`--${typed} could be ${matches.map((name) => `--${name}`).join(", ")}: write it out`, topic)
  }
  const near = nearest(typed, [...names.keys(), ...everywhere])
  throw new UsageError(
    near === undefined ? `Unknown flag --${printable(typed)}` : `Unknown flag. Did you mean --${near}?`,
    topic
  )
}

/** Flags of every command, which are taken out before it parses its own. */
const everywhere = ["profile", "help"]

/** Returns the name that a misspelt one means, also if it is shortened to one of its words: `--endpont` is `--endpoint-id`. */
const nearest = (typed: string, names: Iterable<string>): string | undefined => {
  const whole = [...names]
  const near = Suggestion.closest(
    plain(typed),
    new Map(
      whole.flatMap((name) => [
        [name, name],
        [plain(name).replace(/-.*/, ""), name]
      ])
    ).keys()
  )
  return whole.find((name) => name === near) ?? whole.find((name) => plain(name).replace(/-.*/, "") === near)
}

const primaries = (
  names: ReadonlyMap<string, string>,
  matches: (spelling: string) => boolean
): ReadonlyArray<string> => [...new Set([...names].filter(([spelling]) => matches(spelling)).map(([, name]) => name))]

/** Returns a name that can be printed. A name with digits could contain a secret. */
const printable = (typed: string): string => (/^[a-z_-]{1,40}$/i.test(typed) ? typed : "…")
