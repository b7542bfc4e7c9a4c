/** A SQLite file that keeps every acknowledged commit: WAL, `synchronous=FULL`, and one process that may write. */
import { closeSync, existsSync, openSync, realpathSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import { Effect, type Scope } from "effect"
import { Connection, type Intercept, lockAlone, type Statements, share } from "./Connection.ts"
import * as Owner from "./Owner.ts"
import { fromUnknown, isFromSqlite, type SqliteError } from "./SqliteError.ts"

export type { Intercept, Statements } from "./Connection.ts"

export interface Options {
  /** The file, created with mode 0600 if absent, or `":memory:"`. Its directory must exist. */
  readonly path: string
  /** True: the database is only read. It may be opened beside a process that writes. */
  readonly readOnly?: boolean
  /**
   * Longest time, in milliseconds, for which a statement waits for a lock of another connection and blocks the event
   * loop. Default: 1000.
   */
  readonly busyTimeoutMs?: number
  /** Hook for tests of faults; see {@link Intercept}. */
  readonly intercept?: Intercept
}

export interface Database {
  readonly path: string
  /** Reads the committed state, synchronously and so never in the middle of a batch. The function must not write. */
  readonly read: <A>(ask: (statements: Statements) => A) => Effect.Effect<A, SqliteError>
  /** The connection. Only `GroupCommit` and `Migration`, which control the transactions, use it directly. */
  readonly connection: Connection
}

/**
 * Opens a database until the scope ends, which writes the log back into the file. A file that another process has open is refused
 * with `InUse`, which names the process if it is known, and a file with several names with `Linked`. A killed owner leaves nothing
 * that has to be removed.
 *
 * ```ts
 * const database = yield* Database.open({ path: "orders.db" })
 * const count = yield* database.read((db) => db.prepare("SELECT count(*) AS n FROM orders").get())
 * ```
 */
export const open = Effect.fnUntraced(function* (
  options: Options
): Effect.fn.Return<Database, SqliteError, Scope.Scope> {
  const path = yield* claim(options)
  if (!isFile(options) || options.readOnly === true) return yield* connect(path, options)
  yield* attempt(() => Owner.refuseLinked(path), path)
  const database = yield* connect(path, options)
  const { connection } = database
  if (!(yield* attempt(() => lockAlone(connection), path))) return yield* Owner.inUse(path)
  yield* attempt(() => share(connection), path)
  return database
})

/**
 * The first half of {@link open}: reserves the name of the file, so that no other process uses it until the scope ends. Returns the
 * real path of the file. `connection.alone` then finds out whether a process has the file open under another name.
 */
export const claim = Effect.fnUntraced(function* (
  options: Options
): Effect.fn.Return<string, SqliteError, Scope.Scope> {
  const path = isFile(options) ? realPathOf(options.path) : options.path
  if (isFile(options) && options.readOnly !== true)
    yield* Effect.acquireRelease(
      attempt(() => Owner.claim(path), path),
      (release) => Effect.sync(release)
    )
  return path
})

/** The second half of {@link open}, for a path that {@link claim} returned. */
export const connect = Effect.fnUntraced(function* (
  path: string,
  options: Options
): Effect.fn.Return<Database, SqliteError, Scope.Scope> {
  const { busyTimeoutMs = 1000, intercept, readOnly = false } = options
  if (isFile(options) && !readOnly) createPrivately(path)
  const connection = yield* Effect.acquireRelease(
    attempt(() => new Connection({ path, readOnly, busyTimeoutMs, intercept }), path),
    (connection) => Effect.sync(() => connection.close())
  )
  return { path, connection, read: (ask) => attempt(() => ask(connection), path) }
})

export const isFile = ({ path }: Options): boolean => path !== ":memory:"

/** Returns the path without links. A file that does not exist yet gets the real path of its folder. */
const realPathOf = (path: string): string => {
  try {
    return existsSync(path) ? realpathSync(path) : join(realpathSync(dirname(path)), basename(path))
  } catch {
    // The folder does not exist, or may not be read. SQLite reports the error when it opens the file.
    return path
  }
}

/** Runs a function. An error of SQLite becomes a failure whose message names the `path`, any other exception a defect. */
export const attempt = <A>(run: () => A, path?: string): Effect.Effect<A, SqliteError> =>
  Effect.suspend(() => {
    try {
      return Effect.succeed(run())
    } catch (cause) {
      return isFromSqlite(cause) ? Effect.fail(fromUnknown(cause, path)) : Effect.die(cause)
    }
  })

/** Creates the file for its owner only. SQLite gives the log the same permissions. */
const createPrivately = (path: string): void => {
  try {
    closeSync(openSync(path, "ax", 0o600))
  } catch {
    // The file exists, or it cannot be created. In the second case SQLite reports the error when it opens the file.
  }
}
