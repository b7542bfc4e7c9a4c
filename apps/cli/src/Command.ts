/** What a command is for, and its flags besides the fields of an operation. */
import type { Flag } from "./Flags.ts"

export interface Command {
  /** Other words for it, which do the same. */
  readonly also?: ReadonlyArray<string>
  readonly usage: string
  readonly summary: string
  readonly about: string
  readonly flags: Readonly<Record<string, Flag>>
  /** Its fields are sent to a gateway, which charges their card. */
  readonly sendsFields?: boolean
  /** What else it takes: a word and what the word means. */
  readonly words?: { readonly title: string; readonly rows: ReadonlyArray<readonly [word: string, about: string]> }
  readonly examples: ReadonlyArray<string>
}
