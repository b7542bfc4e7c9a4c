/** The SQLite file to which a move writes. It is created in a folder beside its final path, and renamed when it is complete. */
import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, statSync } from "node:fs"
import { dirname, join, resolve } from "node:path"
import * as Entities from "@pay/gateway/Entities"
import { AuditEntry } from "@pay/gateway/Entities"
import type * as Entity from "@pay/gateway/Entity"
import * as Database from "@pay/sqlite/Database"
import * as Durability from "@pay/sqlite/Durability"
import * as Migration from "@pay/sqlite/Migration"
import * as Owner from "@pay/sqlite/Owner"
import { fromUnknown } from "@pay/sqlite/SqliteError"
import { Effect, Exit, Schema, Scope } from "effect"
import { insert, quote, statements as statementsOf } from "../Ddl.ts"
import { migrations } from "../Migrations.ts"
import { failed, failWith, type MoveError } from "../MoveError.ts"
import type { Target } from "../MoveSide.ts"
import { valuesOf } from "../Put.ts"
import * as Restoring from "../Restoring.ts"
import * as SqliteMarks from "./SqliteMarks.ts"
import * as SqliteReading from "./SqliteReading.ts"

const Key = Schema.fromJsonString(Schema.Array(Schema.Union([Schema.String, Schema.Number])))
const decodeKey = Schema.decodeUnknownSync(Key)

const progress =
  'CREATE TABLE IF NOT EXISTS "copied" (entity TEXT PRIMARY KEY, rows INTEGER NOT NULL, after TEXT) STRICT'
const record = 'INSERT OR REPLACE INTO "copied" (entity, rows, after) VALUES (?, ?, ?)'

const indexes = (entity: Entity.Entity): ReadonlyArray<string> =>
  statementsOf(entity).filter((sql) => /^CREATE (UNIQUE )?INDEX /.test(sql))

const names = (entity: Entity.Entity): ReadonlyArray<string> =>
  [...Object.keys(entity.unique), ...Object.keys(entity.index)].map((name) => quote(`${entity.name}.${name}`))

const synced = (path: string): void => {
  const descriptor = openSync(path, "r")
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

export interface OpenedTarget {
  readonly target: Target
  readonly database: Database.Database
}

/** Refuses a path with a store or with a process that uses it. */
export const open = Effect.fnUntraced(function* (
  given: string
): Effect.fn.Return<OpenedTarget, MoveError, Scope.Scope> {
  const path = resolve(given)
  const folder = Restoring.movingFolderOf(path)
  const draft = join(folder, "gateway.db")
  if (!existsSync(dirname(path)) || !statSync(dirname(path)).isDirectory())
    return yield* failWith(
      "settings",
      `The folder ${dirname(path)} is missing: make it first, for the gateway's account alone.`
    )
  yield* Effect.acquireRelease(
    Effect.try({
      try: () => Owner.claim(path),
      catch: (cause) => {
        const { message, reason } = fromUnknown(cause)
        return failWith(reason._tag === "InUse" ? "running" : "failed", message)
      }
    }),
    (release) => Effect.sync(release)
  )
  for (const there of [path, `${path}-wal`])
    if (Restoring.isThere(there))
      return yield* failWith("present", `${there} is there: name a file that is not there yet.`)
  const sqlite = <A, E extends { readonly message: string }, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.mapError(effect, failed(draft))
  let keeps = existsSync(folder)
  // Files of a move that did not begin would keep a gateway from starting.
  yield* Effect.addFinalizer(() =>
    Effect.sync(() => (keeps ? undefined : rmSync(folder, { recursive: true, force: true })))
  )
  const connectionScope = yield* Scope.fork(yield* Effect.scope)
  yield* Effect.try({ try: () => mkdirSync(folder, { recursive: true, mode: 0o700 }), catch: failed(folder) })
  const database = yield* sqlite(Scope.provide(Database.connect(draft, { path: draft }), connectionScope))
  const { connection } = database
  const transaction = (work: () => void): Effect.Effect<void, MoveError> =>
    sqlite(
      Database.attempt(() => {
        connection.begin()
        try {
          work()
          connection.commit()
        } finally {
          connection.rollback()
        }
      })
    )

  const place = Effect.gen(function* () {
    yield* Scope.close(connectionScope, Exit.void)
    yield* Effect.try({
      try: () => {
        synced(draft)
        renameSync(draft, path)
        synced(dirname(path))
        rmSync(folder, { recursive: true })
      },
      catch: failed(path)
    })
  })
  const target: Target = {
    ...SqliteReading.make(database, path),
    isWhole: yield* sqlite(database.read(SqliteMarks.isFinished)),
    place,
    begin: (mark) =>
      Effect.gen(function* () {
        if ((yield* sqlite(database.read(SqliteMarks.mark))) !== undefined) return
        yield* sqlite(Migration.migrate(database, migrations))
        yield* transaction(() => {
          connection.exec(progress)
          for (const name of Entities.all.flatMap(names)) connection.exec(`DROP INDEX ${name}`)
          SqliteMarks.setMark(connection, mark)
        })
        keeps = true
      }),
    copied: (entity) =>
      sqlite(
        database.read((statements) => {
          const row = statements.prepare('SELECT rows, after FROM "copied" WHERE entity = ?').get(entity.name)
          return {
            rows: Number(row?.rows ?? 0),
            after: row === undefined || row.after === null ? undefined : decodeKey(row.after)
          }
        })
      ),
    add: (entity, rows, { after, rows: count }) =>
      transaction(() => {
        const statement = connection.prepare(insert(entity))
        for (const row of rows) statement.run(...row)
        connection.prepare(record).run(entity.name, count, after === undefined ? null : JSON.stringify(after))
      }),
    index: (entity) =>
      transaction(() => {
        for (const sql of indexes(entity)) connection.exec(sql.replace(" INDEX ", " INDEX IF NOT EXISTS "))
      }),
    finish: (ancestors, audit) =>
      Effect.gen(function* () {
        // The witness of an earlier store at this path is invalid, and the first start writes a new one.
        const durable: Durability.Options = { isCopy: true }
        const examined = yield* sqlite(Durability.examine(draft, durable))
        yield* sqlite(Scope.provide(Durability.begin(database, examined, durable), connectionScope))
        yield* transaction(() => {
          connection.prepare(insert(AuditEntry)).run(...valuesOf(audit, Object.keys(AuditEntry.columns)))
          SqliteMarks.setAncestors(connection, ancestors)
          SqliteMarks.setMark(connection, undefined)
          connection.exec('DROP TABLE "copied"')
        })
      })
  }
  return { target, database }
})
