/** The progress of a move, which is reported while it runs. */

/** The phases of a move, in order. */
export type Phase = "marking" | "copying" | "indexing" | "comparing" | "books" | "finishing"

export interface Progress {
  readonly phase: Phase
  /** The current table; orders and entries for the ledger; empty without a table. */
  readonly table: string
  /** Number of rows of all tables that this phase has processed. */
  readonly rows: number
  /** Number of rows of all tables; 0 if they were not counted. */
  readonly of: number
}
