/** The description of a command, and its flags besides the fields of an operation. */
import type { Flag } from "./Flags.ts"

export interface Command {
  /** Other names of the command. */
  readonly also?: ReadonlyArray<string>
  readonly usage: string
  readonly summary: string
  readonly about: string
  readonly flags: Readonly<Record<string, Flag>>
  /** Whether the command's fields are sent to a gateway, which charges their card. */
  readonly sendsFields?: boolean
  /** Other arguments of the command: each word with its meaning. */
  readonly words?: { readonly title: string; readonly rows: ReadonlyArray<readonly [word: string, about: string]> }
  readonly examples: ReadonlyArray<string>
}
