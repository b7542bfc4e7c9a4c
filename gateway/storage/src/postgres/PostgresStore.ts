/**
 * The gateway's store in a PostgreSQL database, which any number of gateway processes share. A commit succeeds when the server has
 * acknowledged it. Commits that arrive together are one transaction. Nothing is read from a standby.
 */

import { Job } from "@pay/gateway/Entities"
import { ShortLivedKeyTable } from "@pay/gateway/KeyVault"
import {
  type Claim,
  FairQueue,
  Spans,
  Store,
  type Reads as StoreReads,
  StoreRow,
  StoreUnavailable
} from "@pay/gateway/Store"
import * as Database from "@pay/sqlite/Database"
import * as Durability from "@pay/sqlite/Durability"
import type { SqliteError } from "@pay/sqlite/SqliteError"
import { Clock, Context, Effect, Layer, Random, Redacted, Result, type Scope } from "effect"
import * as Acceptance from "./Acceptance.ts"
import * as Binding from "./Binding.ts"
import * as CommitChannel from "./CommitChannel.ts"
import * as Completeness from "./Completeness.ts"
import * as Connections from "./Connections.ts"
import { schema } from "./Ddl.ts"
import * as Failure from "./Failure.ts"
import * as Marks from "./Marks.ts"
import * as Migrate from "./Migrate.ts"
import { migrations } from "./Migrations.ts"
import { PostgresRefused } from "./PostgresRefused.ts"
import * as PostgresShortLivedKeys from "./PostgresShortLivedKeys.ts"
import * as ProcessWitness from "./ProcessWitness.ts"
import * as Reads from "./Reads.ts"
import * as Replication from "./Replication.ts"
import * as Session from "./Session.ts"
import * as Shortage from "./Shortage.ts"
import * as Target from "./Target.ts"
import { rowOf } from "./Values.ts"
import * as Wakeups from "./Wakeups.ts"
import * as Writer from "./Writer.ts"

export type { PostgresRefused } from "./PostgresRefused.ts"

export interface Options extends Acceptance.Words {
  /** `postgres://USER@HOST:PORT/DATABASE?sslmode=verify-full`, with several hosts separated by commas. */
  readonly url: Redacted.Redacted<string>
  /** The file with the password, which is read again for each connection. */
  readonly passwordFile?: string | undefined
  /** Number of connections for reads, each with many statements at once. Default: 2. */
  readonly readers?: number | undefined
  /** Number of connections for commits, each with one batch at a time. Default: 2. */
  readonly writers?: number | undefined
  /** The witness file outside of the database, with the last batches of this process. Without it, a database that is behind goes unnoticed. */
  readonly witness?: string | undefined
  /** The reaction to a database without a store. Default: `make`. `insist` refuses an existing store. */
  readonly absent?: "make" | "refuse" | "insist" | undefined
  /** Milliseconds. Default: 5,000. */
  readonly connectTimeoutMs?: number | undefined
  /** Milliseconds without an answer after which a statement is given up. Default: 10,000. */
  readonly statementTimeoutMs?: number | undefined
}

/** Reads the target again for each connection, so that a changed password file takes effect. */
const targetOf = ({ passwordFile, url }: Options): Effect.Effect<() => Target.Target, PostgresRefused> => {
  const parse = () => Target.parse(Redacted.value(url), passwordFile)
  return Effect.try({
    try: parse,
    catch: (cause) =>
      new PostgresRefused({
        why: "settings",
        message: `a file of the database's settings cannot be read: ${String(cause)}`,
        cause
      })
  }).pipe(
    Effect.flatMap((first) =>
      Result.isFailure(first)
        ? Effect.fail(
            new PostgresRefused({
              why: "settings",
              message: `the database's URL cannot be used: ${first.failure}`
            })
          )
        : Effect.succeed(() => Result.getOrElse(parse(), () => first.success))
    )
  )
}

const timeoutsOf = ({ connectTimeoutMs = 5000, statementTimeoutMs = 10_000 }: Options): Session.Timeouts => ({
  connectMs: connectTimeoutMs,
  answerMs: statementTimeoutMs
})

/** The time limit of a migration: a step may rewrite a large table, and waits for other processes that start. */
const longestMigrationMs = 86_400_000

const jobColumns = Object.keys(Job.columns)

const claimText = `SELECT * FROM ${schema}.${Migrate.claim.name}($1, $2, $3, $4, $5, $6, $7)`

const clockText = "SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint"

const claiming =
  (connection: Connections.Connection) =>
  ({ each, except, kind, leaseMs, limit, nowMs, token }: Claim) =>
    Effect.flatMap(connection.session, (session) =>
      session.query({
        name: Migrate.claim.name,
        text: claimText,
        values: [kind, nowMs, nowMs + leaseMs, token, limit, each ?? null, except ?? null]
      })
    ).pipe(
      Effect.map((rows) => FairQueue.byTurns(rows.map((row) => StoreRow.typed(Job, rowOf(jobColumns, row))))),
      // If the answer is lost, the jobs can be claimed again after the lease.
      Effect.mapError((cause) => new StoreUnavailable({ outcomeUnknown: cause._tag === "Lost", cause }))
    )

/** Reads the server's clock. */
const clockOf = (connection: Connections.Connection): Effect.Effect<number, StoreUnavailable> =>
  Effect.flatMap(connection.session, (session) => session.query({ text: clockText, values: [] })).pipe(
    Effect.map(([row]) => Number(row?.[0])),
    Effect.mapError((cause) => new StoreUnavailable({ outcomeUnknown: false, cause }))
  )

/** Makes the name of a process's channels: no other process and no other run of this process has it. */
const processName = Effect.map(
  Effect.all([Random.nextIntBetween(0, 0x7fff_ffff), Clock.currentTimeMillis]),
  ([n, atMs]) => [atMs.toString(36), n.toString(36)].join("-")
)

/** Makes a store that fails all calls once the database is known to lack commits. */
const guarded = (store: Store["Service"], behind: () => CommitChannel.Behind | undefined): Store["Service"] => {
  const unless = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.suspend((): Effect.Effect<A, E | StoreUnavailable, R> => {
      const cause = behind()
      return cause === undefined ? effect : Effect.fail(new StoreUnavailable({ outcomeUnknown: false, cause }))
    })
  const reading = ({ find, load }: StoreReads): StoreReads => ({
    load: (entity, values, unique) => unless(load(entity, values, unique)),
    find: (entity, index, range) => unless(find(entity, index, range))
  })
  return Store.of({
    ...store,
    ...reading(store),
    aside: store.aside && reading(store.aside),
    commit: (decision) => unless(store.commit(decision)),
    claimDue: (claim) => unless(store.claimDue(claim))
  })
}

const open = Effect.fnUntraced(function* (
  options: Options
): Effect.fn.Return<Context.Context<Store | ShortLivedKeyTable>, OpenError, Scope.Scope> {
  const target = yield* targetOf(options)
  const timeouts = timeoutsOf(options)
  const clock = yield* Clock.Clock
  const services = yield* Effect.context()
  let behind: CommitChannel.Behind | undefined
  let writer: Writer.Writer | undefined
  let witness: ProcessWitness.ProcessWitness | undefined

  const onBehind = (lost: CommitChannel.Behind) => {
    if (behind === undefined)
      Effect.runForkWith(services)(
        Effect.logFatal("The database lacks commits that were acknowledged; nothing more is served from it", lost)
      )
    behind ??= lost
  }
  /** Refuses a server that took over and lacks a commit that was acknowledged to this process, through whichever channel. */
  const verify = Effect.fnUntraced(function* (session: Session.Session) {
    const [first] = yield* Completeness.missing(session, writer?.positions() ?? [])
    if (first === undefined) return
    const lost = new CommitChannel.Behind({ writer: first[0], number: first[1] })
    onBehind(lost)
    return yield* new Failure.ServerRefused({ state: undefined, cause: lost })
  })
  const connection = Connections.make(target, timeouts, { verify })
  const many = (count: number) => Effect.forEach(Array.from({ length: count }), () => connection)

  // Each of two processes with one witness would take the other's numbers for its own.
  if (options.witness !== undefined) yield* Database.claim({ path: options.witness })
  const first = yield* connection
  const prepared = Effect.gen(function* () {
    yield* Effect.scoped(
      Effect.gen(function* () {
        const migrationTimeouts = { ...timeouts, answerMs: longestMigrationMs }
        const connected = Session.connect(target(), migrationTimeouts)
        const session = yield* Effect.mapError(connected, Migrate.explain)
        yield* checkPresence(session, options.absent)
        yield* Migrate.migrate(session, migrations)
      })
    )
    const session = yield* Effect.mapError(first.session, Migrate.explain)
    return yield* Effect.mapError(
      Effect.gen(function* () {
        const before =
          options.witness === undefined || (yield* Marks.isOfSource(session, options.witness))
            ? undefined
            : yield* readWitness(options.witness)
        const refused =
          before === undefined ? undefined : yield* Completeness.judge(session, options.witness ?? "", before)
        const place = yield* Binding.find(session)
        const elsewhere = yield* Binding.judge(session, place)
        const lastCommitAtMs = options.restored === undefined ? undefined : yield* Completeness.lastCommitAtMs(session)
        return { before, refused, place, elsewhere, lastCommitAtMs, name: yield* Completeness.nameOf(session) }
      }),
      (error) => ("why" in error ? error : Migrate.explain(error))
    )
  })
  const { before, name, place, refused, ...findings } = yield* prepared
  const acceptance = yield* Acceptance.of({ refused, ...findings }, options)
  if (options.witness !== undefined)
    witness = yield* Effect.mapError(
      ProcessWitness.make(options.witness, name, refused === undefined ? before : undefined),
      (cause) => unreadable(options.witness, cause)
    )

  const process = yield* processName
  const shortage = yield* Shortage.make(first)
  writer = yield* Writer.make({
    process,
    procedure: Migrate.commit.name,
    connections: yield* many(options.writers ?? 2),
    onBehind,
    onRefused: shortage.refused,
    onCommit: (channel, number) => witness?.acknowledged(channel, number, clock.currentTimeMillisUnsafe())
  })
  const withSpan = yield* Spans.make
  const store: Store["Service"] = Store.of({
    exclusive: false,
    isShort: shortage.isShort,
    clockMs: clockOf(first),
    ...Reads.make(yield* many(options.readers ?? 2)),
    aside: Reads.make(yield* many(1)),
    claimDue: claiming(first),
    commit: (decision) => withSpan(writer.commit(decision), "store.commit"),
    // A pooler uses another server for each transaction, so no channel can be listened to.
    ...(target().pooled ? {} : { onDue: yield* Wakeups.make(yield* connection, process) })
  })
  yield* Replication.watch(first)
  if (acceptance !== undefined) yield* Effect.catch(Acceptance.record(store, acceptance), () => acceptance.refused)
  if (acceptance !== undefined || place.bound === undefined)
    yield* Effect.mapError(
      Effect.flatMap(first.session, (session) => Binding.bind(session, place)),
      Migrate.explain
    )
  return Context.make(
    Store,
    guarded(store, () => behind)
  ).pipe(Context.add(ShortLivedKeyTable, PostgresShortLivedKeys.make(first)))
})

/** Refuses a missing store, or an existing one if the operator requests a new one. */
const checkPresence = Effect.fnUntraced(function* (session: Session.Session, absent: Options["absent"] = "make") {
  const isThere = yield* Effect.mapError(Migrate.isThere(session), Migrate.explain)
  if (!isThere && absent === "refuse")
    return yield* new Durability.StoreRefused({
      why: "absent",
      message: "There is no store in this database: is the setting right? Give --new to begin with an empty store."
    })
  if (isThere && absent === "insist")
    return yield* new Durability.StoreRefused({
      why: "present",
      message: "There is a store in this database: leave --new out to go on with it."
    })
})

/** Makes the refusal for an unreadable witness. An error of the disk has a code; any other is about the content of the file. */
const unreadable = (path: string | undefined, { cause }: ProcessWitness.WitnessError) =>
  new PostgresRefused({
    why: "settings",
    message:
      cause instanceof Error && "code" in cause
        ? `the witness ${path} cannot be read or written: ${String(cause)}`
        : `the witness ${path} is damaged, or is that of another store: name this gateway's own file (witness, PAY_WITNESS); for a new database, one that is not there yet`,
    cause
  })

const readWitness = (path: string) => Effect.mapError(ProcessWitness.read(path), (cause) => unreadable(path, cause))

/** The errors of opening the store. */
export type OpenError = PostgresRefused | Durability.StoreRefused | SqliteError

/**
 * Opens the database, brings it to the schema of this program, and keeps its connections until the layer's scope ends.
 *
 * ```ts
 * program.pipe(Effect.provide(PostgresStore.layer({ url: Redacted.make("postgres://pay@db.internal/pay"), passwordFile: "/run/secrets/db" })))
 * ```
 */
export const layer = (options: Options): Layer.Layer<Store | ShortLivedKeyTable, OpenError> =>
  Layer.effectContext(open(options))
