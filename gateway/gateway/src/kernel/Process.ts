/** The rows of the processes that share one store, each with its number and the span of its lease. */
import * as Entity from "./Entity.ts"

export const Process = Entity.make("processes", {
  columns: {
    number: Entity.integer,
    version: Entity.integer,
    /** A random value that the holder draws when it starts. Null: the holder has stopped. */
    token: Entity.textOrNull(),
    /** Start of the holder's span, which ends before `leaseUntilMs`. */
    fromMs: Entity.integer,
    leaseUntilMs: Entity.integer,
    /** Host and process id, for people. */
    name: Entity.text(),
    startedAtMs: Entity.integer,
    /** A hash of the merchants' description that the process works with; after a space, the summary of its key ring. */
    merchants: Entity.text()
  },
  key: ["number"]
})
export type Process = Entity.Row<typeof Process>

export interface Span {
  readonly number: number
  readonly fromMs: number
  /** End of the span, exclusive. */
  readonly untilMs: number
}

/** Milliseconds from the renewal of a lease to its end. */
export const leaseMs = 30_000
/** Milliseconds from the end of a lease until another process may take its number. Clocks of processes may differ by as much. */
export const graceMs = 30_000
