/**
 * What the engine writes, each a part of one transaction. Whatever is made ready is answered with its place in the line
 * of its workflow.
 */
import type { Statements } from "@pay/sqlite/Database"

/** JSON as it stands in the database: text, or bytes if it is sealed. */
export type Stored = string | Uint8Array

/** `ready` is running or to be run; `waiting` for a clock, a signal or a child; `stuck` until somebody resumes it. */
export type State = "ready" | "waiting" | "stuck" | "finished"

/** An execution that may be run. */
export interface Ready {
  readonly id: string
  readonly workflow: string
  readonly place: number
}

/** What a run begins with. */
export interface Row extends Ready {
  readonly payload: Stored
  readonly wakes: number
  readonly interrupt: number
}

export const interrupts = { none: 0, safe: 1, unsafe: 2 } as const

export const entryOf = {
  activity: (name: string, attempt: number): string => `activity/${name}/${attempt}`,
  deferred: (name: string): string => `deferred/${name}`,
  /** Stands beside an entry that a finalizer asked for, when the program itself had come to its end. */
  closing: (entry: string): string => `closing/${entry}`
}

export const text = (value: unknown): string => {
  if (typeof value !== "string") throw new TypeError("the workflow tables hold text here")
  return value
}
export const stored = (value: unknown): Stored => (value instanceof Uint8Array ? value : text(value))

/** Gives out places in the line; larger than any in the database. */
export class Places {
  #last: number
  constructor(db: Statements) {
    this.#last = Number(db.prepare("SELECT max(ready) AS last FROM execution WHERE ready IS NOT NULL").get()?.last ?? 0)
  }
  next(): number {
    this.#last += 1
    return this.#last
  }
}

const readyOf = (row: Record<string, unknown> | undefined): ReadonlyArray<Ready> =>
  row === undefined || row.ready === null
    ? []
    : [{ id: text(row.id), workflow: text(row.workflow), place: Number(row.ready) }]

/** Something happened for it: run it if it waits, and once more if it runs. `alsoStuck`: somebody asked for it. */
export const wake = (db: Statements, places: Places, id: string, alsoStuck = false): ReadonlyArray<Ready> => {
  const idle = alsoStuck ? "('waiting', 'stuck')" : "('waiting')"
  return readyOf(
    db
      .prepare(
        `UPDATE execution SET wakes = wakes + 1,
          ready = CASE WHEN state IN ${idle} THEN ? ELSE ready END,
          state = CASE WHEN state IN ${idle} THEN 'ready' ELSE state END
        WHERE id = ? AND state <> 'finished' RETURNING id, workflow, ready`
      )
      .get(places.next(), id)
  )
}

export interface Beginning {
  readonly id: string
  readonly workflow: string
  readonly payload: Stored
  readonly fingerprint: string
  readonly isSame: (fingerprint: string) => boolean
  readonly nowMs: number
  /** Begins it anew if it has ended, and has been woken so often; otherwise an end is an end. */
  readonly renews?: number | undefined
}

/** `known`: it was there already, with the `same` workflow and payload or with others. */
export interface StartedExecution {
  readonly isExisting: boolean
  readonly same: boolean
  readonly ready: ReadonlyArray<Ready>
}

/** Once per id, whatever comes after. */
export const begin = (db: Statements, places: Places, the: Beginning): StartedExecution => {
  const isExisting = db.prepare("SELECT workflow, fingerprint, state, wakes FROM execution WHERE id = ?").get(the.id)
  const place = places.next()
  if (isExisting !== undefined) {
    const same = isExisting.workflow === the.workflow && the.isSame(text(isExisting.fingerprint))
    if (!same || isExisting.state !== "finished" || isExisting.wakes !== the.renews)
      return { isExisting: true, same, ready: [] }
    db.prepare(
      `UPDATE execution SET state = 'ready', ready = ?, payload = ?, outcome = NULL, interrupt = 0, wakes = wakes + 1,
        changed_at_ms = ? WHERE id = ?`
    ).run(place, the.payload, the.nowMs, the.id)
    return { isExisting: false, same, ready: [{ id: the.id, workflow: the.workflow, place }] }
  }
  db.prepare(
    `INSERT INTO execution (id, workflow, payload, fingerprint, state, ready, started_at_ms, changed_at_ms)
    VALUES (?, ?, ?, ?, 'ready', ?, ?, ?)`
  ).run(the.id, the.workflow, the.payload, the.fingerprint, place, the.nowMs, the.nowMs)
  return { isExisting: false, same: true, ready: [{ id: the.id, workflow: the.workflow, place }] }
}

export const isOpen = (db: Statements, id: string): boolean =>
  db.prepare("SELECT 1 FROM execution WHERE id = ? AND state <> 'finished'").get(id) !== undefined

const isFinished = (db: Statements, id: string): boolean =>
  db.prepare("SELECT 1 FROM execution WHERE id = ? AND state = 'finished'").get(id) !== undefined

/** Adds what is not there yet; whether it was added. The first record of an entry stays. */
export const record = (
  db: Statements,
  execution: string,
  entry: string,
  value: Stored,
  place: number | null = null
): boolean =>
  db
    .prepare(
      `INSERT INTO journal (execution, entry, value, "asked", place)
      VALUES (?, ?, ?, ?, (SELECT count(*) FROM journal WHERE execution = ?)) ON CONFLICT DO NOTHING`
    )
    .run(execution, entry, value, place, execution).changes > 0

/** Also before the execution begins; not after its end. */
export const complete = (
  db: Statements,
  places: Places,
  execution: string,
  name: string,
  value: Stored,
  place: number | null = null
): ReadonlyArray<Ready> =>
  !isFinished(db, execution) && record(db, execution, entryOf.deferred(name), value, place)
    ? wake(db, places, execution)
    : []

export interface Pause {
  readonly id: string
  readonly state: "waiting" | "stuck"
  /** How many events the run knew of. */
  readonly wakes: number
  readonly interrupt: number
  readonly outcome: Stored | null
  readonly nowMs: number
}

/** The end of a run that is not the end of the execution. */
export const pause = (db: Statements, places: Places, the: Pause): ReadonlyArray<Ready> => {
  const again =
    the.state === "waiting" ? "(wakes <> :wakes OR interrupt <> :interrupt)" : "(:wakes < 0 OR interrupt <> :interrupt)"
  return readyOf(
    db
      .prepare(
        `UPDATE execution SET
          state = CASE WHEN ${again} THEN 'ready' ELSE :state END,
          ready = CASE WHEN ${again} THEN :place END,
          outcome = :outcome, changed_at_ms = :now
        WHERE id = :id RETURNING id, workflow, ready`
      )
      .get({
        id: the.id,
        state: the.state,
        wakes: the.wakes,
        interrupt: the.interrupt,
        outcome: the.outcome,
        now: the.nowMs,
        place: places.next()
      })
  )
}

/** The end: the outcome stays, what led to it goes, and parents that wait go on. */
export const finish = (
  db: Statements,
  places: Places,
  the: { readonly id: string; readonly outcome: Stored; readonly nowMs: number }
): ReadonlyArray<Ready> => {
  db.prepare(
    `UPDATE execution SET state = 'finished', ready = NULL, payload = NULL, outcome = ?, changed_at_ms = ? WHERE id = ?`
  ).run(the.outcome, the.nowMs, the.id)
  for (const table of ["journal", "clock", "listener"]) {
    db.prepare(`DELETE FROM ${table} WHERE execution = ?`).run(the.id)
  }
  return db
    .prepare("DELETE FROM waiter WHERE child = ? RETURNING parent")
    .all(the.id)
    .flatMap(({ parent }) => wake(db, places, text(parent)))
}

/** The parent is woken when the child ends; whether there is anything to wait for. */
export const join = (db: Statements, child: string, parent: string): boolean => {
  if (!isOpen(db, child)) return false
  db.prepare("INSERT INTO waiter (child, parent) VALUES (?, ?) ON CONFLICT DO NOTHING").run(child, parent)
  return true
}

export const interrupt = (db: Statements, places: Places, id: string, how: number): ReadonlyArray<Ready> => {
  db.prepare("UPDATE execution SET interrupt = max(interrupt, ?) WHERE id = ?").run(how, id)
  return wake(db, places, id, true)
}
