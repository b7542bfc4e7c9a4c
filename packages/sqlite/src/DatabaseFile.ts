/** A database in a file that can be closed and opened again, as long as it is the file that was opened first. */
import { statSync } from "node:fs"
import { pathToFileURL } from "node:url"
import { DatabaseSync } from "./Sqlite.ts"
import { Closed, Gone, SqliteError } from "./SqliteError.ts"

/** Called instead of BEGIN, COMMIT and ROLLBACK. Tests of faults fail, skip or delay `run` here. */
export type Intercept = (sql: "BEGIN IMMEDIATE" | "COMMIT" | "ROLLBACK", run: () => void) => void

export interface ConnectionOptions {
  readonly path: string
  readonly readOnly: boolean
  readonly busyTimeoutMs: number
  readonly intercept: Intercept | undefined
}

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

export class DatabaseFile {
  readonly #options: ConnectionOptions
  /** The file that was opened first. */
  readonly #identity: string
  #open: DatabaseSync | undefined
  #closed = false

  constructor(options: ConnectionOptions) {
    this.#options = options
    this.#open = connect(options)
    this.#identity = fileUnder(options.path)
  }

  /** The database, unless it is disconnected. */
  get database(): DatabaseSync | undefined {
    return this.#open
  }

  /** Returns the open database. Opens the file again if it was disconnected. */
  current(): DatabaseSync {
    if (this.#closed) {
      throw new SqliteError({ reason: Closed.make({}), message: `${this.#options.path} was closed` })
    }
    if (this.#open !== undefined) return this.#open
    // Another file would be opened with the log of this one.
    this.checkName()
    this.#open = connect(this.#options)
    return this.#open
  }

  /** Fails if the file is not under its name any more. */
  checkName(): void {
    const { path } = this.#options
    if (fileUnder(path) === this.#identity) return
    throw new SqliteError({
      reason: Gone.make({ path }),
      message: `${path} is not the file any more that was opened: it was removed, renamed or replaced. Put it back, or stop this process and start it on the right file`
    })
  }

  /** Runs a statement that tests of faults can intercept. */
  control(sql: "BEGIN IMMEDIATE" | "COMMIT" | "ROLLBACK"): void {
    const database = this.current()
    if (this.#options.intercept === undefined) database.exec(sql)
    else this.#options.intercept(sql, () => database.exec(sql))
  }

  /** Closes the database. The next use opens the file again. */
  disconnect(): void {
    const database = this.#open
    this.#open = undefined
    if (database?.isOpen) database.close()
  }

  /** From now on, every use fails. */
  end(): void {
    this.#closed = true
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
