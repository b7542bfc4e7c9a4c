/**
 * The writes of the engine, each one a part of a transaction. A write that makes executions ready returns their places
 * in the queues of their workflows.
 */
import type { Statements } from "@pay/sqlite/Database"

/** JSON in the form that the database stores: text, or bytes if it is encrypted. */
export type Stored = string | Uint8Array

/**
 * `ready`: running or to be run. `waiting`: for a clock, a signal or a child execution. `stuck`: until an operator
 * resumes it.
 */
export type State = "ready" | "waiting" | "stuck" | "finished"

/** An execution that is ready to run, with its place in the queue of its workflow. */
export interface Ready {
  readonly id: string
  readonly workflow: string
  readonly place: number
}

/** The columns with which a run starts. */
export interface Row extends Ready {
  readonly payload: Stored
  readonly wakes: number
  readonly interrupt: number
}

export const interrupts = { none: 0, safe: 1, unsafe: 2 } as const

export const entryOf = {
  activity: (name: string, attempt: number): string => `activity/${name}/${attempt}`,
  deferred: (name: string): string => `deferred/${name}`,
  /** Marks an entry that a finalizer requested after the body of the workflow had ended. */
  closing: (entry: string): string => `closing/${entry}`
}

export const text = (value: unknown): string => {
  if (typeof value !== "string") throw new TypeError("the workflow tables hold text here")
  return value
}
export const stored = (value: unknown): Stored => (value instanceof Uint8Array ? value : text(value))

/** Assigns places in the queues, which are larger than any in the database. */
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

/**
 * Records an event of an execution: it runs if it waits, and runs once more if it is running. `alsoStuck`: a stuck
 * execution runs too.
 */
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
  readonly nowMs: number
}

/** `isExisting`: the execution existed already. */
export interface StartedExecution {
  readonly isExisting: boolean
  readonly ready: ReadonlyArray<Ready>
}

/** Stores a new execution, unless one with this id exists. */
export const begin = (db: Statements, places: Places, the: Beginning): StartedExecution => {
  const place = places.next()
  const { changes } = db
    .prepare(
      `INSERT INTO execution (id, workflow, payload, fingerprint, state, ready, started_at_ms, changed_at_ms)
      VALUES (?, ?, ?, ?, 'ready', ?, ?, ?) ON CONFLICT DO NOTHING`
    )
    .run(the.id, the.workflow, the.payload, the.fingerprint, place, the.nowMs, the.nowMs)
  return changes === 0
    ? { isExisting: true, ready: [] }
    : { isExisting: false, ready: [{ id: the.id, workflow: the.workflow, place }] }
}

const isOpen = (db: Statements, id: string): boolean =>
  db.prepare("SELECT 1 FROM execution WHERE id = ? AND state <> 'finished'").get(id) !== undefined

const isFinished = (db: Statements, id: string): boolean =>
  db.prepare("SELECT 1 FROM execution WHERE id = ? AND state = 'finished'").get(id) !== undefined

/** Adds an entry to the journal. Returns false if it exists already; the first value stays. */
export const record = (
  db: Statements,
  execution: string,
  entry: string,
  value: Stored,
  requestedPlace: number | null = null
): boolean =>
  db
    .prepare(
      `INSERT INTO journal (execution, entry, value, requested_place, place)
      VALUES (?, ?, ?, ?, (SELECT count(*) FROM journal WHERE execution = ?)) ON CONFLICT DO NOTHING`
    )
    .run(execution, entry, value, requestedPlace, execution).changes > 0

/** Completes a deferred, also before its execution starts; does nothing after the execution has finished. */
export const complete = (
  db: Statements,
  places: Places,
  execution: string,
  name: string,
  value: Stored,
  requestedPlace: number | null = null
): ReadonlyArray<Ready> =>
  !isFinished(db, execution) && record(db, execution, entryOf.deferred(name), value, requestedPlace)
    ? wake(db, places, execution)
    : []

export interface Pause {
  readonly id: string
  readonly state: "waiting" | "stuck"
  /** Number of events of the execution that the run has taken into account. */
  readonly wakes: number
  readonly interrupt: number
  readonly outcome: Stored | null
  readonly nowMs: number
}

/** Stores the end of a run whose execution has not finished. */
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

/**
 * Stores the end of an execution: its outcome is kept, its journal is deleted, and parents that wait for it continue.
 */
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

/** Registers a parent, which continues when the child ends. Returns false if the child has already ended. */
export const join = (db: Statements, child: string, parent: string): boolean => {
  if (!isOpen(db, child)) return false
  db.prepare("INSERT INTO waiter (child, parent) VALUES (?, ?) ON CONFLICT DO NOTHING").run(child, parent)
  return true
}

export const interrupt = (db: Statements, places: Places, id: string, how: number): ReadonlyArray<Ready> => {
  db.prepare("UPDATE execution SET interrupt = max(interrupt, ?) WHERE id = ?").run(how, id)
  return wake(db, places, id, true)
}
