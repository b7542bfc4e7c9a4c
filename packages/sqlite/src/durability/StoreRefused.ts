/** Why a store is not opened although its file could be: what is missing, and the ways on. */
import { Schema } from "effect"

/**
 * `gone`: no store where there was one. `behind`: older than its witness. `log`: its write-ahead log is missing or damaged.
 * `unwitnessed`: nobody can say how far it had come. `changed`: its file is another than when it was closed. `mixed`, `damaged`: it cannot be opened at all. `absent`: none was ever
 * here. `moved`: it is being moved to another engine, or was. `present`, `sound`: what was asked for is for another case.
 */
export const Why = Schema.Literals([
  "gone",
  "behind",
  "log",
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
  /** How many commits are missing; left out where nobody knows. */
  missing: Schema.optionalKey(Schema.Int),
  /** Business time of the last commit that is still there; left out where nobody knows. */
  sinceMs: Schema.optionalKey(Schema.Number)
}) {}
