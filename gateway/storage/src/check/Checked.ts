/** The result of the check of a whole store. */

export interface Checked {
  /** The name of the store for people, without a password. */
  readonly store: string
  readonly engine: "SQLite" | "PostgreSQL"
  /** The last applied step of the schema. */
  readonly step: number
  /** The missing steps of this release. */
  readonly pending: number
  readonly rows: Readonly<Record<string, number>>
  /** The processes that use the store now, as far as they can be found. */
  readonly users: ReadonlyArray<string>
  /** The result for the witness, as a sentence. */
  readonly witness: string
  /** The roles that have rights on the tables of a database, with these rights. */
  readonly roles: Readonly<Record<string, "owns" | "runs" | "other">>
  /** The problems, each with what to do. */
  readonly problems: ReadonlyArray<string>
}
