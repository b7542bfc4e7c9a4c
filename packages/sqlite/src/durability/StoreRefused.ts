/** Why a store is not opened although SQLite could open its file: what is missing, and what the operator can do. */
import { Schema } from "effect"

/**
 * `gone`: the store that the witness or the log proves is missing. `behind`: older than its witness. `log`: its write-ahead log
 * is missing or damaged. `elsewhere`: its file is not the one in which it was written last, but a copy. `unwitnessed`: its witness is missing, damaged or of another store, so that the number of its commits
 * cannot be checked. `changed`: its file differs from when it was closed. `mixed`, `damaged`: it cannot be opened at all.
 * `absent`: there is no store. `moved`: it is being moved to PostgreSQL, or was. `present`, `sound`: the request does not
 * apply, because there is a store, or because it is complete.
 */
export const Why = Schema.Literals([
  "gone",
  "behind",
  "log",
  "elsewhere",
  "unwitnessed",
  "changed",
  "mixed",
  "damaged",
  "absent",
  "moved",
  "present",
  "sound"
])
export type Why = typeof Why.Type

export class StoreRefused extends Schema.TaggedError<StoreRefused>()("StoreRefused", {
  why: Why,
  message: Schema.String,
  /** Number of missing commits; left out if unknown. */
  missing: Schema.optionalKey(Schema.Int),
  /** Business time of the last commit that is still in the store; left out if unknown. */
  sinceMs: Schema.optionalKey(Schema.Number)
}) {}
