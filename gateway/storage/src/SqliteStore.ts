/**
 * The gateway's store in one SQLite file. A commit succeeds when it is on disk, many commits share one sync, and one process owns
 * the file.
 */

import * as Entities from "@pay/gateway/Entities"
import { AuditEntry, type Job } from "@pay/gateway/Entities"
import type * as Entity from "@pay/gateway/Entity"
import { type GuardFailed, type Range, type Reads, Spans, Store, StoreRow, StoreUnavailable } from "@pay/gateway/Store"
import * as Database from "@pay/sqlite/Database"
import * as Durability from "@pay/sqlite/Durability"
import * as GroupCommit from "@pay/sqlite/GroupCommit"
import * as Migration from "@pay/sqlite/Migration"
import * as Reserve from "@pay/sqlite/Reserve"
import type { SqliteError } from "@pay/sqlite/SqliteError"
import { Clock, Effect, Layer, type Scope } from "effect"
import { Balances } from "./Balances.ts"
import { Commit } from "./Commit.ts"
import * as Examination from "./Examination.ts"
import { migrations } from "./Migrations.ts"
import * as MoveMark from "./MoveMark.ts"
import * as SqliteMarks from "./move/SqliteMarks.ts"
import * as ReadThread from "./ReadThread.ts"
import * as Restoring from "./Restoring.ts"
import * as Scheduler from "./Scheduler.ts"
import * as Table from "./Table.ts"

export type { RestoreUnfinished } from "./Restoring.ts"

export interface Options
  extends Database.Options,
    Omit<GroupCommit.Options, "database" | "sequence">,
    Omit<Durability.Options, "acceptLoss" | "isCopy" | "isRestored" | "moved"> {
  /** Opens a store with missing commits as a restored one. `by`: the operator's account, for the audit. */
  readonly acceptLoss?: { readonly by: string } | undefined
  /** Opens any store as a restored one. */
  readonly restored?: { readonly by: string } | undefined
  /** Continues a store whose file was moved, or copied. `isRequired`: a file that was not is refused. */
  readonly moved?: { readonly by: string; readonly isRequired: boolean } | undefined
  /** Size of the reserve on the disk, for work that is under way when the disk is full. Default 0: there is none. */
  readonly reserveBytes?: number | undefined
  /** The store is a backup that is being restored. `told`: its audit row. */
  readonly copy?: { readonly audit: AuditEntry; readonly lastCommitAtMs: number | undefined }
}

/**
 * Migrates an open database to the newest schema and makes a store of it. Fails with `MigrationError` if a newer release has migrated
 * it. Only the store may write to the database.
 */
export const make = Effect.fnUntraced(function* (
  options: GroupCommit.Options & Pick<Store["Service"], "aside" | "isShort" | "lastCommitAtMs">
): Effect.fn.Return<Store["Service"], SqliteError | Migration.MigrationError> {
  const { database } = options
  yield* Migration.migrate(database, migrations)
  const writer = yield* GroupCommit.make(options)
  const withSpan = yield* Spans.make
  const tables = Table.tables(Entities.all)
  const balances = new Balances()

  return Store.of({
    exclusive: true,
    ...(options.isShort === undefined ? {} : { isShort: options.isShort }),
    lastCommitAtMs: options.lastCommitAtMs,
    aside: options.aside,
    ...reading(database, tables),
    claimDue: (claim) => {
      const job: GroupCommit.Job<ReadonlyArray<Job>> = {
        check: () => undefined,
        write: (statements) => Scheduler.claimDue(statements, claim)
      }
      return writer.submit(job).pipe(Effect.catch(unavailable))
    },
    commit: (decision) =>
      withSpan(
        Effect.catch(writer.submit(new Commit(tables, balances, decision)), refusedOrUnavailable),
        "store.commit"
      )
  })
})

const reading = (database: Database.Database, tables: Table.Tables): Reads => {
  const load = <C extends Entity.Columns>(
    entity: Entity.Entity<C>,
    values: ReadonlyArray<Entity.Value>,
    unique = "key"
  ) =>
    database
      .read((statements) => {
        const row = tables(entity).load(statements, values, unique)
        return row === undefined ? undefined : StoreRow.ofStored(entity, row)
      })
      .pipe(Effect.catch(unavailable))

  const find = <C extends Entity.Columns>(entity: Entity.Entity<C>, index: string, range: Range) =>
    database
      .read((statements) => {
        const rows = tables(entity).find(statements, index, range)
        return rows.map((row) => StoreRow.ofStored(entity, row))
      })
      .pipe(Effect.catch(unavailable))
  return { load, find }
}

/** Makes reads in a thread of their own. */
const readingAside = Effect.fnUntraced(function* (path: string): Effect.fn.Return<Reads, never, Scope.Scope> {
  const tables = Table.tables(Entities.all)
  const ask = yield* ReadThread.make(path)
  return {
    load: (entity, values, unique = "key") =>
      Effect.map(
        Effect.suspend(() => ask(tables(entity).loadQuery(values, unique))),
        ([row]) => row && StoreRow.ofStored(entity, row)
      ),
    find: (entity, index, range) =>
      Effect.map(
        Effect.suspend(() => ask(tables(entity).findQuery(index, range))),
        (rows) => rows.map((row) => StoreRow.ofStored(entity, row))
      )
  }
})

/** Makes a store that reads a database and refuses all writes. Another process may own the database. */
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

/** The errors of opening a store. */
export type OpenError = SqliteError | Migration.MigrationError | Restoring.RestoreUnfinished | Durability.StoreRefused

/**
 * Opens the file until the layer's scope ends. Each layer is a store of its own. A file that another process has open is refused with
 * `InUse`, an unfinished restore with `RestoreUnfinished`, and missing commits with `StoreRefused`.
 *
 * ```ts
 * program.pipe(Effect.provide(SqliteStore.layer({ path: "/var/lib/pay/gateway.db", witness: "/mnt/other/witness" })))
 * ```
 */
export const layer = (options: Options): Layer.Layer<Store, OpenError> => Layer.effect(Store, open(options))

/** Returns the business time of the last commit that the store has; undefined if it is unknown. */
const lastCommitOf = (judgement: Durability.Examined["judgement"]): number | undefined => {
  if (judgement._tag === "Loss") return judgement.sinceMs
  return judgement._tag === "Sound" ? judgement.storeMark.committedAtMs : undefined
}

const open = Effect.fnUntraced(function* (
  options: Options
): Effect.fn.Return<Store["Service"], OpenError, Scope.Scope> {
  yield* Restoring.refuse(options.path)
  const path = yield* Database.claim(options)
  if (!Database.isFile(options)) return yield* make({ ...options, database: yield* Database.connect(path, options) })
  const { absent, acceptLoss, copy, moved, restored, witness } = options
  const reserved = { path: `${path}.reserve`, bytes: options.reserveBytes ?? 0 }
  yield* Reserve.makeRoom(reserved)
  const durable: Durability.Options = {
    witness,
    ...(absent === undefined ? {} : { absent }),
    acceptLoss: acceptLoss !== undefined,
    isCopy: copy !== undefined,
    isRestored: restored !== undefined,
    moved: moved === undefined ? "refuse" : moved.isRequired ? "insist" : "accept"
  }
  const examined = yield* Examination.examine(path, durable)
  const { judgement } = examined
  const missing = judgement._tag === "Loss" ? judgement : undefined
  const isMoved = missing?.why === "elsewhere" && restored === undefined && copy === undefined
  const takeOver = Effect.fnUntraced(function* (database: Database.Database) {
    yield* Durability.check(examined, database)
    const mark = yield* database.read(SqliteMarks.mark)
    if (mark !== undefined) return yield* new Durability.StoreRefused({ why: "moved", message: MoveMark.explain(mark) })
    yield* Migration.migrate(database, migrations)
    const restoredAtMs = yield* Clock.currentTimeMillis
    const tables = Table.tables(Entities.all)
    const facts = { why: missing?.why ?? "", what: missing?.what ?? "", missing: missing?.missing ?? null }
    if (isMoved) {
      const audit = yield* Restoring.audited(moved?.by ?? "", "store.moved", facts)
      return yield* Durability.begin(database, examined, durable, (statements) =>
        tables(AuditEntry).append(statements, audit)
      )
    }
    const action = restored === undefined ? "store.accept-loss" : "store.restored"
    const audit = copy?.audit ?? (yield* Restoring.audited((restored ?? acceptLoss)?.by ?? "", action, facts))
    const lastCommitAtMs = copy?.lastCommitAtMs ?? lastCommitOf(judgement)
    return yield* Durability.begin(database, examined, durable, (statements) =>
      Restoring.mark(statements, tables, { restoredAtMs, lastCommitAtMs, audit })
    )
  })
  const { database, taken: sequence } = yield* Durability.open(examined, path, options, takeOver)
  if (copy === undefined && (missing !== undefined || restored !== undefined))
    yield* Effect.logWarning(
      `Started as ${isMoved ? "moved" : "restored"}: ${missing?.what ?? "by the operator's word"}`
    )
  const reserve = yield* Reserve.make(reserved)
  const isShort = () => !reserve.isComplete()
  const lastCommitAtMs = lastCommitOf(judgement)
  const aside = yield* readingAside(path)
  return yield* make({ ...options, database, sequence, makeRoom: reserve.release, isShort, lastCommitAtMs, aside })
})
