/** The entries of an execution that were recorded before a run, and which of these the run has requested so far. */

import type { Statements } from "@pay/sqlite/Database"
import * as Records from "./Records.ts"
import * as Waits from "./Waits.ts"

/** An entry, and how many entries were recorded when the run requested it. */
interface Counted {
  readonly entry: string
  readonly recordedBefore: number
}

/** Prefixes of journal entries that exist only because the definition requested them. */
const witnesses = [
  "activity/",
  Records.entryOf.deferred(Waits.clockDeferred("")),
  Records.entryOf.deferred(Waits.signalDeferred(""))
]

/** Reads what is recorded: the clocks that were set, the journal, and the entries that show which steps were requested. */
const read = (id: string, db: Statements) => {
  const clocks = new Set<string>()
  const journal = new Map<string, Records.Stored>()
  const places = new Map<string, number>()
  const order: Array<Counted> = []
  for (const { deferred, place } of db.prepare("SELECT deferred, place FROM clock WHERE execution = ?").all(id)) {
    const entry = Records.entryOf.deferred(Records.text(deferred))
    clocks.add(entry)
    order.push({ entry, recordedBefore: Number(place) })
  }
  for (const { entry, place, recordedBefore, value } of db
    .prepare(
      "SELECT entry, value, place, coalesce(requested_place, place) AS recordedBefore FROM journal WHERE execution = ?"
    )
    .all(id)) {
    const name = Records.text(entry)
    journal.set(name, Records.stored(value))
    if (!witnesses.some((start) => name.startsWith(start))) continue
    order.push({ entry: name, recordedBefore: Number(recordedBefore) })
    places.set(name, Number(place))
  }
  return { clocks, journal, order, places }
}

export class RecordedEntries {
  readonly id: string
  readonly strict: boolean
  readonly #journal: Map<string, Records.Stored>
  /** Recorded entries that this run has not requested yet. Empty unless the workflow has `StrictReplay`. */
  readonly #unrequested = new Set<string>()
  /**
   * The recorded entries in the order in which they were requested. `#first` is the index of the first entry that is still
   * unrequested.
   */
  readonly #order: ReadonlyArray<Counted> = []
  #first = 0
  /** For each entry, how many entries were recorded before it. */
  readonly #places: ReadonlyMap<string, number>
  readonly #clocks: Set<string>
  /** Number of entries that the run has requested, recorded or not. */
  requests = 0

  constructor(id: string, strict: boolean, db: Statements) {
    this.id = id
    this.strict = strict
    const { clocks, journal, order, places } = read(id, db)
    this.#clocks = clocks
    this.#journal = journal
    this.#places = places
    if (!this.strict) return
    this.#order = order.toSorted((one, other) => one.recordedBefore - other.recordedBefore)
    for (const { entry } of order) {
      // The body of the workflow does not request entries that finalizers requested.
      if (!this.#journal.has(Records.entryOf.closing(entry))) this.#unrequested.add(entry)
    }
  }

  /** Loads the entries that were recorded in the meantime. */
  refresh(db: Statements): void {
    for (const row of db.prepare("SELECT entry, value FROM journal WHERE execution = ?").all(this.id)) {
      this.#journal.set(Records.text(row.entry), Records.stored(row.value))
    }
  }

  /** Returns the recorded value of an entry, as far as this run has loaded it, and marks the entry as requested. */
  request(entry: string): Records.Stored | undefined {
    this.requests += 1
    this.#unrequested.delete(entry)
    return this.#journal.get(entry)
  }

  /** Whether all entries were requested that had been requested when this one was recorded. */
  isInTurn(entry: string): boolean {
    const place = this.#places.get(entry) ?? -1
    let next = this.#order[this.#first]
    while (next !== undefined && !this.#unrequested.has(next.entry)) next = this.#order[++this.#first]
    return next === undefined || next.recordedBefore > place
  }

  /** Number of entries that this run knows as recorded. */
  get recordedCount(): number {
    return this.#journal.size
  }

  knows(entry: string): boolean {
    return this.#journal.has(entry)
  }

  /** Whether an activity, a clock or a signal with this name was requested, in this run or an earlier one. */
  hasRequested(name: string): boolean {
    const clock = Records.entryOf.deferred(Waits.clockDeferred(name))
    const signal = Records.entryOf.deferred(Waits.signalDeferred(name))
    const entries = [Records.entryOf.activity(name, 1), clock, signal]
    return entries.some((entry) => this.#journal.has(entry) || this.#clocks.has(entry))
  }

  know(entry: string, value: Records.Stored): void {
    this.#journal.set(entry, value)
  }

  /** Whether the clock of the deferred was set. It may have completed since. */
  requestClock(entry: string): boolean {
    return this.request(entry) !== undefined || this.#clocks.has(entry)
  }

  knowClock(entry: string): void {
    this.#clocks.add(entry)
  }

  get unrequestedCount(): number {
    return this.#unrequested.size
  }

  /** The recorded entries that this run has not requested yet. */
  get unrequested(): ReadonlyArray<string> {
    return [...this.#unrequested]
  }
}
