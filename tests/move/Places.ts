/** The two sides of a move as a command line names them. */
import type * as Move from "@pay/storage/Move"
import { Redacted } from "effect"

export const of = (text: string): Move.Place =>
  text.startsWith("postgres://") ? { url: Redacted.make(text) } : { file: text }
