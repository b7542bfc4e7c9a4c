/**
 * The gateway's store in a PostgreSQL database that any number of gateway processes share: a commit is answered when the server
 * has acknowledged it, those that arrive together are one transaction, and nothing is read from a standby.
 */
import { Job } from "@pay/gateway/entities/Job"
import * as FairQueue from "@pay/gateway/FairQueue"
import { type Claim, Store, StoreUnavailable } from "@pay/gateway/Store"
import * as StoreRow from "@pay/gateway/StoreRow"
import { Effect, Layer, Random, Redacted, Result, type Scope } from "effect"
import * as Connections from "./Connections.ts"
import { schema } from "./Ddl.ts"
import * as Migrate from "./Migrate.ts"
import { migrations } from "./Migrations.ts"
import * as Reads from "./Reads.ts"
import type * as Session from "./Session.ts"
import * as Target from "./Target.ts"
import { rowOf } from "./Values.ts"
import * as Writer from "./Writer.ts"

export interface Options {
  /** `postgres://USER@HOST:PORT/DATABASE?sslmode=verify-full`, several hosts with commas between. */
  readonly url: Redacted.Redacted<string>
  /** The password stands in this file, which is read again at each connection. */
  readonly passwordFile?: string | undefined
  /** Connections that read. Default: 2; each carries many statements at once. */
  readonly readers?: number | undefined
  /** Connections that commit, each a batch at a time. Default: 2. */
  readonly writers?: number | undefined
  /** Default: 5,000. */
  readonly connectTimeoutMs?: number | undefined
  /** After so long without an answer a statement is given up. Default: 10,000. */
  readonly statementTimeoutMs?: number | undefined
}

/** The target is read anew for each connection, so that a changed password file counts. */
const targetOf = ({ passwordFile, url }: Options): Effect.Effect<() => Target.Target, Migrate.PostgresRefused> => {
  const parse = () => Target.parse(Redacted.value(url), passwordFile)
  return Effect.try({
    try: parse,
    catch: (cause) =>
      new Migrate.PostgresRefused({
        why: "settings",
        message: `a file of the database's settings cannot be read: ${String(cause)}`,
        cause
      })
  }).pipe(
    Effect.flatMap((first) =>
      Result.isFailure(first)
        ? Effect.fail(
            new Migrate.PostgresRefused({
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

const jobColumns = Object.keys(Job.columns)

const claimText = `SELECT * FROM ${schema}.${Migrate.claim.name}($1, $2, $3, $4, $5, $6, $7)`

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
      Effect.map((rows) => FairQueue.inTurns(rows.map((row) => StoreRow.typed(Job, rowOf(jobColumns, row))))),
      // Where the answer is lost, the jobs are free again when the lease is over.
      Effect.mapError((cause) => new StoreUnavailable({ outcomeUnknown: cause._tag === "Lost", cause }))
    )

const open = Effect.fnUntraced(function* (
  options: Options
): Effect.fn.Return<Store["Service"], Migrate.PostgresRefused, Scope.Scope> {
  const target = yield* targetOf(options)
  const timeouts = timeoutsOf(options)
  const connection = Connections.make(target, timeouts)
  const first = yield* connection
  yield* first.session.pipe(
    Effect.mapError(Migrate.explain),
    Effect.flatMap((session) => Migrate.migrate(session, migrations))
  )
  const process = yield* Effect.map(Random.nextIntBetween(0, 0x7fff_ffff), (n) => `${n}`)
  const many = (count: number) => Effect.forEach(Array.from({ length: count }), () => connection)
  const commit = yield* Writer.make({
    process,
    procedure: Migrate.commit.name,
    connections: yield* many(options.writers ?? 2),
    onBehind: () => undefined,
    onCommit: () => undefined
  })
  return Store.of({
    exclusive: false,
    ...Reads.make(yield* many(options.readers ?? 2)),
    claimDue: claiming(first),
    commit
  })
})

/**
 * Opens the database, brings it to the schema of this program, and keeps its connections until the layer's scope ends.
 *
 * ```ts
 * program.pipe(Effect.provide(PostgresStore.layer({ url: Redacted.make("postgres://pay@db.internal/pay"), passwordFile: "/run/secrets/db" })))
 * ```
 */
export const layer = (options: Options): Layer.Layer<Store, Migrate.PostgresRefused> =>
  Layer.effect(Store, open(options))
