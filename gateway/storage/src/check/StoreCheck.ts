/** Checks a whole store of either engine: its schema, triggers and rights, rows, ledger and witness. */
import type { Effect, Scope } from "effect"
import type { MoveError } from "../MoveError.ts"
import type * as Administration from "../postgres/Administration.ts"
import type { Checked } from "./Checked.ts"
import * as PostgresCheck from "./PostgresCheck.ts"
import * as SqliteCheck from "./SqliteCheck.ts"

export type { Checked } from "./Checked.ts"

/** The place of a store: a file, or a database with its password file. */
export type Place = { readonly file: string } | Administration.Place

export const run = (options: {
  readonly place: Place
  /** By default the one beside a SQLite file, and none for a database. */
  readonly witness?: string | undefined
}): Effect.Effect<Checked, MoveError, Scope.Scope> => {
  const { place, witness } = options
  return "file" in place ? SqliteCheck.run({ path: place.file, witness }) : PostgresCheck.run({ place, witness })
}
