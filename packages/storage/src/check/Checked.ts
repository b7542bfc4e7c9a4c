/** What a look at a whole store found. */

export interface Checked {
  /** For people, without a password. */
  readonly store: string
  readonly engine: "SQLite" | "PostgreSQL"
  /** The last step that was applied to the schema. */
  readonly step: number
  /** Steps of this release that are missing. */
  readonly pending: number
  readonly rows: Readonly<Record<string, number>>
  /** The processes that use the store now, as far as can be told. */
  readonly users: ReadonlyArray<string>
  /** What the witness says, in a sentence. */
  readonly witness: string
  /** Roles that have rights on the tables of a database, each with what it can do. */
  readonly roles: Readonly<Record<string, "owns" | "runs" | "other">>
  /** What is wrong, and what to do; empty: nothing is. */
  readonly problems: ReadonlyArray<string>
}
