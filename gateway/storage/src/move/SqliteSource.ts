/** The SQLite file from which a move reads. This process owns it meanwhile, like a gateway. */
import { dirname, join, resolve } from "node:path"
import type * as Entity from "@pay/gateway/Entity"
import { StoreRow } from "@pay/gateway/Store"
import * as Database from "@pay/sqlite/Database"
import * as Durability from "@pay/sqlite/Durability"
import * as Migration from "@pay/sqlite/Migration"
import type { SqliteError } from "@pay/sqlite/SqliteError"
import { Effect, type Scope } from "effect"
import { list, quote, selected } from "../Ddl.ts"
import * as Examination from "../Examination.ts"
import { migrations } from "../Migrations.ts"
import { failed, failWith, type MoveError } from "../MoveError.ts"
import * as MoveMark from "../MoveMark.ts"
import type { Row } from "../MoveRow.ts"
import { valuesOf } from "../Put.ts"
import * as Restoring from "../Restoring.ts"
import * as SqliteMarks from "./SqliteMarks.ts"

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

const explained = <A, R>(
  effect: Effect.Effect<A, SqliteError | Durability.StoreRefused | Migration.MigrationError, R>
) =>
  Effect.mapError(effect, (error) =>
    failWith(error._tag === "SqliteError" && error.reason._tag === "InUse" ? "running" : "failed", error.message)
  )

const textsOf = (entity: Entity.Entity) => {
  const table = quote(entity.name)
  const columns = selected(entity)
  const key = list(entity.key)
  const places = entity.key.map(() => "?").join(", ")
  return {
    count: `SELECT count(*) AS n FROM ${table}`,
    first: `SELECT ${columns} FROM ${table} ORDER BY ${key} LIMIT ?`,
    next: `SELECT ${columns} FROM ${table} WHERE (${key}) > (${places}) ORDER BY ${key} LIMIT ?`
  }
}

const reading = (database: Database.Database) => {
  const asking = <A>(ask: Parameters<typeof database.read<A>>[0]): Effect.Effect<A, MoveError> =>
    Effect.mapError(database.read(ask), failed(`${database.path} cannot be read`))
  return {
    mark: asking(SqliteMarks.mark),
    lastCommit: asking(SqliteMarks.lastCommit),
    count: (entity: Entity.Entity) =>
      asking((statements) => Number(statements.prepare(textsOf(entity).count).get()?.n)),
    page: (entity: Entity.Entity, after: Row | undefined, limit: number) =>
      asking((statements): ReadonlyArray<Row> => {
        const { first, next } = textsOf(entity)
        const columns = Object.keys(entity.columns)
        return statements
          .prepare(after === undefined ? first : next)
          .all(...(after ?? []), limit)
          .map((row) => valuesOf(StoreRow.ofStored(entity, row), columns))
      })
  }
}

export interface Source extends ReturnType<typeof reading> {
  /** The path of the file. */
  readonly label: string
  readonly database: Database.Database
  /** Writes the mark, with which no gateway starts on the store; undefined removes it. */
  readonly write: (mark: MoveMark.MoveMark | undefined) => Effect.Effect<void, MoveError>
}

/** Opens the file, and closes it in order at the end. Refuses a file that is in use or lacks commits. */
export const open = Effect.fnUntraced(function* (options: {
  readonly path: string
  readonly witness: string | undefined
}): Effect.fn.Return<Source, MoveError, Scope.Scope> {
  const givenPath = resolve(options.path)
  if (!Restoring.isThere(givenPath))
    return yield* failWith(
      "absent",
      `There is no store at ${givenPath}: name the gateway's file, gateway.db in its data folder.`
    )
  const path = yield* explained(Database.claim({ path: givenPath }))
  const durable: Durability.Options = { witness: options.witness ?? witnessOf(path), absent: "refuse" }
  const examined = yield* explained(Examination.examine(path, durable))
  const takeOver = Effect.fnUntraced(function* (database: Database.Database) {
    yield* explained(Durability.check(examined, database))
    yield* current(database)
    yield* explained(Durability.begin(database, examined, durable))
  })
  const opened = Durability.open(examined, path, { path }, takeOver)
  const { database } = yield* Effect.catchTag(opened, "SqliteError", (error) => explained(Effect.fail(error)))
  const { connection } = database
  return {
    ...reading(database),
    label: path,
    database,
    write: (mark) =>
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
  }
})
