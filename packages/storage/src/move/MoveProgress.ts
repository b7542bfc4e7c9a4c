/** How far a move is, told as it goes on. */

/** What is done, in this order. */
export type Phase = "marking" | "copying" | "indexing" | "comparing" | "books" | "finishing" | "placing"

export interface Progress {
  readonly phase: Phase
  /** The table that is in turn; for the books: orders and entries; empty: none. */
  readonly table: string
  /** Rows of all tables that this phase is done with. */
  readonly rows: number
  /** Rows of all tables; 0: nobody counted them. */
  readonly of: number
}
