/** The waits of an execution in the database: clocks, and signals under a key. Each of them completes a deferred. */
import type { Statements } from "@pay/sqlite/Database"
import * as Records from "./Records.ts"

/** Name that Effect gives to the deferred of a clock. */
export const clockDeferred = (name: string): string => `DurableClock/${name}`
/** Name of the deferred that a signal completes, or that is completed when the time for the signal is over. */
export const signalDeferred = (name: string): string => `Signal/${name}`

/** A deferred, and the execution to which it belongs. */
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

/** A clock, and how many entries were recorded when it was requested; `null`: as many as when it is set. */
export interface Timer extends Place {
  readonly dueAtMs: number
  readonly requestedPlace: number | null
}

/** Sets a clock once. A replay neither changes it nor sets it again after it has completed. */
export const schedule = (db: Statements, { deferred, dueAtMs, execution, requestedPlace }: Timer): void => {
  if (isComplete(db, { deferred, execution })) return
  db.prepare(
    `INSERT INTO clock (execution, deferred, due_at_ms, place)
    VALUES (?, ?, ?, coalesce(?, (SELECT count(*) FROM journal WHERE execution = ?))) ON CONFLICT DO NOTHING`
  ).run(execution, deferred, dueAtMs, requestedPlace, execution)
}

export const nextDueMs = (db: Statements): number | undefined => {
  const due = db.prepare("SELECT min(due_at_ms) AS due FROM clock").get()?.due
  return due === null || due === undefined ? undefined : Number(due)
}

/** Completes a deferred, and deletes its clock and its listener. */
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
  const requestedPlace = clock === undefined ? null : Number(clock.place)
  return Records.complete(db, places, execution, deferred, value, requestedPlace)
}

/** Completes the clocks that are due, the earliest first, at most `limit` of them. */
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

/** Highest number of signals that are kept while no execution waits for them. The oldest ones are deleted. */
const mostKept = 10_000

/**
 * Sends the value to the executions that wait for the key and returns their deferreds, or keeps the value for the first
 * one that will wait.
 */
export const signal = (
  db: Statements,
  places: Records.Places,
  the: { readonly key: string; readonly kept: Records.Stored; readonly value: Value }
): { readonly listeners: ReadonlyArray<Place>; readonly ready: ReadonlyArray<Records.Ready> } => {
  const received = db.prepare("SELECT execution, deferred FROM listener WHERE key = ?").all(the.key).map(placeOf)
  if (received.length === 0) {
    db.prepare("DELETE FROM signal WHERE key = ?").run(the.key)
    db.prepare("INSERT INTO signal (key, value) VALUES (?, ?)").run(the.key, the.kept)
    db.prepare(
      "DELETE FROM signal WHERE place IN (SELECT place FROM signal ORDER BY place DESC LIMIT -1 OFFSET ?)"
    ).run(mostKept)
  }
  return { listeners: received, ready: received.flatMap((place) => settle(db, places, place, the.value(place))) }
}

export interface Listener extends Timer {
  readonly key: string
}

/** Takes the signal that is kept, or waits for the next one until the time is over. A replay changes nothing. */
export const listen = (db: Statements, the: Listener, value: (kept: Records.Stored) => Records.Stored): void => {
  if (isComplete(db, the)) return
  const { deferred, execution, key, requestedPlace } = the
  const isListening = db.prepare("SELECT 1 FROM listener WHERE execution = ? AND deferred = ?").get(execution, deferred)
  if (isListening !== undefined) return
  const kept = db.prepare("DELETE FROM signal WHERE key = ? RETURNING value").get(key)
  if (kept === undefined) {
    db.prepare("INSERT INTO listener (execution, deferred, key) VALUES (?, ?, ?)").run(execution, deferred, key)
    schedule(db, the)
    return
  }
  Records.record(db, execution, Records.entryOf.deferred(deferred), value(Records.stored(kept.value)), requestedPlace)
}
