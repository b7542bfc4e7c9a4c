/** Why a store was not moved, checked, migrated or reopened. */
import { Schema } from "effect"

/**
 * `running`: a gateway or another move uses the store. `absent`: the source has no store. `present`: the target already has one.
 * `other`: one side belongs to another move. `schema`: the schema is not of this release. `differs`: the rows of
 * both sides are not the same. `unreachable`: the server cannot be reached. `settings`: the names of the two sides cannot be used.
 * `failed`: the disk or the server failed.
 */
const Why = Schema.Literals([
  "running",
  "absent",
  "present",
  "other",
  "schema",
  "differs",
  "unreachable",
  "settings",
  "failed"
])

/** The message says what to do, and never contains a password. */
export class MoveError extends Schema.TaggedError<MoveError>()("MoveError", {
  why: Why,
  message: Schema.String
}) {}

export const failWith = (why: typeof Why.Type, message: string): MoveError => new MoveError({ why, message })

/** Makes a `MoveError` from an error whose message contains no secret. */
export const failed =
  (what: string) =>
  (cause: unknown): MoveError =>
    cause instanceof MoveError
      ? cause
      : failWith("failed", `${what}: ${cause instanceof Error ? cause.message : String(cause)}`)
