/** What an execution can wait for in the database: clocks, and signals under a key. */
import type { Statements } from "../Database.ts"
import * as Records from "./Records.ts"

export const clockDeferred = (name: string): string => `DurableClock/${name}`

/** Sets a clock once; a replay neither moves it nor sets it again after it rang. */
export const schedule = (db: Statements, execution: string, name: string, dueAtMs: number): void => {
  const rang = db
    .prepare("SELECT 1 FROM journal WHERE execution = ? AND entry = ?")
    .get(execution, Records.entryOf.deferred(clockDeferred(name)))
  if (rang !== undefined) return
  db.prepare("INSERT INTO clock (execution, name, due_at_ms) VALUES (?, ?, ?) ON CONFLICT DO NOTHING").run(
    execution,
    name,
    dueAtMs
  )
}

export const nextDueMs = (db: Statements): number | undefined => {
  const due = db.prepare("SELECT min(due_at_ms) AS due FROM clock").get()?.due
  return due === null || due === undefined ? undefined : Number(due)
}

export interface Rung {
  readonly execution: string
  readonly name: string
}

/** Rings the clocks that are due, the earliest first, so many at most. */
export const ring = (
  db: Statements,
  places: Records.Places,
  the: { readonly nowMs: number; readonly limit: number; readonly value: (rung: Rung) => Records.Stored }
): { readonly rung: ReadonlyArray<Rung>; readonly ready: ReadonlyArray<Records.Ready> } => {
  const due = db
    .prepare("SELECT execution, name FROM clock WHERE due_at_ms <= ? ORDER BY due_at_ms LIMIT ?")
    .all(the.nowMs, the.limit)
    .map((row): Rung => ({ execution: Records.text(row.execution), name: Records.text(row.name) }))
  const ready = due.flatMap((rung) => {
    db.prepare("DELETE FROM clock WHERE execution = ? AND name = ?").run(rung.execution, rung.name)
    return Records.complete(db, places, rung.execution, clockDeferred(rung.name), the.value(rung))
  })
  return { rung: due, ready }
}

/** Signals that nobody awaits, so many at most; the oldest give way. */
const mostKept = 10_000

/** Hands the value to those who listen, or keeps it for the first who will; gives those who heard it. */
export const signal = (
  db: Statements,
  places: Records.Places,
  the: { readonly key: string; readonly kept: Records.Stored; readonly value: (heard: Rung) => Records.Stored }
): { readonly heard: ReadonlyArray<Rung>; readonly ready: ReadonlyArray<Records.Ready> } => {
  const heard = db
    .prepare("DELETE FROM listener WHERE key = ? RETURNING execution, name")
    .all(the.key)
    .map((row): Rung => ({ execution: Records.text(row.execution), name: Records.text(row.name) }))
  if (heard.length === 0) {
    db.prepare("DELETE FROM signal WHERE key = ?").run(the.key)
    const { lastInsertRowid } = db.prepare("INSERT INTO signal (key, value) VALUES (?, ?)").run(the.key, the.kept)
    db.prepare("DELETE FROM signal WHERE place <= ?").run(Number(lastInsertRowid) - mostKept)
  }
  const ready = heard.flatMap((each) => Records.complete(db, places, each.execution, each.name, the.value(each)))
  return { heard, ready }
}

type Listener = Rung & { readonly key: string }

export const isListening = (db: Statements, { execution, key, name }: Listener): boolean =>
  db.prepare("SELECT 1 FROM listener WHERE key = ? AND execution = ? AND name = ?").get(key, execution, name) !==
  undefined

/** Takes the signal that is kept, or listens for the next. */
export const listen = (
  db: Statements,
  { execution, key, name }: Listener,
  value: (kept: Records.Stored) => Records.Stored
): void => {
  const kept = db.prepare("DELETE FROM signal WHERE key = ? RETURNING value").get(key)
  if (kept === undefined) {
    db.prepare("INSERT INTO listener (key, execution, name) VALUES (?, ?, ?) ON CONFLICT DO NOTHING").run(
      key,
      execution,
      name
    )
  } else Records.record(db, execution, Records.entryOf.deferred(name), value(Records.stored(kept.value)))
}
