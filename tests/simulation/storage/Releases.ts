/** Stores of other releases: that of a later one is refused, and that of the previous one is migrated with all its rows. */
import { mkdirSync, readdirSync, renameSync, rmSync } from "node:fs"
import { join } from "node:path"
import * as Database from "@pay/sqlite/Database"
import * as Durability from "@pay/sqlite/Durability"
import * as Migration from "@pay/sqlite/Migration"
import { migrations } from "@pay/storage/Migrations"
import { Clock, Effect } from "effect"
import * as Disk from "./Disk.ts"
import * as SqliteFiles from "./SqliteFiles.ts"
import * as StoreCopy from "./StoreCopy.ts"

/** Opens the store as a release with these migrations does, and closes it cleanly. */
const asRelease = Effect.fnUntraced(function* <A>(
  folder: string,
  existing: ReadonlyArray<Migration.Migration>,
  use: (database: Database.Database) => A
) {
  const { path, witness } = SqliteFiles.pathsIn(folder)
  const claimed = yield* Database.claim({ path })
  const examined = yield* Durability.examine(claimed, { witness })
  const database = yield* Database.connect(claimed, { path })
  yield* Migration.migrate(database, existing)
  const { acknowledge, advance } = yield* Durability.begin(database, examined, { witness })
  const used = use(database)
  // That release would have counted its commits like this.
  advance(database.connection, yield* Clock.currentTimeMillis)
  acknowledge()
  return used
}, Effect.scoped)

const later: Migration.Migration = { id: 999_999, name: "later", sql: 'CREATE TABLE "later" ("one" INTEGER) STRICT;' }

/** Reports a start that is not refused on a copy of the store that a later release has used. */
export const afterLater = (folder: string): Effect.Effect<ReadonlyArray<string>> =>
  StoreCopy.on(
    folder,
    Effect.fnUntraced(function* (copy) {
      yield* Effect.orDie(asRelease(copy.folder, [...migrations, later], () => {}))
      const outcome = yield* copy.open
      return outcome._tag === "Refused" && outcome.why === "Newer" && outcome.message.includes("later")
        ? []
        : [`a start on a store of a later release: ${outcome._tag === "Refused" ? outcome.message : "it is opened"}`]
    })
  )

const names = (database: Database.Database, sql: string, ...values: ReadonlyArray<string>): ReadonlyArray<string> =>
  database.connection
    .prepare(sql)
    .all(...values)
    .map((row) => String(row.name))

const tablesOf = (database: Database.Database, schema: string) =>
  names(
    database,
    `SELECT name FROM ${schema}.sqlite_schema WHERE type = 'table' AND name NOT IN ('standing', 'migration')`
  )

const columnsOf = (database: Database.Database, schema: string, table: string) =>
  names(database, "SELECT name FROM pragma_table_info(?, ?)", table, schema)

/** Columns that the last migration fills itself, as `table.column`: the previous release does not need them. */
const filledByMigration = new Set(
  [...(migrations.at(-1)?.sql ?? "").matchAll(/UPDATE "(\w+)" SET "(\w+)"/g)].map(
    ([, table, column]) => `${table}.${column}`
  )
)

/** Copies all rows to an empty database of an earlier schema. Returns false if that schema cannot store all of them. */
const fill = (database: Database.Database, from: string): boolean => {
  const { connection } = database
  connection.prepare("ATTACH ? AS now").run(from)
  const names = new Set(tablesOf(database, "main"))
  for (const table of tablesOf(database, "now")) {
    const columns = names.has(table) ? columnsOf(database, "main", table) : []
    const further = columnsOf(database, "now", table).filter(
      (column) => !columns.includes(column) && !filledByMigration.has(`${table}.${column}`)
    )
    const without =
      columns.length === 0 ? "" : `WHERE ${further.map((each) => `"${each}" IS NOT NULL`).join(" OR ") || "0"}`
    if (connection.prepare(`SELECT 1 FROM now."${table}" ${without} LIMIT 1`).get() !== undefined) return false
    const list = columns.map((each) => `"${each}"`).join(", ")
    if (columns.length > 0) connection.exec(`INSERT INTO main."${table}" (${list}) SELECT ${list} FROM now."${table}"`)
  }
  return true
}

/**
 * Converts the cleanly closed store of a folder to the previous release with all its rows. Returns false and changes nothing if the
 * previous schema cannot store them.
 */
export const makePrevious = (folder: string): Effect.Effect<boolean> =>
  Effect.acquireUseRelease(
    Effect.sync(() => {
      const previous = `${folder}.previous`
      mkdirSync(previous)
      return previous
    }),
    Effect.fnUntraced(function* (previous) {
      const { path } = SqliteFiles.pathsIn(folder)
      const isWhole = yield* asRelease(previous, migrations.slice(0, -1), (database) => fill(database, path)).pipe(
        Effect.orDie
      )
      if (!isWhole) return false
      for (const name of readdirSync(folder).filter(Disk.isOfStore)) rmSync(join(folder, name))
      for (const name of readdirSync(previous).filter(Disk.isOfStore))
        renameSync(join(previous, name), join(folder, name))
      return true
    }),
    (previous) => Effect.sync(() => rmSync(previous, { recursive: true }))
  )
