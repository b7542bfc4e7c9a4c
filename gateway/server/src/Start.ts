/** The options of a start of a gateway that concern its store and are not part of the configuration. */
import { userInfo } from "node:os"
import { Effect } from "effect"
import { ConfigError } from "./ServerConfig.ts"

export interface Start {
  /** Whether to begin with a new, empty store. An existing store is then refused. */
  readonly isNew?: boolean
  /** Opens a store that lacks data, and treats it as restored. `by` is the account of the person who accepts the loss. */
  readonly acceptLoss?: { readonly by: string } | undefined
  /** Continues a store that was moved to another file or database. `by` is the account of the person who says that it was. */
  readonly moved?: { readonly by: string } | undefined
  /** Treats the store as restored, whether or not data is missing in it: the bank is asked first. */
  readonly restored?: { readonly by: string } | undefined
  /** Takes the machine's clock for right although no other clock agrees. `by` is the account of the person who says that it is. */
  readonly acceptClock?: { readonly by: string } | undefined
}

export const flags = ["--new", "--accept-loss", "--moved", "--restored", "--accept-clock"] as const
type Flag = (typeof flags)[number]

/** Reads the options from the arguments of a program. Fails if there is any other argument. */
export const fromArguments = (args: ReadonlyArray<string>): Effect.Effect<Start, ConfigError> => {
  const names: ReadonlyArray<string> = flags
  const unknown = args.filter((word) => !names.includes(word))
  return unknown.length > 0
    ? Effect.fail(
        new ConfigError({
          message: `${unknown.join(" ")} is no argument of this program: it takes ${names.join(", ")}`
        })
      )
    : Effect.sync(() => of((flag) => args.includes(flag), account))
}

export const of = (has: (flag: Flag) => boolean, by: () => string): Start => {
  const word = (flag: Flag) => (has(flag) ? { by: by() } : undefined)
  return {
    isNew: has("--new"),
    acceptLoss: word("--accept-loss"),
    moved: word("--moved"),
    restored: word("--restored"),
    acceptClock: word("--accept-clock")
  }
}

/** Returns the account under which the program runs: its name, or its number if the machine has no name for it. */
const account = (): string => {
  try {
    return userInfo().username
  } catch {
    return String(process.getuid?.())
  }
}
