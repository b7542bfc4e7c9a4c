/**
 * The database to which a store belongs: the system identifier of its server and its own number there. A promoted standby and a server
 * that starts again keep both. A restored dump, a copy by `CREATE DATABASE … TEMPLATE` and an upgraded server have others.
 */
import * as Durability from "@pay/sqlite/Durability"
import { Effect } from "effect"
import * as Completeness from "./Completeness.ts"
import { schema } from "./Ddl.ts"
import type * as Failure from "./Failure.ts"
import type { Session } from "./Session.ts"

const table = `${schema}.binding`

/** What makes the table, where it is not there. It has at most one row. */
export const statements: ReadonlyArray<string> = [
  `CREATE TABLE IF NOT EXISTS ${table} (system text NOT NULL, database text NOT NULL, only_one boolean PRIMARY KEY DEFAULT true CHECK (only_one))`
]

/** The rights of the role that runs the gateway. */
export const grants = (role: string): ReadonlyArray<string> => [`GRANT SELECT, INSERT, UPDATE ON ${table} TO ${role}`]

interface Place {
  /** The system identifier of the server; empty if the role must not read it. */
  readonly system: string
  readonly database: string
}

const query = (session: Session, text: string, values: ReadonlyArray<string> = []) => session.query({ text, values })

const select = `
  SELECT (SELECT oid::text FROM pg_database WHERE datname = current_database()),
    has_function_privilege('pg_control_system()', 'EXECUTE')::int,
    (SELECT system FROM ${table} WHERE only_one), (SELECT database FROM ${table} WHERE only_one)
`
const selectSystem = "SELECT system_identifier::text FROM pg_control_system()"

const isSame = (one: Place, other: Place): boolean =>
  one.database === other.database && (one.system === "" || other.system === "" || one.system === other.system)

/** The database of the session, and the one to which the store belongs. */
export interface Found {
  readonly here: Place
  /** Undefined if no gateway has started on the store yet. */
  readonly bound: Place | undefined
}

export const find = Effect.fnUntraced(function* (session: Session): Effect.fn.Return<Found, Failure.Failure> {
  const [row] = yield* query(session, select)
  const [database, mayReadSystem, boundSystem, boundDatabase] = row ?? []
  const [system] = mayReadSystem === 1 ? yield* query(session, selectSystem) : []
  return {
    here: { system: `${system?.[0] ?? ""}`, database: `${database}` },
    bound: boundDatabase === null ? undefined : { system: `${boundSystem}`, database: `${boundDatabase}` }
  }
})

/** Returns why the store must not be used here without a word of the operator; undefined if it belongs here. */
export const judge = Effect.fnUntraced(function* (
  session: Session,
  { bound, here }: Found
): Effect.fn.Return<Durability.StoreRefused | undefined, Failure.Failure> {
  if (bound === undefined || isSame(bound, here)) return undefined
  const sinceMs = yield* Completeness.lastCommitAtMs(session)
  return new Durability.StoreRefused({
    why: "elsewhere",
    message: `This is not the database in which the store was written last: it was restored from a dump, copied, or its server was replaced. ${Durability.waysOfCopy}`,
    ...(sinceMs === undefined ? {} : { sinceMs })
  })
})

/** Binds the store to the database of the session. */
export const bind = (session: Session, { here }: Found): Effect.Effect<void, Failure.Failure> =>
  Effect.asVoid(
    query(
      session,
      `INSERT INTO ${table} (system, database) VALUES ($1, $2) ON CONFLICT (only_one) DO UPDATE SET system = $1, database = $2`,
      [here.system, here.database]
    )
  )
