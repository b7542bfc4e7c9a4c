/**
 * The gateway's store in one SQLite file: a commit is answered when it is on disk, many of them share one sync, and one
 * process owns the file.
 */
import * as Entities from "@pay/gateway/Entities"
import type * as Entity from "@pay/gateway/Entity"
import type { AgendaItem } from "@pay/gateway/entities/AgendaItem"
import { type GuardFailed, type Range, Store, StoreUnavailable } from "@pay/gateway/Store"
import * as StoreRow from "@pay/gateway/StoreRow"
import * as Database from "@pay/sqlite/Database"
import * as GroupCommit from "@pay/sqlite/GroupCommit"
import * as Migration from "@pay/sqlite/Migration"
import type { SqliteError } from "@pay/sqlite/SqliteError"
import { Effect, Layer } from "effect"
import * as Agenda from "./Agenda.ts"
import { Commit } from "./Commit.ts"
import { migrations } from "./Migrations.ts"
import * as Restoring from "./Restoring.ts"
import * as Table from "./Table.ts"

export interface Options extends Database.Options, Omit<GroupCommit.Options, "database"> {}

/**
 * Brings an open database to the newest schema and serves the store from it; fails with `MigrationError` where a newer
 * release has had it. The database is the store's alone to write.
 */
export const make = Effect.fnUntraced(function* (
  options: GroupCommit.Options
): Effect.fn.Return<Store["Service"], SqliteError | Migration.MigrationError> {
  const { database } = options
  yield* Migration.migrate(database, migrations)
  const writer = yield* GroupCommit.make(options)
  const tables = Table.tables(Entities.all)

  return Store.of({
    exclusive: true,
    ...reading(database, tables),
    claimDue: (claim) => {
      const job: GroupCommit.Job<ReadonlyArray<AgendaItem>> = {
        check: () => undefined,
        write: (statements) => Agenda.claimDue(statements, claim)
      }
      return writer.submit(job).pipe(Effect.catch(unavailable))
    },
    commit: (decision) => writer.submit(new Commit(tables, decision)).pipe(Effect.catch(refusedOrUnavailable))
  })
})

const reading = (database: Database.Database, tables: Table.Tables): Pick<Store["Service"], "load" | "find"> => {
  const load = <C extends Entity.Columns>(
    entity: Entity.Entity<C>,
    values: ReadonlyArray<Entity.Value>,
    unique = "key"
  ) =>
    database
      .read((statements) => {
        const row = tables(entity).load(statements, values, unique)
        return row === undefined ? undefined : StoreRow.typed(entity, row)
      })
      .pipe(Effect.catch(unavailable))

  const find = <C extends Entity.Columns>(entity: Entity.Entity<C>, index: string, range: Range) =>
    database
      .read((statements) => {
        const rows = tables(entity).find(statements, index, range)
        return rows.map((row) => StoreRow.typed(entity, row))
      })
      .pipe(Effect.catch(unavailable))
  return { load, find }
}

/** Reads of a database that nobody writes to, or that is another process's: whatever would write is refused. */
export const readOnly = (database: Database.Database): Store["Service"] => {
  const refused = Effect.fail(new StoreUnavailable({ outcomeUnknown: false, cause: "opened to be read only" }))
  return Store.of({
    exclusive: false,
    ...reading(database, Table.tables(Entities.all)),
    claimDue: () => refused,
    commit: () => refused
  })
}

const refusedOrUnavailable = (
  error: GuardFailed | SqliteError | GroupCommit.CommitUnknown
): Effect.Effect<never, GuardFailed | StoreUnavailable> =>
  error._tag === "GuardFailed" ? Effect.fail(error) : unavailable(error)

const unavailable = (error: SqliteError | GroupCommit.CommitUnknown): Effect.Effect<never, StoreUnavailable> =>
  Effect.fail(new StoreUnavailable({ outcomeUnknown: error._tag === "CommitUnknown", cause: error }))

/**
 * Opens the file, and keeps it until the layer's scope ends. Each layer made is a store of its own; a file that another
 * process has open is refused with `InUse`, one for which a copy was being put back with `RestoreUnfinished`.
 *
 * ```ts
 * program.pipe(Effect.provide(SqliteStore.layer({ path: "/var/lib/pay/gateway.db" })))
 * ```
 */
export const layer = (
  options: Options
): Layer.Layer<Store, SqliteError | Migration.MigrationError | Restoring.RestoreUnfinished> =>
  Layer.effect(
    Store,
    Restoring.refuse(options.path).pipe(
      Effect.andThen(Database.open(options)),
      Effect.flatMap((database) => make({ ...options, database }))
    )
  )
