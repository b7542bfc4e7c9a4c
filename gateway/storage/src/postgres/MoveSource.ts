/**
 * The PostgreSQL store from which a move reads. Its mark keeps gateways from starting. The same transaction drops the functions with
 * which gateways commit and claim, so that a gateway that is still running can do neither.
 */
import { Effect } from "effect"
import { failWith, type MoveError } from "../MoveError.ts"
import type { Source } from "../MoveSide.ts"
import type { Connected, Statement } from "./Administration.ts"
import * as Administration from "./Administration.ts"
import * as Completeness from "./Completeness.ts"
import { schema } from "./Ddl.ts"
import * as Marks from "./Marks.ts"
import * as Migrate from "./Migrate.ts"
import { migrations } from "./Migrations.ts"
import * as MoveReading from "./MoveReading.ts"

/** Longest time between two commits of a running gateway, which renews its process number. */
const quietSeconds = 15

/** Selects the sessions of gateways without a pooler, and the writers that committed recently. */
const users = `
  SELECT 'a session of process ' || pid || coalesce(' from ' || client_addr, '') FROM pg_stat_activity
  WHERE datname = current_database() AND application_name = 'pay' AND pid <> pg_backend_pid()
  UNION ALL SELECT 'writer ' || writer || ', which committed at ' || at FROM ${schema}.writers
  WHERE at > clock_timestamp() - interval '${quietSeconds} seconds'
`

/** Returns the processes that use the store, as far as the database shows them. */
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

const functions = `
  SELECT p.oid::regprocedure::text FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
  WHERE n.nspname = $1 AND p.proname ~ '^(commit|claim)_'
`

/** Takes the lock that allows one move at a time. The session of a killed move keeps it until its last statement has ended. */
export const alone = ({ query }: Connected) => query("SELECT pg_advisory_lock(7241947211303)")

export const open = Effect.fnUntraced(function* (connected: Connected): Effect.fn.Return<Source, MoveError> {
  const { label, query, session } = connected
  yield* alone(connected)
  if (!(yield* Effect.mapError(Migrate.isThere(session), Administration.explain(label))))
    return yield* failWith("absent", `There is no store in ${label}.`)
  const due = yield* Effect.mapError(Migrate.pending(session, migrations), ({ message }) =>
    failWith("schema", `${label}: ${message}`)
  )
  if (due > 0)
    return yield* failWith("schema", `${label} is of an earlier release: run pay store migrate of this release first.`)
  yield* quiet(connected)
  return {
    ...MoveReading.make(connected),
    write: (mark) =>
      Effect.gen(function* () {
        const dropped = yield* query(functions, [schema])
        yield* Administration.transaction(connected, [
          { text: `LOCK TABLE ${schema}.migrations IN EXCLUSIVE MODE` },
          ...Marks.setMark(mark),
          ...dropped.map(([name]): Statement => ({ text: `DROP FUNCTION ${name}` }))
        ])
      }),
    ancestors: Effect.gen(function* () {
      const store = yield* Effect.mapError(Completeness.nameOf(session), Administration.explain(label))
      const writers = yield* query(`SELECT writer, number FROM ${schema}.writers`)
      const [there] = yield* query("SELECT (to_regclass($1) IS NOT NULL)::int", [`${schema}.ancestors`])
      const ancestors = there?.[0] === 1 ? Marks.ancestorsOf(yield* query(Marks.selectAncestors)) : []
      const reached = Object.fromEntries(writers.map(([writer, number]) => [`${writer}`, Number(number)]))
      return [{ store, reached }, ...ancestors]
    })
  }
})
