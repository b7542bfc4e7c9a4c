/**
 * Forward-only changes of a schema, each applied once, in order, in a transaction of its own.
 */
import { hash } from "node:crypto"
import { Effect, Schema } from "effect"
import type { Connection } from "./Connection.ts"
import { attempt, type Database } from "./Database.ts"
import { SqliteError } from "./SqliteError.ts"

/** One step. Once released it is never edited: the next step corrects it. */
export interface Migration {
  /** Its own, never used again. Steps are applied in the order of the list. */
  readonly id: number
  readonly name: string
  /** Statements without BEGIN and COMMIT. Foreign keys are off meanwhile, and checked before the step is committed. */
  readonly sql: string
}

/** The database has had a step that the code knows differently, or knows not at that place. */
export const Changed = Schema.TaggedStruct("Changed", { id: Schema.Int, name: Schema.String })
/** The database has had a step that comes after all those of the code: a newer release has been here. */
export const Newer = Schema.TaggedStruct("Newer", { id: Schema.Int, name: Schema.String })
/** A step failed and was undone; those before it stay. */
export const Failed = Schema.TaggedStruct("Failed", { id: Schema.Int, name: Schema.String, cause: SqliteError })
/** A step left rows of `table` whose foreign keys lead nowhere, and was undone. */
export const Dangling = Schema.TaggedStruct("Dangling", { id: Schema.Int, name: Schema.String, table: Schema.String })

const Reason = Schema.Union([Changed, Newer, Failed, Dangling])

/** The schema is not the one that the code was written for; the reason says what to do about it. */
export class MigrationError extends Schema.TaggedError<MigrationError>()("MigrationError", { reason: Reason }) {
  override get message(): string {
    return explain(this.reason)
  }
}

const explain = (reason: typeof Reason.Type): string => {
  const step = `migration ${reason.id} (${reason.name})`
  switch (reason._tag) {
    case "Changed":
      return `${step} was applied to this database with another content or place; restore it and add a new one`
    case "Newer":
      return `this database has ${step}, which this release does not know; start the newer release`
    case "Failed":
      return `${step} failed and was undone: ${reason.cause.message}`
    case "Dangling":
      return `${step} leaves dangling foreign keys in table ${reason.table} and was undone`
  }
}

/**
 * Brings the database to the last of the migrations and answers with those that it applied now. Nothing is changed if
 * the ones applied earlier are not exactly the first of the list.
 */
export const migrate = Effect.fnUntraced(function* (
  database: Database,
  migrations: ReadonlyArray<Migration>
): Effect.fn.Return<ReadonlyArray<Migration>, MigrationError | SqliteError> {
  const due = yield* pending(database, migrations)
  for (const migration of due) yield* apply(database.connection, migration)
  return due
})

/** What `migrate` would apply; fails as it would. Changes nothing. */
export const pending = Effect.fnUntraced(function* (
  { connection }: Database,
  migrations: ReadonlyArray<Migration>
): Effect.fn.Return<ReadonlyArray<Migration>, MigrationError | SqliteError> {
  const applied = yield* attempt(() => appliedTo(connection))
  for (const [place, { id, name, checksum }] of applied.entries()) {
    const migration = migrations[place]
    if (migration === undefined) return yield* new MigrationError({ reason: Newer.make({ id, name }) })
    if (migration.id !== id || checksumOf(migration) !== checksum) {
      return yield* new MigrationError({ reason: Changed.make({ id, name }) })
    }
  }
  return migrations.slice(applied.length)
})

const appliedTo = (connection: Connection) => {
  const exists = connection.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'migration'").get()
  if (exists === undefined) return []
  const rows = connection.prepare("SELECT id, name, checksum FROM migration ORDER BY rowid").all()
  return rows.map((row) => ({ id: Number(row.id), name: String(row.name), checksum: String(row.checksum) }))
}

const checksumOf = (migration: Migration): string => hash("sha256", migration.sql)

const apply = (connection: Connection, migration: Migration): Effect.Effect<void, MigrationError> => {
  const { id, name } = migration
  return attempt(() => run(connection, migration)).pipe(
    Effect.mapError((cause) => new MigrationError({ reason: Failed.make({ id, name, cause }) })),
    Effect.flatMap((table) =>
      table === undefined
        ? Effect.void
        : Effect.fail(new MigrationError({ reason: Dangling.make({ id, name, table }) }))
    )
  )
}

/** Answers with a table that the step left with dangling foreign keys, if it did. */
const run = (connection: Connection, migration: Migration): string | undefined => {
  connection.exec("PRAGMA foreign_keys = OFF")
  try {
    connection.begin()
    connection.exec(migration.sql)
    const dangling = connection.prepare("PRAGMA foreign_key_check").get()
    if (dangling !== undefined) return String(dangling.table)
    connection.exec("CREATE TABLE IF NOT EXISTS migration (id INTEGER UNIQUE, name TEXT, checksum TEXT) STRICT")
    connection
      .prepare("INSERT INTO migration (id, name, checksum) VALUES (?, ?, ?)")
      .run(migration.id, migration.name, checksumOf(migration))
    connection.commit()
    return undefined
  } finally {
    connection.rollback()
    connection.exec("PRAGMA foreign_keys = ON")
  }
}
