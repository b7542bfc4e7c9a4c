/**
 * Makes verified backups of a gateway's database while the gateway runs, and restores them. A restored database is marked, so that
 * the gateway inquires at the bank before it sends. Keys are in other files and are not part of a backup.
 */
import {
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync
} from "node:fs"
import { dirname, join, resolve } from "node:path"
import { pathToFileURL } from "node:url"
import { AuditEntry } from "@pay/gateway/Entities"
import * as Database from "@pay/sqlite/Database"
import * as Durability from "@pay/sqlite/Durability"
import * as Migration from "@pay/sqlite/Migration"
import * as Owner from "@pay/sqlite/Owner"
import { backup, DatabaseSync } from "@pay/sqlite/Sqlite"
import { Effect, Layer, Schema } from "effect"
import { insert } from "./Ddl.ts"
import { migrations } from "./Migrations.ts"
import { valuesOf } from "./Put.ts"
import * as Restoring from "./Restoring.ts"
import * as SqliteStore from "./SqliteStore.ts"

/** The message says what to do. */
export class BackupError extends Schema.TaggedError<BackupError>()("BackupError", { message: Schema.String }) {}

export const fileName = "gateway.db"

/** The number of pages that are copied, and of all pages. */
export interface Progress {
  readonly pages: number
  readonly of: number
}

export interface Verified {
  readonly orders: number
  readonly entries: number
  /** The creation time of the newest order. It is null if there are no orders. */
  readonly lastOrderAtMs: number | null
  /** Steps that a start on this backup would apply, because it is of an earlier release. */
  readonly olderBySteps: number
}

const pagesAtOnce = 256
/** The busy timeout, which no write of the gateway exceeds. */
const busyTimeoutMs = 5000

const failed = (what: string) => (cause: unknown) =>
  new BackupError({ message: `${what}: ${cause instanceof Error ? cause.message : String(cause)}` })

/** Creates a file that only its owner may read, like the database. Refuses an existing file. */
const create = (path: string): Effect.Effect<void, BackupError> =>
  Effect.try({
    try: () => closeSync(openSync(path, "wx", 0o600)),
    catch: (cause) =>
      existsSync(dirname(path))
        ? failed(`${path} cannot be made; name a file that is not there yet`)(cause)
        : new BackupError({ message: `the folder ${dirname(path)} is missing: make it first, for your account alone` })
  })

/** Removes a file that was written in part. */
const unlessWhole =
  (path: string) =>
  <A, E, R>(self: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.onError(self, () => Effect.sync(() => rmSync(path, { recursive: true, force: true })))

/**
 * Copies one state of the database, whatever is committed meanwhile. A read transaction holds that state, so that the gateway does
 * not wait and the copy does not start again.
 */
const copied = (from: string, to: string, report: (progress: Progress) => void): Effect.Effect<void, BackupError> =>
  Effect.acquireUseRelease(
    Effect.try({
      try: () => {
        const url = pathToFileURL(from)
        url.searchParams.set("mode", "ro")
        const source = new DatabaseSync(url, { readOnly: true, timeout: busyTimeoutMs })
        source.exec("BEGIN")
        source.prepare("SELECT count(*) FROM sqlite_schema").get()
        return source
      },
      catch: failed(`${from} cannot be read`)
    }),
    (source) =>
      Effect.tryPromise({
        try: () =>
          backup(source, to, {
            rate: pagesAtOnce,
            progress: ({ remainingPages, totalPages }) => report({ pages: totalPages - remainingPages, of: totalPages })
          }),
        catch: failed(`${to} cannot be written`)
      }),
    (source) => Effect.sync(() => source.close())
  )

const pathsOf = ({ dataDirectory, file }: { readonly file: string; readonly dataDirectory: string }) => ({
  file: resolve(file),
  dataDirectory: resolve(dataDirectory)
})

/** Appends an audit row to a database on which a gateway may be running. No decision of the gateway depends on it. */
const recorded = (path: string, row: AuditEntry): Effect.Effect<void, BackupError> =>
  Effect.try({
    try: () => {
      const url = pathToFileURL(path)
      // This read-only connection closes last. Without it and without a running gateway, the writing connection would close last
      // and remove the log, and the next start would miss the log.
      url.searchParams.set("mode", "ro")
      const stayer = new DatabaseSync(url, { readOnly: true, timeout: busyTimeoutMs })
      stayer.prepare("SELECT count(*) FROM sqlite_schema").get()
      url.searchParams.set("mode", "rw")
      const database = new DatabaseSync(url, { timeout: busyTimeoutMs })
      try {
        database.prepare(insert(AuditEntry)).run(...valuesOf(row, Object.keys(AuditEntry.columns)))
      } finally {
        database.close()
        stayer.close()
      }
    },
    catch: failed(`${path} cannot be written: the backup must be audited`)
  })

const opened = (path: string) =>
  Effect.mapError(Database.open({ path, readOnly: true }), failed(`${path} cannot be opened`))

/** Checks that every page of the file is intact and that this release can start on its schema. */
export const verify = Effect.fnUntraced(function* (path: string) {
  if (!existsSync(path)) return yield* new BackupError({ message: `${path} is not there` })
  const database = yield* opened(path)
  const problems = yield* Effect.mapError(
    database.read((statements) => statements.prepare("PRAGMA integrity_check(3)").all()),
    failed(`${path} is damaged`)
  )
  const wrong = problems.map((row) => String(row.integrity_check)).filter((text) => text !== "ok")
  if (wrong.length > 0) return yield* new BackupError({ message: `${path} is damaged: ${wrong.join("; ")}` })
  const due = yield* Effect.mapError(Migration.pending(database, migrations), ({ message }) => failed(path)(message))
  if (due.length === migrations.length) return yield* new BackupError({ message: `${path} is no gateway's database` })
  const [counted] = yield* Effect.mapError(
    database.read((statements) =>
      statements
        .prepare(
          'SELECT (SELECT count(*) FROM "orders") AS orders, (SELECT count(*) FROM "ledger") AS entries, (SELECT max("createdAtMs") FROM "orders") AS last'
        )
        .all()
    ),
    failed(`${path} cannot be read`)
  )
  const verified: Verified = {
    orders: Number(counted?.orders),
    entries: Number(counted?.entries),
    lastOrderAtMs: typeof counted?.last === "number" ? counted.last : null,
    olderBySteps: due.length
  }
  return verified
}, Effect.scoped)

/**
 * Makes a verified backup of the database in a data folder while a gateway may run on it. `by`: the operator's account, which is
 * audited before the backup exists.
 */
export const make = Effect.fn("Backup.make")(function* (options: {
  readonly dataDirectory: string
  readonly file: string
  readonly by: string
  readonly report?: (progress: Progress) => void
}) {
  const { by, dataDirectory, file, report = () => {} } = options
  const source = join(dataDirectory, fileName)
  yield* create(file)
  return yield* Restoring.audited(by, "store.backup", pathsOf({ file, dataDirectory })).pipe(
    Effect.flatMap((row) => recorded(source, row)),
    Effect.andThen(copied(source, file, report)),
    Effect.andThen(verify(file)),
    unlessWhole(file)
  )
})

/** A step of a restore that is reported when it is done and durable. */
export type Step = "copied" | "marked" | "placed"

/** Syncs a file or folder to disk. */
const synced = (path: string, flags: "r" | "r+"): void => {
  const descriptor = openSync(path, flags)
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/**
 * Restores a backup into a data folder without a database, migrates it to this release's schema and marks it as restored. The audit
 * names the operator's account (`by`). Returns the properties of the backup. The database gets its name only after it is marked, by
 * one rename. Until then, and after an interruption, no gateway starts in the folder, and the restore can be repeated.
 */
export const restore = Effect.fn("Backup.restore")(function* (options: {
  readonly file: string
  readonly dataDirectory: string
  readonly by: string
  readonly report?: (step: Step) => void
}) {
  const { by, dataDirectory, file, report = () => {} } = options
  const target = join(dataDirectory, fileName)
  const folder = Restoring.folderOf(target)
  const draft = join(folder, fileName)
  const written = (write: () => void) => Effect.try({ try: write, catch: failed(`${target} cannot be written`) })

  const free = Effect.gen(function* () {
    if (!existsSync(dataDirectory))
      return yield* new BackupError({
        message: `the folder ${dataDirectory} is missing: make it first, for the gateway's account alone`
      })
    if (!statSync(dataDirectory).isDirectory())
      return yield* new BackupError({
        message: `${dataDirectory} is no folder: name the one that the gateway is to run on`
      })
    for (const path of [target, `${target}-wal`])
      if (Restoring.isThere(path))
        return yield* new BackupError({ message: `${path} is there: restore into a folder without a database` })
  })

  yield* free
  const verified = yield* verify(file)
  // No gateway and no other restore uses the folder meanwhile.
  yield* Effect.acquireRelease(
    Effect.try({ try: () => Owner.claim(target), catch: failed(`${target} cannot be written`) }),
    (release) => Effect.sync(release)
  )
  yield* free

  const copy = written(() => {
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(folder, { mode: 0o700 })
    copyFileSync(file, draft, constants.COPYFILE_EXCL)
    chmodSync(draft, 0o600)
    report("copied")
  })
  const mark = Effect.gen(function* () {
    const audit = yield* Restoring.audited(by, "store.restore", pathsOf({ file, dataDirectory }))
    const copy = { audit, lastCommitAtMs: yield* Durability.lastCommitAtMs(draft) }
    yield* Effect.scoped(Layer.build(SqliteStore.layer({ path: draft, copy })))
  }).pipe(Effect.mapError(failed(`${target} cannot be marked as restored`)))
  const place = written(() => {
    synced(draft, "r+")
    report("marked")
    renameSync(draft, target)
    synced(dataDirectory, "r")
    report("placed")
  })
  yield* copy.pipe(Effect.andThen(mark), Effect.andThen(place), unlessWhole(folder))
  yield* written(() => rmSync(folder, { recursive: true }))
  return verified
}, Effect.scoped)
