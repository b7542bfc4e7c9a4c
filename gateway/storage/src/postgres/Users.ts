/** The processes that use a PostgreSQL store, as far as the database shows them. */
import { Effect } from "effect"
import { failWith, type MoveError } from "../MoveError.ts"
import type { Connected } from "./Administration.ts"
import { schema } from "./Ddl.ts"

/** Longest time between two commits of a running gateway, which renews its process number. */
const quietSeconds = 15

/** Selects the sessions of gateways without a pooler, and the writers that committed recently. */
const users = `
  SELECT 'a session of process ' || pid || coalesce(' from ' || client_addr, '') FROM pg_stat_activity
  WHERE datname = current_database() AND application_name = 'pay' AND pid <> pg_backend_pid()
  UNION ALL SELECT 'writer ' || writer || ', which committed at ' || at FROM ${schema}.writers
  WHERE at > clock_timestamp() - interval '${quietSeconds} seconds'
`

export const using = ({ query }: Connected): Effect.Effect<ReadonlyArray<string>, MoveError> =>
  Effect.map(query(users), (rows) => rows.map(([who]) => `${who}`))

/** Fails if a gateway has sessions, or committed recently. */
export const quiet = Effect.fnUntraced(function* (connected: Connected): Effect.fn.Return<void, MoveError> {
  const others = yield* using(connected)
  if (others.length > 0)
    return yield* failWith(
      "running",
      `A gateway uses ${connected.label} (${others.join("; ")}): stop every gateway first, and wait ${quietSeconds} seconds.`
    )
})
