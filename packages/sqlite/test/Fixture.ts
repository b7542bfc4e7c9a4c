import type { Statements } from "../src/Database.ts"
import type { Job } from "../src/GroupCommit.ts"

export const entries = "CREATE TABLE entry (place INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT"

/** Adds an entry and returns its place. It is refused as "taken" if the name exists. */
export const add = (name: string): Job<number, string> => ({
  check: (db) => (db.prepare("SELECT 1 FROM entry WHERE name = ?").get(name) === undefined ? undefined : "taken"),
  write: (db) => Number(db.prepare("INSERT INTO entry (name) VALUES (?)").run(name).lastInsertRowid)
})

export const names = (db: Statements): ReadonlyArray<string> =>
  db
    .prepare("SELECT name FROM entry ORDER BY place")
    .all()
    .map((row) => String(row.name))

export const numbers = (count: number): ReadonlyArray<string> => Array.from({ length: count }, (_, n) => `${n}`)
