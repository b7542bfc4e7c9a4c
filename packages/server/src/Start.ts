/** What whoever starts a gateway says about its store, besides the configuration. */
import { userInfo } from "node:os"
import { Effect } from "effect"
import { ConfigError } from "./ServerConfig.ts"

export interface Start {
  /** Begins with an empty store; refuses one that is there. */
  readonly isNew?: boolean
  /** Opens a store as restored in which something is missing; `by`: the account of whoever says so. */
  readonly acceptLoss?: { readonly by: string } | undefined
}

export const flags = { new: "--new", acceptLoss: "--accept-loss" } as const

/** From the arguments of a program that takes no others. */
export const fromArguments = (given: ReadonlyArray<string>): Effect.Effect<Start, ConfigError> => {
  const names: ReadonlyArray<string> = Object.values(flags)
  const unknown = given.filter((word) => !names.includes(word))
  return unknown.length > 0
    ? Effect.fail(
        new ConfigError({
          message: `${unknown.join(" ")} is no argument of this program: it takes ${names.join(" and ")}`
        })
      )
    : Effect.sync(() => of(given.includes(flags.new), given.includes(flags.acceptLoss), account))
}

export const of = (isNew: boolean, acceptsLoss: boolean, by: () => string): Start => ({
  isNew,
  acceptLoss: acceptsLoss ? { by: by() } : undefined
})

/** Whose account the program runs under; a number where the machine knows no name for it. */
const account = (): string => {
  try {
    return userInfo().username
  } catch {
    return String(process.getuid?.())
  }
}
