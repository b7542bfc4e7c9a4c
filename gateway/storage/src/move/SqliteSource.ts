/** The SQLite file from which a move reads. This process owns it meanwhile, like a gateway. */
import { dirname, join, resolve } from "node:path"
import * as Database from "@pay/sqlite/Database"
import * as Durability from "@pay/sqlite/Durability"
import * as Migration from "@pay/sqlite/Migration"
import type { SqliteError } from "@pay/sqlite/SqliteError"
import { Effect, type Scope } from "effect"
import { migrations } from "../Migrations.ts"
import { failed, failWith, type MoveError } from "../MoveError.ts"
import * as MoveMark from "../MoveMark.ts"
import type { Source } from "../MoveSide.ts"
import * as Restoring from "../Restoring.ts"
import * as SqliteMarks from "./SqliteMarks.ts"
import * as SqliteReading from "./SqliteReading.ts"

/** Returns the default path of the witness. */
export const witnessOf = (path: string): string => join(dirname(path), "store.witness")

/** Fails if a step of this release is missing. The mark of a move is no step. */
const current = (database: Database.Database) =>
  Migration.pending(database, migrations).pipe(
    Effect.map((due) => due.length),
    Effect.catchIf(
      (error) => error._tag === "MigrationError" && error.reason._tag === "Newer" && error.reason.id === MoveMark.step,
      () => Effect.succeed(0)
    ),
    Effect.mapError(({ message }) => failWith("schema", `${database.path}: ${message}`)),
    Effect.flatMap((due) =>
      due === 0
        ? Effect.void
        : Effect.fail(
            failWith(
              "schema",
              `${database.path} is of an earlier release: start a gateway of this release on it once, and stop it.`
            )
          )
    )
  )

const explained = <A, R>(effect: Effect.Effect<A, SqliteError | Durability.StoreRefused, R>) =>
  Effect.mapError(effect, (error) =>
    failWith(error._tag === "SqliteError" && error.reason._tag === "InUse" ? "running" : "failed", error.message)
  )

export interface OpenedSource {
  readonly source: Source
  readonly database: Database.Database
  /** Removes the mark of a move. */
  readonly remove: Effect.Effect<void, MoveError>
}

/** Opens the file, and closes it in order at the end. Refuses a file that is in use or lacks commits. */
export const open = Effect.fnUntraced(function* (options: {
  readonly path: string
  readonly witness: string | undefined
}): Effect.fn.Return<OpenedSource, MoveError, Scope.Scope> {
  const givenPath = resolve(options.path)
  if (!Restoring.isThere(givenPath))
    return yield* failWith(
      "absent",
      `There is no store at ${givenPath}: name the gateway's file, gateway.db in its data folder.`
    )
  const path = yield* explained(Database.claim({ path: givenPath }))
  const durable: Durability.Options = { witness: options.witness ?? witnessOf(path), absent: "refuse" }
  const examined = yield* explained(Durability.examine(path, durable))
  const letGo = yield* explained(Durability.keepLog(examined))
  const database = yield* explained(Database.connect(path, { path }))
  const takeOver = Effect.gen(function* () {
    yield* explained(Durability.check(examined, database))
    yield* current(database)
    yield* explained(Durability.begin(database, examined, durable))
  })
  yield* Effect.onError(takeOver, () => Effect.sync(() => database.connection.abandon()))
  yield* letGo
  const { connection } = database
  const write = (mark: MoveMark.MoveMark | undefined): Effect.Effect<void, MoveError> =>
    Effect.mapError(
      Database.attempt(() => {
        connection.begin()
        try {
          SqliteMarks.setMark(connection, mark)
          connection.commit()
        } finally {
          connection.rollback()
        }
      }),
      failed(path)
    )
  const source: Source = {
    ...SqliteReading.make(database, path),
    write,
    ancestors: Effect.mapError(database.read(SqliteMarks.ancestors), failed(path))
  }
  return { source, database, remove: write(undefined) }
})
