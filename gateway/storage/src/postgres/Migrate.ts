/**
 * Brings a database to the schema of this program, in one transaction that only one program runs at a time, so that many may start at
 * once. The previous release can keep running: steps only add, and functions of several releases exist side by side.
 */
import "../OldNode.ts"
import * as crypto from "node:crypto"
import * as Entities from "@pay/gateway/Entities"
import type * as Entity from "@pay/gateway/Entity"
import { Effect } from "effect"
import { quote } from "../Ddl.ts"
import * as MoveMark from "../MoveMark.ts"
import * as Binding from "./Binding.ts"
import * as ClaimFunction from "./ClaimFunction.ts"
import * as CommitFunction from "./CommitFunction.ts"
import { named, schema, tableOf } from "./Ddl.ts"
import * as Durably from "./Durably.ts"
import type * as Failure from "./Failure.ts"
import * as FirstStatistics from "./FirstStatistics.ts"
import { PostgresRefused } from "./PostgresRefused.ts"
import * as PostgresShortLivedKeys from "./PostgresShortLivedKeys.ts"
import type { Session } from "./Session.ts"

/** One step. A released step is never edited; a later step corrects it. */
export interface Migration {
  readonly id: number
  readonly name: string
  readonly sql: string
  /** The last step of the oldest program that can use a database with this step. */
  readonly oldest: number
}

export const commit = named("commit", (name) => CommitFunction.make(name, Entities.all))
export const claim = named("claim", ClaimFunction.make)

/** The functions of this release. */
const functions = [Durably, commit, claim]

const checksumOf = ({ sql }: Migration): string => crypto.hash("sha256", sql)

/** A channel's row is kept for ever: the witness of a process that was stopped, or a copy of it, may name any of them. */
const base = [
  `CREATE SCHEMA IF NOT EXISTS ${schema}`,
  `CREATE TABLE IF NOT EXISTS ${schema}.migrations (id int PRIMARY KEY, name text NOT NULL, checksum text NOT NULL, oldest int NOT NULL, at timestamptz NOT NULL DEFAULT now())`,
  `CREATE TABLE IF NOT EXISTS ${schema}.writers (writer text COLLATE "C" PRIMARY KEY, number bigint NOT NULL, result jsonb, at timestamptz NOT NULL DEFAULT now()) WITH (fillfactor = 50)`,
  `CREATE TABLE IF NOT EXISTS ${schema}.store (id uuid PRIMARY KEY, only_one boolean NOT NULL UNIQUE DEFAULT true CHECK (only_one))`,
  `INSERT INTO ${schema}.store (id) SELECT gen_random_uuid() WHERE NOT EXISTS (SELECT FROM ${schema}.store)`,
  ...Binding.statements,
  ...PostgresShortLivedKeys.statements
]

const refused = (why: PostgresRefused["why"], message: string, cause?: unknown): PostgresRefused =>
  new PostgresRefused({ why, message, ...(cause === undefined ? {} : { cause }) })

/** Returns the missing steps. Refuses a database that this program must not change. */
const due = (
  applied: ReadonlyArray<{
    readonly id: number
    readonly name: string
    readonly checksum: string
    readonly oldest: number
  }>,
  migrations: ReadonlyArray<Migration>
): Effect.Effect<ReadonlyArray<Migration>, PostgresRefused> => {
  const last = migrations.at(-1)?.id ?? 0
  for (const [at, { checksum, id, name, oldest }] of applied.entries()) {
    const moved = id === MoveMark.step ? MoveMark.read(name, checksum) : undefined
    if (moved !== undefined) return Effect.fail(refused("moved", MoveMark.explain(moved)))
    const step = migrations[at]
    if (step === undefined && oldest > last)
      return Effect.fail(
        refused(
          "newer",
          `this database has step ${id} (${name}) of a later release, and this release is too old for it; start the later one`
        )
      )
    if (step !== undefined && (step.id !== id || checksumOf(step) !== checksum))
      return Effect.fail(
        refused(
          "changed",
          `this database was made by a development version of pay, whose step ${id} (${name}) differs; start with an empty database`
        )
      )
  }
  return Effect.succeed(migrations.slice(applied.length))
}

const exists = (session: Session, name: string) =>
  Effect.map(
    session.query({
      text: "SELECT count(*)::int FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace WHERE n.nspname = $1 AND p.proname = $2",
      values: [schema, name]
    }),
    ([row]) => row?.[0] === 1
  )

/** Returns the functions of this release that the database lacks. */
export const missingFunctions = (session: Session): Effect.Effect<ReadonlyArray<string>, Failure.Failure> =>
  Effect.filter(
    functions.map(({ name }) => name),
    (name) => Effect.map(exists(session, name), (there) => !there)
  )

const run = (session: Session, text: string) => Effect.asVoid(session.query({ text, values: [] }))

/** Whether the schema of a store exists, of any release. */
export const isThere = (session: Session): Effect.Effect<boolean, Failure.Failure> =>
  Effect.map(
    session.query({ text: "SELECT (to_regclass($1) IS NOT NULL)::int", values: [`${schema}.migrations`] }),
    ([there]) => there?.[0] === 1
  )

/** Whether a step or function is missing. Changes nothing. */
const isCurrent = Effect.fnUntraced(function* (session: Session, migrations: ReadonlyArray<Migration>) {
  if (!(yield* isThere(session))) return false
  const missing = yield* due(yield* appliedTo(session), migrations)
  return missing.length === 0 && (yield* missingFunctions(session)).length === 0
})

/** Returns the number of steps of this release that a store lacks. The mark of a move is no step. */
export const pending = (
  session: Session,
  migrations: ReadonlyArray<Migration>
): Effect.Effect<number, PostgresRefused> =>
  appliedTo(session).pipe(
    Effect.mapError(explain),
    Effect.flatMap((applied) =>
      due(
        applied.filter(({ id }) => id !== MoveMark.step),
        migrations
      )
    ),
    Effect.map((steps) => steps.length)
  )

const appliedTo = (session: Session) =>
  Effect.map(
    session.query({ text: `SELECT id, name, checksum, oldest FROM ${schema}.migrations ORDER BY id`, values: [] }),
    (rows) =>
      rows.map(([id, name, checksum, oldest]) => ({
        id: Number(id),
        name: `${name}`,
        checksum: `${checksum}`,
        oldest: Number(oldest)
      }))
  )

const makeKnown = Effect.fnUntraced(function* (session: Session, entity: Entity.Entity) {
  const [looked] = yield* session.query({ text: FirstStatistics.isUnknown, values: [schema, entity.name] })
  const [empty] = yield* session.query({
    text: `SELECT count(*)::int FROM (SELECT FROM ${tableOf(entity)} LIMIT 1) t`,
    values: []
  })
  if (looked?.[0] !== 0 || empty?.[0] !== 0) return
  for (const statement of FirstStatistics.statements(entity)) yield* run(session, statement)
})

/** The lock that lets one program run at a time. No other lock has its number. */
const turn = "SELECT pg_advisory_xact_lock(7241947211302)"

const change = Effect.fnUntraced(function* (
  session: Session,
  migrations: ReadonlyArray<Migration>,
  runsAs: string | undefined
) {
  yield* run(session, "BEGIN")
  yield* run(session, `SELECT ${Durably.waits}`)
  yield* run(session, turn)
  for (const statement of base) yield* run(session, statement)
  for (const migration of yield* due(yield* appliedTo(session), migrations)) {
    for (const statement of migration.sql.split(";\n")) if (statement.trim() !== "") yield* run(session, statement)
    yield* session.query({
      text: `INSERT INTO ${schema}.migrations (id, name, checksum, oldest) VALUES ($1, $2, $3, $4)`,
      values: [migration.id, migration.name, checksumOf(migration), migration.oldest]
    })
  }
  for (const entity of Entities.all) yield* makeKnown(session, entity)
  for (const { name, text } of functions) if (!(yield* exists(session, name))) yield* run(session, text)
  if (runsAs !== undefined) for (const statement of grants(runsAs)) yield* run(session, statement)
  yield* run(session, "COMMIT")
})

/** Statements that grant rights to the role of the gateway: it may change no table, and only add append-only rows. */
const grants = (role: string): ReadonlyArray<string> => {
  const all = Entities.all.map((entity) => ({ entity, table: `${schema}.${quote(entity.name)}` }))
  return [
    `GRANT USAGE ON SCHEMA ${schema} TO ${quote(role)}`,
    `GRANT SELECT ON ${schema}.migrations, ${schema}.store TO ${quote(role)}`,
    `GRANT SELECT, INSERT, UPDATE ON ${schema}.writers TO ${quote(role)}`,
    ...Binding.grants(quote(role)),
    ...PostgresShortLivedKeys.grants(quote(role)),
    ...all.map(
      ({ entity, table }) =>
        `GRANT ${entity.appendOnly ? "SELECT, INSERT" : "SELECT, INSERT, UPDATE, DELETE"} ON ${table} TO ${quote(role)}`
    )
  ]
}

/** SQLSTATE: insufficient privilege. */
const noRight = "42501"

/** SQLSTATEs with which a server refuses a connection: role, password or database, too many connections, start or stop, a standby. */
const notAdmitted = /^(?:08|28|3D|53300|57P|25006)/

/** Returns the errors of a failed connection: one for each address of the host. */
const messageOf = (cause: unknown): string =>
  cause instanceof AggregateError
    ? cause.errors.map(messageOf).join("; ")
    : cause instanceof Error
      ? cause.message
      : String(cause)

export const explain = (failure: Failure.Failure): PostgresRefused => {
  if (failure._tag === "ServerRefused" && failure.state === noRight)
    return refused(
      "rights",
      "the schema must be changed and this role may not: run `pay store migrate` with a role that owns the database",
      failure.cause
    )
  const isUnreachable = failure._tag === "Lost" || failure.state === undefined || notAdmitted.test(failure.state)
  return refused(isUnreachable ? "unreachable" : "failed", messageOf(failure.cause), failure.cause)
}

/** Migrates the schema. `runsAs`: the role that gets the rights of a gateway; without it, no rights are granted. */
export const migrate = (
  session: Session,
  migrations: ReadonlyArray<Migration>,
  runsAs?: string
): Effect.Effect<void, PostgresRefused> =>
  Effect.gen(function* () {
    if (runsAs === undefined && (yield* isCurrent(session, migrations))) return
    yield* Effect.onError(change(session, migrations, runsAs), () => Effect.ignore(run(session, "ROLLBACK")))
  }).pipe(Effect.catch((error) => Effect.fail(error._tag === "PostgresRefused" ? error : explain(error))))
