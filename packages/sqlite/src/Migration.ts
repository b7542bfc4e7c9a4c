/** Changes of a database schema, forward only. Each one is applied once, in order, in a separate transaction. */
import "./OldNode.ts"
import * as crypto from "node:crypto"
import { Effect, Schema } from "effect"
import type { Connection, Statements } from "./Connection.ts"
import { attempt, type Database } from "./Database.ts"
import { reading } from "./durability/StoreMarkTable.ts"
import { SqliteError } from "./SqliteError.ts"

/** One change of the schema. After its release it is never edited; a later migration corrects it. */
export interface Migration {
  /** Unique number, which is never used again. Migrations are applied in the order of the list. */
  readonly id: number
  readonly name: string
  /** Statements without BEGIN and COMMIT. Foreign keys are off while they run, and are checked before the commit. */
  readonly sql: string
}

/** The database has a migration that the code has with other content, or at another place of the list. */
export const Changed = Schema.TaggedStruct("Changed", { id: Schema.Int, name: Schema.String })
/** The database has a migration after all those of the code: a newer release has used it. */
export const Newer = Schema.TaggedStruct("Newer", { id: Schema.Int, name: Schema.String })
/** A migration failed and was undone. The migrations before it remain. */
export const Failed = Schema.TaggedStruct("Failed", { id: Schema.Int, name: Schema.String, cause: SqliteError })
/** A migration left rows of `table` with foreign keys to missing rows, and was undone. */
export const Dangling = Schema.TaggedStruct("Dangling", { id: Schema.Int, name: Schema.String, table: Schema.String })

const Reason = Schema.Union([Changed, Newer, Failed, Dangling])

/** The schema is not the one that the code needs. The message contains what to do. */
export class MigrationError extends Schema.TaggedError<MigrationError>()("MigrationError", { reason: Reason }) {
  override get message(): string {
    return explain(this.reason)
  }
}

const explain = (reason: typeof Reason.Type): string => {
  const step = `migration ${reason.id} (${reason.name})`
  switch (reason._tag) {
    case "Changed":
      return `this database was made by a development version of pay, whose ${step} differs; start with an empty folder, or with npm start -- --fresh`
    case "Newer":
      return `this database has ${step}, which this release does not know; start the newer release`
    case "Failed":
      return `${step} failed and was undone: ${reason.cause.message}`
    case "Dangling":
      return `${step} leaves dangling foreign keys in table ${reason.table} and was undone`
  }
}

/**
 * Applies the migrations that the database lacks, and returns them. Fails without any change if the migrations that
 * were applied earlier are not exactly the first ones of the list.
 */
export const migrate = Effect.fnUntraced(function* (
  database: Database,
  migrations: ReadonlyArray<Migration>
): Effect.fn.Return<ReadonlyArray<Migration>, MigrationError | SqliteError> {
  const due = yield* pending(database, migrations)
  for (const migration of due) yield* apply(database.connection, migration)
  return due
})

/** Returns the migrations that {@link migrate} would apply, or fails as it would. Changes nothing. */
export const pending = ({ connection }: Database, migrations: ReadonlyArray<Migration>) =>
  due(() => appliedTo(connection), migrations)

/** Does what {@link pending} does, with a database file that is not opened for writing, and without its log. */
export const pendingInFile = (path: string, migrations: ReadonlyArray<Migration>) =>
  due(() => reading(path, "immutable", appliedTo), migrations)

const due = Effect.fnUntraced(function* (
  read: () => ReturnType<typeof appliedTo>,
  migrations: ReadonlyArray<Migration>
): Effect.fn.Return<ReadonlyArray<Migration>, MigrationError | SqliteError> {
  const applied = yield* attempt(read)
  for (const [place, { id, name, checksum }] of applied.entries()) {
    const migration = migrations[place]
    if (migration === undefined) return yield* new MigrationError({ reason: Newer.make({ id, name }) })
    if (migration.id !== id || checksumOf(migration) !== checksum) {
      return yield* new MigrationError({ reason: Changed.make({ id, name }) })
    }
  }
  return migrations.slice(applied.length)
})

const appliedTo = (connection: Pick<Statements, "prepare">) => {
  const exists = connection.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'migration'").get()
  if (exists === undefined) return []
  const rows = connection.prepare("SELECT id, name, checksum FROM migration ORDER BY rowid").all()
  return rows.map((row) => ({ id: Number(row.id), name: String(row.name), checksum: String(row.checksum) }))
}

const checksumOf = (migration: Migration): string => crypto.hash("sha256", migration.sql)

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

/**
 * Applies a migration. Returns a table in which it left invalid foreign keys, if there is one; the migration is then
 * undone.
 */
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
