/** The rows of a SQLite store about moves: its mark, and the stores from which it was moved. */
import type { Statements } from "@pay/sqlite/Database"
import { Schema } from "effect"
import * as MoveMark from "../MoveMark.ts"
import type { Ancestor } from "../MoveSide.ts"

const exists = "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?"

const isThere = (statements: Pick<Statements, "prepare">, table: string): boolean =>
  statements.prepare(exists).get(table) !== undefined

export const mark = (statements: Pick<Statements, "prepare">): MoveMark.MoveMark | undefined => {
  if (!isThere(statements, "migration")) return undefined
  const row = statements.prepare("SELECT name, checksum FROM migration WHERE id = ?").get(MoveMark.step)
  return row === undefined ? undefined : MoveMark.read(`${row.name}`, `${row.checksum}`)
}

/** Whether a move to the file has finished. */
export const isFinished = (statements: Statements): boolean =>
  isThere(statements, "ancestors") && mark(statements) === undefined

export const setMark = (statements: Statements, mark: MoveMark.MoveMark | undefined): void => {
  statements.prepare("DELETE FROM migration WHERE id = ?").run(MoveMark.step)
  if (mark === undefined) return
  statements
    .prepare("INSERT INTO migration (id, name, checksum) VALUES (?, ?, ?)")
    .run(MoveMark.step, MoveMark.nameOf(mark), MoveMark.checksumOf(mark))
}

const Reached = Schema.fromJsonString(Schema.Record(Schema.String, Schema.Number))
const decode = Schema.decodeUnknownSync(Reached)
const encode = Schema.encodeSync(Reached)

/** Returns the store itself, then its ancestors. A store of a release without this row has no name. */
export const ancestors = (statements: Statements): ReadonlyArray<Ancestor> => {
  const ownRow = isThere(statements, "storeMark")
    ? statements.prepare('SELECT "storeId", "sequence" FROM "storeMark"').get()
    : undefined
  const earlierStores = isThere(statements, "ancestors")
    ? statements.prepare("SELECT store, reached FROM ancestors ORDER BY place").all()
    : []
  return [
    ...(ownRow === undefined ? [] : [{ store: `${ownRow.storeId}`, reached: { sequence: Number(ownRow.sequence) } }]),
    ...earlierStores.map(({ reached, store }) => ({ store: `${store}`, reached: decode(reached) }))
  ]
}

export const setAncestors = (statements: Statements, ancestors: ReadonlyArray<Ancestor>): void => {
  statements
    .prepare("CREATE TABLE ancestors (place INTEGER PRIMARY KEY, store TEXT NOT NULL, reached TEXT NOT NULL) STRICT")
    .run()
  const insert = statements.prepare("INSERT INTO ancestors (store, reached) VALUES (?, ?)")
  for (const { reached, store } of ancestors) insert.run(store, encode(reached))
}
