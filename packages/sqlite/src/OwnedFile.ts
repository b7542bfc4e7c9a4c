/**
 * A database file of a program that detects that it was copied or put back: by its identity, by the number of its commits in a file
 * beside it, and by the process that has it open under another name.
 */
import { Effect, type Scope } from "effect"
import type { Statements } from "./Connection.ts"
import * as Database from "./Database.ts"
import * as Durability from "./durability/Durability.ts"
import type { SqliteError } from "./SqliteError.ts"

export interface Options {
  /** The file, created with mode 0600 if absent. Its directory must exist. */
  readonly path: string
  /**
   * For one start after the file became another one. `moved`: it is the same data, and no process uses the former file any more.
   * `restored`: it is a copy, or an older state of the file, and its program may have done more since.
   */
  readonly origin?: "moved" | "restored" | undefined
}

export interface OwnedFile {
  readonly database: Database.Database
  /** For the group commit: it counts each commit, and refuses the commits of a process whose file another one has taken over. */
  readonly sequence: Durability.Sequence
  /** Whether the file was ever started with the origin `restored`. */
  readonly isRestored: boolean
}

const advice = {
  loss: 'Put the newer files back, or start once with the origin "restored"',
  copy: 'If no process uses the former file any more, start once with the origin "moved", otherwise with "restored"'
}

const table = "restored"
const isThere = `SELECT 1 FROM sqlite_schema WHERE name = '${table}'`
const restore = (statements: Statements): void =>
  void statements.prepare(`CREATE TABLE IF NOT EXISTS ${table} (one INTEGER PRIMARY KEY) STRICT`).run()

/** Opens the file until the scope ends. A file that another process has open, and one that was copied or put back, is refused. */
export const open = Effect.fnUntraced(function* (
  options: Options
): Effect.fn.Return<OwnedFile, SqliteError | Durability.StoreRefused, Scope.Scope> {
  const path = yield* Database.claim(options)
  const isRestored = options.origin === "restored"
  const durable: Durability.Options = {
    witness: `${path}.witness`,
    isRestored,
    mayLackLog: true,
    moved: options.origin === "moved" ? "accept" : "refuse",
    advice
  }
  const examined = yield* Durability.examine(path, durable)
  const { database, taken: sequence } = yield* Durability.open(examined, path, options, (database) =>
    Effect.andThen(
      Durability.check(examined, database),
      Durability.begin(database, examined, durable, isRestored ? restore : undefined)
    )
  )
  const wasRestored = yield* database.read((statements) => statements.prepare(isThere).get() !== undefined)
  return { database, sequence, isRestored: wasRestored }
})
