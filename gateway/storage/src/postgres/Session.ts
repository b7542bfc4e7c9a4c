/** One connection to a server that accepts writes, checked before it is used. */
import type * as Entity from "@pay/gateway/Entity"
import { Context, Effect, Redacted, type Scope } from "effect"
import pg from "pg"
import * as Durably from "./Durably.ts"
import * as Failure from "./Failure.ts"
import type { Host, Target } from "./Target.ts"

export interface Timeouts {
  readonly connectMs: number
  /** Milliseconds for which a statement may take before its connection is given up. */
  readonly answerMs: number
}

export interface Query {
  readonly text: string
  readonly values: ReadonlyArray<string | number | null | ReadonlyArray<string>>
  /** The name under which the statement is prepared once; not used with a pooler. */
  readonly name?: string
}

export type Row = Array<Entity.Value>

export interface Session {
  readonly query: (query: Query) => Effect.Effect<ReadonlyArray<Row>, Failure.Failure>
  /** Whether the connection broke. A broken connection is never used again. */
  readonly isOpen: () => boolean
  /** Whether the server has sent a warning since the last call. */
  readonly warned: () => boolean
  /** Calls back for each message of the channels that the session listens to. */
  readonly onNotification: (notified: (payload: string) => void) => void
  readonly close: Effect.Effect<void>
}

/** Makes the sockets of connections. Tests replace it to inject faults. */
const Stream = Context.Reference<pg.ClientConfig["stream"] | undefined>("@pay/storage/Stream", {
  defaultValue: () => undefined
})

/** The SQLSTATE of a write on a standby. */
const readOnly = "25006"

/** Milliseconds by which the server's time limit of a statement is shorter than the program's. */
const graceMs = 1000

/** Parses integers as numbers: the tables contain only safe integers. */
const int8 = 20
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: "text" | "binary") =>
    oid === int8 ? Number : pg.types.getTypeParser(oid, format)
}

/** Settings that make plans use indexes also for small tables. They cannot be set behind a pooler. */
const settings = [
  "search_path=pg_catalog",
  "enable_seqscan=off",
  "default_transaction_isolation=read\\ committed",
  "idle_in_transaction_session_timeout=10s"
]

const configOf = (target: Target, { name, port }: Host, timeouts: Timeouts): pg.ClientConfig => ({
  host: name,
  port,
  database: target.database,
  user: target.user,
  password: target.password === undefined ? undefined : Redacted.value(target.password),
  connectionTimeoutMillis: timeouts.connectMs,
  query_timeout: timeouts.answerMs + graceMs,
  keepAlive: true,
  pipeline: true,
  types,
  ...(target.tls === undefined
    ? {}
    : {
        ssl: {
          rejectUnauthorized: true,
          ...(target.tls.authorities === undefined ? {} : { ca: target.tls.authorities }),
          ...(target.tls.checksName ? {} : { checkServerIdentity: () => undefined })
        }
      }),
  ...(target.pooled
    ? {}
    : {
        application_name: "pay",
        options: [...settings, `statement_timeout=${timeouts.answerMs}`].map((setting) => `-c ${setting}`).join(" ")
      })
})

const probe = `
  SELECT ${Durably.unfit}, CASE WHEN pg_catalog.pg_is_in_recovery() THEN 'it is a standby' WHEN pg_catalog.current_setting('transaction_read_only') = 'on'
    THEN 'its default_transaction_read_only is on: somebody has switched off writes for the role, the database or the server'
    WHEN pg_catalog.current_setting('server_version_num')::int < 130000 THEN 'it is older than PostgreSQL 13' END
`

const open = (target: Target, host: Host, timeouts: Timeouts): Effect.Effect<Session, Failure.Failure> =>
  Effect.gen(function* () {
    const stream = yield* Stream
    const client = new pg.Client({
      ...configOf(target, host, timeouts),
      ...(stream === undefined ? {} : { stream })
    })
    let isOpen = true
    let warned = false
    client.on("error", () => {
      isOpen = false
    })
    client.on("end", () => {
      isOpen = false
    })
    // A notice has a code of class 00; the word for a warning depends on the server's language.
    client.on("notice", ({ code = "" }) => {
      warned ||= !code.startsWith("00")
    })
    const query = ({ name, text, values }: Query): Effect.Effect<ReadonlyArray<Row>, Failure.Failure> =>
      Effect.callback((resume) => {
        const fail = (failure: Failure.Failure) => {
          // A server that became a standby keeps its connections, which cannot write any more.
          if (failure._tag === "Lost" || failure.state === readOnly) abandon()
          resume(Effect.fail(failure))
        }
        client.query<Row>(
          {
            text,
            values: [...values],
            rowMode: "array",
            ...(name === undefined || target.pooled ? {} : { name })
          },
          (error, result) => {
            if (!(error instanceof Error)) return resume(Effect.succeed(result.rows))
            const failure = Failure.of(error)
            if (!Failure.isUnsure(failure)) return fail(failure)
            client.query("SELECT 1", (silence) =>
              fail(silence instanceof Error ? new Failure.Lost({ cause: failure.cause }) : failure)
            )
          }
        )
      })
    let isEnding = false
    /** Fails each statement under way. The first one ends the connection. */
    const abandon = () => {
      isOpen = false
      if (isEnding) return
      isEnding = true
      client.end().catch(() => undefined)
    }
    const session: Session = {
      query,
      isOpen: () => isOpen,
      warned: () => {
        const before = warned
        warned = false
        return before
      },
      onNotification: (notified) => {
        client.on("notification", ({ payload = "" }) => notified(payload))
      },
      close: Effect.promise(() => client.end().catch(() => undefined))
    }
    yield* Effect.tryPromise({
      try: () => client.connect(),
      catch: (cause) => new Failure.ServerRefused({ state: stateOf(cause), cause })
    })
    const [row = []] = yield* Effect.onError(query({ text: probe, values: [] }), () => Effect.sync(abandon))
    // The reason why this server must not be used for payments.
    const why = row.find((reason) => reason !== null)
    if (why === undefined) return session
    abandon()
    return yield* new Failure.ServerRefused({
      state: readOnly,
      cause: `${host.name}:${host.port} cannot be used: ${why}`
    })
  })

const stateOf = (cause: unknown): string | undefined => (cause instanceof pg.DatabaseError ? cause.code : undefined)

/** Selects the more specific failure: a refusal says more than an unreachable server. */
const moreTelling = (earlier: Failure.Failure, later: Failure.Failure): Failure.Failure =>
  earlier._tag === "ServerRefused" &&
  earlier.state !== undefined &&
  later._tag === "ServerRefused" &&
  later.state === undefined
    ? earlier
    : later

/** Connects to the first host that accepts writes. The connection ends with the scope. */
export const connect = (target: Target, timeouts: Timeouts): Effect.Effect<Session, Failure.Failure, Scope.Scope> =>
  Effect.acquireRelease(
    target.hosts
      .slice(1)
      .reduce(
        (first, host) =>
          Effect.catch(first, (earlier) =>
            Effect.mapError(open(target, host, timeouts), (later) => moreTelling(earlier, later))
          ),
        open(target, target.hosts[0] ?? { name: "localhost", port: 5432 }, timeouts)
      ),
    (session) => session.close
  )
