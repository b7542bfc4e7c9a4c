/** Why a PostgreSQL database cannot be used as a store. */
import { Schema } from "effect"

/**
 * Why a database is not used. `newer`: a later release changed it in a way that this one does not know. `changed`: a step was applied
 * with another content. `rights`: the role may not change the schema. `failed`: a step failed and was undone. `moved`: the store is being moved, or
 * was. `unreachable`: no server answers, or none of them may be used.
 * `settings`: the connection's URL or files cannot be used.
 */
const Why = Schema.Literals(["newer", "changed", "rights", "failed", "moved", "unreachable", "settings"])

/** A PostgreSQL database that the store cannot use; the message says what to do. */
export class PostgresRefused extends Schema.TaggedError<PostgresRefused>()("PostgresRefused", {
  why: Why,
  message: Schema.String,
  cause: Schema.optionalKey(Schema.Defect())
}) {}
