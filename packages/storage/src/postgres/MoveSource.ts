/**
 * A PostgreSQL store that is moved away. Its mark keeps gateways from starting, and in the same transaction the functions are
 * removed by which a gateway commits and claims: one that nobody noticed is refused each of both.
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

/** A gateway that lives commits at least that often: it renews the number of its process. */
const quietSeconds = 15

/** One for each session of a gateway that is not behind a pooler, and for each writer that committed lately. */
const users = `
  SELECT 'a session of process ' || pid || coalesce(' from ' || client_addr, '') FROM pg_stat_activity
  WHERE datname = current_database() AND application_name = 'pay' AND pid <> pg_backend_pid()
  UNION ALL SELECT 'writer ' || writer || ', which committed at ' || at FROM ${schema}.writers
  WHERE at > clock_timestamp() - interval '${quietSeconds} seconds'
`

/** The processes that use the store, as far as can be told. */
export const using = ({ query }: Connected): Effect.Effect<ReadonlyArray<string>, MoveError> =>
  Effect.map(query(users), (rows) => rows.map(([who]) => `${who}`))

/** Fails if a gateway has sessions, or committed lately. */
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

/** One move at a time: the lock is the session's, and one that was killed keeps it until its last statement has ended. */
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
      const former = there?.[0] === 1 ? Marks.ancestorsOf(yield* query(Marks.selectAncestors)) : []
      const reached = Object.fromEntries(writers.map(([writer, number]) => [`${writer}`, Number(number)]))
      return [{ store, reached }, ...former]
    })
  }
})
