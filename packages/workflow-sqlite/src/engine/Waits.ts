/** What an execution can wait for in the database: clocks, and signals under a key, each of which completes a deferred. */
import type { Statements } from "@pay/sqlite/Database"
import * as Records from "./Records.ts"

/** Effect's name of the deferred that a clock completes. */
export const clockDeferred = (name: string): string => `DurableClock/${name}`
/** Our name of the one that a signal completes, or the end of the time for it. */
export const signalDeferred = (name: string): string => `Signal/${name}`

/** A deferred of an execution. */
export interface Place {
  readonly execution: string
  readonly deferred: string
}

type Value = (place: Place) => Records.Stored

const placeOf = (row: Record<string, unknown>): Place => ({
  execution: Records.text(row.execution),
  deferred: Records.text(row.deferred)
})

const isComplete = (db: Statements, { deferred, execution }: Place): boolean =>
  db
    .prepare("SELECT 1 FROM journal WHERE execution = ? AND entry = ?")
    .get(execution, Records.entryOf.deferred(deferred)) !== undefined

/** Sets a clock once; a replay neither moves it nor sets it again after it rang. */
export const schedule = (db: Statements, place: Place, dueAtMs: number): void => {
  if (isComplete(db, place)) return
  db.prepare(
    `INSERT INTO clock (execution, deferred, due_at_ms, place)
    VALUES (?, ?, ?, (SELECT count(*) FROM journal WHERE execution = ?)) ON CONFLICT DO NOTHING`
  ).run(place.execution, place.deferred, dueAtMs, place.execution)
}

export const nextDueMs = (db: Statements): number | undefined => {
  const due = db.prepare("SELECT min(due_at_ms) AS due FROM clock").get()?.due
  return due === null || due === undefined ? undefined : Number(due)
}

/** Whatever else would have completed the deferred is done with. */
const settle = (
  db: Statements,
  places: Records.Places,
  { deferred, execution }: Place,
  value: Records.Stored
): ReadonlyArray<Records.Ready> => {
  const clock = db
    .prepare("DELETE FROM clock WHERE execution = ? AND deferred = ? RETURNING place")
    .get(execution, deferred)
  db.prepare("DELETE FROM listener WHERE execution = ? AND deferred = ?").run(execution, deferred)
  const place = typeof clock?.place === "number" ? clock.place : null
  return Records.complete(db, places, execution, deferred, value, place)
}

/** Rings the clocks that are due, the earliest first, so many at most. */
export const ring = (
  db: Statements,
  places: Records.Places,
  the: { readonly nowMs: number; readonly limit: number; readonly value: Value }
): { readonly rung: ReadonlyArray<Place>; readonly ready: ReadonlyArray<Records.Ready> } => {
  const rung = db
    .prepare("SELECT execution, deferred FROM clock WHERE due_at_ms <= ? ORDER BY due_at_ms LIMIT ?")
    .all(the.nowMs, the.limit)
    .map(placeOf)
  return { rung, ready: rung.flatMap((place) => settle(db, places, place, the.value(place))) }
}

/** Signals that nobody awaits, so many at most; the oldest give way. */
const mostKept = 10_000

/** Hands the value to those who listen, or keeps it for the first who will; gives those who heard it. */
export const signal = (
  db: Statements,
  places: Records.Places,
  the: { readonly key: string; readonly kept: Records.Stored; readonly value: Value }
): { readonly listeners: ReadonlyArray<Place>; readonly ready: ReadonlyArray<Records.Ready> } => {
  const received = db.prepare("SELECT execution, deferred FROM listener WHERE key = ?").all(the.key).map(placeOf)
  if (received.length === 0) {
    db.prepare("DELETE FROM signal WHERE key = ?").run(the.key)
    const { lastInsertRowid } = db.prepare("INSERT INTO signal (key, value) VALUES (?, ?)").run(the.key, the.kept)
    db.prepare("DELETE FROM signal WHERE place <= ?").run(Number(lastInsertRowid) - mostKept)
  }
  return { listeners: received, ready: received.flatMap((place) => settle(db, places, place, the.value(place))) }
}

export interface Listener extends Place {
  readonly key: string
  readonly dueAtMs: number
}

/** Takes the signal that is kept, or listens for the next until the time is over; a replay changes nothing. */
export const listen = (db: Statements, the: Listener, value: (kept: Records.Stored) => Records.Stored): void => {
  if (isComplete(db, the)) return
  const { deferred, dueAtMs, execution, key } = the
  const isListening = db.prepare("SELECT 1 FROM listener WHERE execution = ? AND deferred = ?").get(execution, deferred)
  if (isListening !== undefined) return
  const kept = db.prepare("DELETE FROM signal WHERE key = ? RETURNING value").get(key)
  if (kept === undefined) {
    db.prepare("INSERT INTO listener (execution, deferred, key) VALUES (?, ?, ?)").run(execution, deferred, key)
    schedule(db, the, dueAtMs)
  } else Records.record(db, execution, Records.entryOf.deferred(deferred), value(Records.stored(kept.value)))
}
