/** The rows of a SQLite store about a move: its mark, and its last commit. */
import type { Statements } from "@pay/sqlite/Database"
import * as MoveMark from "../MoveMark.ts"

const exists = "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'migration'"

export const mark = (statements: Pick<Statements, "prepare">): MoveMark.MoveMark | undefined => {
  if (statements.prepare(exists).get() === undefined) return undefined
  const row = statements.prepare("SELECT name, checksum FROM migration WHERE id = ?").get(MoveMark.step)
  return row === undefined ? undefined : MoveMark.read(`${row.name}`, `${row.checksum}`)
}

export const setMark = (statements: Statements, mark: MoveMark.MoveMark | undefined): void => {
  statements.prepare("DELETE FROM migration WHERE id = ?").run(MoveMark.step)
  if (mark === undefined) return
  statements
    .prepare("INSERT INTO migration (id, name, checksum) VALUES (?, ?, ?)")
    .run(MoveMark.step, MoveMark.nameOf(mark), MoveMark.checksumOf(mark))
}

/** Returns the random name and the last commit of a store that this process has open. */
export const lastCommit = (statements: Statements): MoveMark.LastCommit => {
  const row = statements.prepare('SELECT "storeId", "sequence" FROM "storeMark"').get()
  return { store: `${row?.storeId}`, sequence: Number(row?.sequence) }
}
