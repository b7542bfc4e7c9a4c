/** The options of a start of a gateway that concern its store and are not part of the configuration. */
import { userInfo } from "node:os"
import { Effect } from "effect"
import { ConfigError } from "./ServerConfig.ts"

export interface Start {
  /** Whether to begin with a new, empty store. An existing store is then refused. */
  readonly isNew?: boolean
  /** Opens a store that lacks data, and treats it as restored. `by` is the account of the person who accepts the loss. */
  readonly acceptLoss?: { readonly by: string } | undefined
}

export const flags = { new: "--new", acceptLoss: "--accept-loss" } as const

/** Reads the options from the arguments of a program. Fails if there is any other argument. */
export const fromArguments = (args: ReadonlyArray<string>): Effect.Effect<Start, ConfigError> => {
  const names: ReadonlyArray<string> = Object.values(flags)
  const unknown = args.filter((word) => !names.includes(word))
  return unknown.length > 0
    ? Effect.fail(
        new ConfigError({
          message: `${unknown.join(" ")} is no argument of this program: it takes ${names.join(" and ")}`
        })
      )
    : Effect.sync(() => of(args.includes(flags.new), args.includes(flags.acceptLoss), account))
}

export const of = (isNew: boolean, acceptsLoss: boolean, by: () => string): Start => ({
  isNew,
  acceptLoss: acceptsLoss ? { by: by() } : undefined
})

/** Returns the account under which the program runs: its name, or its number if the machine has no name for it. */
const account = (): string => {
  try {
    return userInfo().username
  } catch {
    return String(process.getuid?.())
  }
}
