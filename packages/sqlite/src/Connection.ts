import { type ConnectionOptions, DatabaseFile } from "./DatabaseFile.ts"
import type { StatementSync } from "./Sqlite.ts"
import { fromUnknown } from "./SqliteError.ts"

export type { ConnectionOptions, Intercept } from "./DatabaseFile.ts"

/**
 * The functions that a job or a read may use. Prepared statements are cached, so preparing the same text again is
 * cheap. Keep no statement across an `await` or a `yield*`, because the connection may have been replaced by then.
 */
export interface Statements {
  /** Returns a prepared statement that reads integers as JavaScript numbers. Beyond 2^53 it throws. */
  readonly prepare: (sql: string) => StatementSync
  /** Returns a prepared statement that reads integers as bigints. */
  readonly prepareBigInt: (sql: string) => StatementSync
}

/**
 * Highest number of cached statements: more than a program contains as constants. A program that builds SQL from values
 * only becomes slower.
 */
const statementLimit = 1024

class StatementCache {
  readonly #statements = new Map<string, StatementSync>()

  get(sql: string): StatementSync | undefined {
    return this.#statements.get(sql)
  }

  keep(sql: string, statement: StatementSync): StatementSync {
    const [oldest] = this.#statements.size < statementLimit ? [] : this.#statements.keys()
    if (oldest !== undefined) this.#statements.delete(oldest)
    this.#statements.set(sql, statement)
    return statement
  }

  clear(): void {
    this.#statements.clear()
  }
}

export class Connection implements Statements {
  readonly #options: ConnectionOptions
  readonly #file: DatabaseFile
  readonly #numbers = new StatementCache()
  readonly #bigints = new StatementCache()
  readonly #afterClose: Array<() => void> = []

  constructor(options: ConnectionOptions) {
    this.#options = options
    this.#file = new DatabaseFile(options)
  }

  prepare(sql: string): StatementSync {
    return this.#numbers.get(sql) ?? this.#numbers.keep(sql, this.#file.current().prepare(sql))
  }

  prepareBigInt(sql: string): StatementSync {
    const existing = this.#bigints.get(sql)
    if (existing !== undefined) return existing
    const statement = this.#file.current().prepare(sql)
    statement.setReadBigInts(true)
    return this.#bigints.keep(sql, statement)
  }

  /** Runs statements without caching them. */
  exec(sql: string): void {
    this.#file.current().exec(sql)
  }

  /** Begins a transaction. Fails if the file is not under its name any more: no later process would find its commits. */
  begin(): void {
    this.#file.checkName()
    this.#file.control("BEGIN IMMEDIATE")
  }

  /**
   * Runs the function when the connection is closed. A descriptor of the file must not be closed before, because that releases
   * all locks that this process has on the file.
   */
  afterClose(run: () => void): void {
    this.#afterClose.push(run)
  }

  commit(): void {
    this.#file.control("COMMIT")
  }

  /** Number of rows that this connection has written so far, in all transactions. */
  get totalChanges(): number {
    return Number(this.prepare("SELECT total_changes() AS n").get()?.n)
  }

  get inTransaction(): boolean {
    return this.#file.database?.isTransaction ?? false
  }

  /**
   * Rolls back an open transaction, if there is one. SQLite may have rolled it back itself after an error of the disk. Returns
   * `false` if that failed: the connection is then replaced.
   */
  rollback(): boolean {
    try {
      if (this.#file.database?.isTransaction) this.#file.control("ROLLBACK")
      return true
    } catch {
      this.abandon()
      return false
    }
  }

  /**
   * Closes a connection whose COMMIT failed, because its cached pages may differ from those on the disk. The next use
   * opens the file again, and each later use tries again if that fails. A database in memory is only rolled back.
   */
  abandon(): void {
    if (this.#options.path === ":memory:") {
      if (this.#file.database?.isTransaction) this.#file.database.exec("ROLLBACK")
      return
    }
    this.#disconnect()
  }

  close(): void {
    this.#file.end()
    try {
      if (!this.#options.readOnly) this.#file.database?.exec("PRAGMA wal_checkpoint(TRUNCATE)")
    } catch {
      // Every commit is already in the log, which the next opening reads.
    }
    this.#disconnect()
    for (const run of this.#afterClose.splice(0)) run()
  }

  #disconnect(): void {
    this.#numbers.clear()
    this.#bigints.clear()
    this.#file.disconnect()
  }
}

/**
 * Locks the file itself, so that no other connection to it, under any name and in any container, can read or write until
 * {@link share}. Returns false if there is another connection.
 */
export const lockAlone = (connection: Connection): boolean => {
  // A connection whose first access to the log is exclusive could never share the file again.
  connection.prepare("SELECT count(*) FROM sqlite_schema").get()
  try {
    connection.exec("PRAGMA locking_mode = EXCLUSIVE; BEGIN IMMEDIATE; COMMIT")
    return true
  } catch (cause) {
    const error = fromUnknown(cause)
    if (error.reason._tag !== "Busy") throw error
    return false
  }
}

/** Lets other connections read and write again. The lock that remains shows them that the file is open. */
export const share = (connection: Connection): void => {
  connection.exec("PRAGMA locking_mode = NORMAL; BEGIN IMMEDIATE; COMMIT")
}
