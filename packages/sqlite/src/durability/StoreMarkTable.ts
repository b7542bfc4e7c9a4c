/** The store's own row: the number of its commits, and the opening that may write. */
import { pathToFileURL } from "node:url"
import type { Statements } from "../Connection.ts"
import { DatabaseSync } from "../Sqlite.ts"
import { type Mark, type StoreMark, storeMarkOf } from "./Mark.ts"

const make = `
  CREATE TABLE IF NOT EXISTS "storeMark" (
    "one" INTEGER PRIMARY KEY CHECK ("one" = 1),
    "storeId" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "owner" TEXT NOT NULL,
    "sequence" INTEGER NOT NULL,
    "committedAtMs" INTEGER NOT NULL,
    "createdAtMs" INTEGER NOT NULL
  ) STRICT
`
const table = `SELECT rootpage FROM sqlite_schema WHERE name = 'storeMark'`
const put = 'INSERT OR REPLACE INTO "storeMark" VALUES (1, ?, ?, ?, ?, ?, ?)'
const select = 'SELECT * FROM "storeMark"'
const raise =
  'UPDATE "storeMark" SET "sequence" = "sequence" + 1, "committedAtMs" = ? WHERE "owner" = ? RETURNING "storeId", "sequence", "committedAtMs", "createdAtMs"'
const end = `UPDATE "storeMark" SET "state" = 'closed' WHERE "owner" = ? AND "state" = 'open' RETURNING "storeId", "sequence", "committedAtMs", "createdAtMs"`

export const set = (
  statements: Statements,
  { committedAtMs, createdAtMs, owner, sequence, state, storeId }: StoreMark
) => {
  statements.prepare(make).run()
  statements.prepare(put).run(storeId, state, owner, sequence, committedAtMs, createdAtMs)
}

/** Counts one commit; undefined if another opening has taken the store over since. */
export const advance = (statements: Statements, owner: string, nowMs: number): Mark | undefined => {
  const row = statements.prepare(raise).get(nowMs, owner)
  return row === undefined ? undefined : storeMarkOf({ ...row, state: "open", owner })
}

/** Returns the store's own row; undefined if there is none. */
export const find = (statements: Pick<Statements, "prepare">): StoreMark | undefined => {
  if (statements.prepare(table).get() === undefined) return undefined
  const row = statements.prepare(select).get()
  return row === undefined ? undefined : storeMarkOf(row)
}

/** Marks the store as closed and returns its last mark; undefined if another opening has taken it over since. */
export const close = (statements: Statements, owner: string): Mark | undefined => {
  const row = statements.prepare(end).get(owner)
  return row === undefined ? undefined : storeMarkOf({ ...row, state: "closed", owner })
}

export interface Main {
  readonly storeMark: StoreMark | undefined
  /** Number of the page that contains the row. */
  readonly page: number | undefined
}

/** Reads the database file without its log and without a lock, before the file is opened for writing. */
export const inFile = (path: string): Main => reading(path, "immutable", main)

/** Reads the database file together with its log. */
export const withLog = (path: string): Main => reading(path, "mode", main)

const main = (database: DatabaseSync): Main => {
  const page = database.prepare(table).get()?.rootpage
  return { storeMark: find(database), page: page === undefined ? undefined : Number(page) }
}

/** Calls `read` with a database file that is opened only for reading; `immutable` leaves out its log and any lock. */
export const reading = <A>(path: string, how: "immutable" | "mode", read: (database: DatabaseSync) => A): A => {
  const url = pathToFileURL(path)
  url.searchParams.set("mode", "ro")
  if (how === "immutable") url.searchParams.set("immutable", "1")
  const database = new DatabaseSync(url, { readOnly: true })
  try {
    return read(database)
  } finally {
    database.close()
  }
}
