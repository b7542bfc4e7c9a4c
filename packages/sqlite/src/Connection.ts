/**
 * A synchronous connection to a SQLite database that caches its prepared statements. It can be closed and opened again
 * without a change for the code that uses it.
 */
import { statSync } from "node:fs"
import { pathToFileURL } from "node:url"
import { DatabaseSync, type StatementSync } from "./Sqlite.ts"
import { Closed, fromUnknown, Gone, SqliteError } from "./SqliteError.ts"

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

/** Called instead of BEGIN, COMMIT and ROLLBACK. Tests of faults fail, skip or delay `run` here. */
export type Intercept = (sql: "BEGIN IMMEDIATE" | "COMMIT" | "ROLLBACK", run: () => void) => void

export interface ConnectionOptions {
  readonly path: string
  readonly readOnly: boolean
  readonly busyTimeoutMs: number
  readonly intercept: Intercept | undefined
}

/**
 * Highest number of cached statements: more than a program contains as constants. A program that builds SQL from values
 * only becomes slower.
 */
const statementLimit = 1024

const setup = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  PRAGMA foreign_keys = ON;
  PRAGMA secure_delete = ON;
  PRAGMA trusted_schema = OFF;
  PRAGMA temp_store = MEMORY;
  PRAGMA cache_size = -16384;
  PRAGMA mmap_size = 268435456;
  PRAGMA wal_autocheckpoint = 1000;
  PRAGMA journal_size_limit = 67108864;
`

export class Connection implements Statements {
  readonly #options: ConnectionOptions
  readonly #numbers = new Map<string, StatementSync>()
  readonly #bigints = new Map<string, StatementSync>()
  /** The file that was opened first. */
  readonly #file: string
  readonly #afterClose: Array<() => void> = []
  #database: DatabaseSync | undefined
  #closed = false

  constructor(options: ConnectionOptions) {
    this.#options = options
    this.#database = connect(options)
    this.#file = fileUnder(options.path)
  }

  prepare(sql: string): StatementSync {
    return this.#numbers.get(sql) ?? this.#keep(this.#numbers, sql, this.#current().prepare(sql))
  }

  prepareBigInt(sql: string): StatementSync {
    const existing = this.#bigints.get(sql)
    if (existing !== undefined) return existing
    const statement = this.#current().prepare(sql)
    statement.setReadBigInts(true)
    return this.#keep(this.#bigints, sql, statement)
  }

  /** Runs statements without caching them. */
  exec(sql: string): void {
    this.#current().exec(sql)
  }

  /** Begins a transaction. Fails if the file is not under its name any more: no later process would find its commits. */
  begin(): void {
    this.#checkName()
    this.#control("BEGIN IMMEDIATE")
  }

  /**
   * Locks the file itself, so that no other connection to it, under any name and in any container, can read or write until
   * {@link share}. Returns false if there is another connection.
   */
  alone(): boolean {
    // A connection whose first access to the log is exclusive could never share the file again.
    this.prepare("SELECT count(*) FROM sqlite_schema").get()
    try {
      this.exec("PRAGMA locking_mode = EXCLUSIVE; BEGIN IMMEDIATE; COMMIT")
      return true
    } catch (cause) {
      const error = fromUnknown(cause)
      if (error.reason._tag !== "Busy") throw error
      return false
    }
  }

  /** Lets other connections read and write again. The lock that remains shows them that the file is open. */
  share(): void {
    this.exec("PRAGMA locking_mode = NORMAL; BEGIN IMMEDIATE; COMMIT")
  }

  /**
   * Runs the function when the connection is closed. A descriptor of the file must not be closed before, because that releases
   * all locks that this process has on the file.
   */
  afterClose(run: () => void): void {
    this.#afterClose.push(run)
  }

  commit(): void {
    this.#control("COMMIT")
  }

  /** Number of rows that this connection has written so far, in all transactions. */
  get totalChanges(): number {
    return Number(this.prepare("SELECT total_changes() AS n").get()?.n)
  }

  get inTransaction(): boolean {
    return this.#database?.isTransaction ?? false
  }

  /**
   * Rolls back an open transaction, if there is one. SQLite may have rolled it back itself after an error of the disk. Returns
   * `false` if that failed: the connection is then replaced.
   */
  rollback(): boolean {
    try {
      if (this.#database?.isTransaction) this.#control("ROLLBACK")
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
      if (this.#database?.isTransaction) this.#database.exec("ROLLBACK")
      return
    }
    this.#disconnect()
  }

  close(): void {
    this.#closed = true
    try {
      if (!this.#options.readOnly) this.#database?.exec("PRAGMA wal_checkpoint(TRUNCATE)")
    } catch {
      // Every commit is already in the log, which the next opening reads.
    }
    this.#disconnect()
    for (const run of this.#afterClose.splice(0)) run()
  }

  #checkName(): void {
    const { path } = this.#options
    if (fileUnder(path) === this.#file) return
    throw new SqliteError({
      reason: Gone.make({ path }),
      message: `${path} is not the file any more that was opened: it was removed, renamed or replaced. Put it back, or stop this process and start it on the right file`
    })
  }

  #control(sql: "BEGIN IMMEDIATE" | "COMMIT" | "ROLLBACK"): void {
    const database = this.#current()
    if (this.#options.intercept === undefined) database.exec(sql)
    else this.#options.intercept(sql, () => database.exec(sql))
  }

  #current(): DatabaseSync {
    if (this.#closed) {
      throw new SqliteError({ reason: Closed.make({}), message: `${this.#options.path} was closed` })
    }
    if (this.#database !== undefined) return this.#database
    // Another file would be opened with the log of this one.
    this.#checkName()
    this.#database = connect(this.#options)
    return this.#database
  }

  #keep(statements: Map<string, StatementSync>, sql: string, statement: StatementSync): StatementSync {
    const [oldest] = statements.size < statementLimit ? [] : statements.keys()
    if (oldest !== undefined) statements.delete(oldest)
    statements.set(sql, statement)
    return statement
  }

  #disconnect(): void {
    this.#numbers.clear()
    this.#bigints.clear()
    const database = this.#database
    this.#database = undefined
    if (database?.isOpen) database.close()
  }
}

const connect = ({ path, readOnly, busyTimeoutMs }: ConnectionOptions): DatabaseSync => {
  const database = new DatabaseSync(path === ":memory:" ? path : existing(path, readOnly), {
    readOnly,
    timeout: busyTimeoutMs
  })
  try {
    database.exec(setup)
    return database
  } catch (cause) {
    database.close()
    throw cause
  }
}

/** Returns which file has this name now; empty if there is none. */
const fileUnder = (path: string): string => {
  if (path === ":memory:") return path
  try {
    const { dev, ino } = statSync(path, { bigint: true })
    return `${dev}:${ino}`
  } catch {
    return ""
  }
}

/** Returns a URL that opens an existing file only: a file that has disappeared is an error, not an empty database. */
const existing = (path: string, readOnly: boolean): URL => {
  const url = pathToFileURL(path)
  url.searchParams.set("mode", readOnly ? "ro" : "rw")
  return url
}
