/** A connection of the role that owns a store, for work on the whole store. Its statements have no practical time limit. */
import { Effect, Redacted, Result, type Scope } from "effect"
import { failWith, type MoveError } from "../MoveError.ts"
import * as Durably from "./Durably.ts"
import type * as Failure from "./Failure.ts"
import * as Session from "./Session.ts"
import * as Target from "./Target.ts"

export interface Place {
  readonly url: Redacted.Redacted<string>
  readonly passwordFile?: string | undefined
}

export interface Connected {
  readonly session: Session.Session
  /** The server and the database, without user and password. */
  readonly label: string
  /** Runs one statement. The error says what the program did, and contains no password. */
  readonly query: (
    text: string,
    values?: Session.Query["values"] | undefined
  ) => Effect.Effect<ReadonlyArray<Session.Row>, MoveError>
}

/** The application name, which distinguishes the session from those of gateways. */
const applicationName = "pay store"

const connectMs = 10_000
/** A time limit that no statement reaches. */
const answerMs = 7 * 86_400_000

const insufficientPrivilege = "42501"

const causeOf = ({ cause }: Failure.Failure): string => (cause instanceof Error ? cause.message : String(cause))

/** Makes an error whose message names the database and says what to do. */
export const explain =
  (label: string) =>
  (failure: Failure.Failure): MoveError =>
    failure._tag === "Lost"
      ? failWith("unreachable", `The connection to ${label} was lost: ${causeOf(failure)}. Run the command again.`)
      : failWith(
          "failed",
          failure.state === insufficientPrivilege
            ? `${label}: ${causeOf(failure)}. Use the role that owns the schema.`
            : `${label}: ${causeOf(failure)}`
        )

const labelOf = ({ database, hosts }: Target.Target): string =>
  `postgres://${hosts.map(({ name, port }) => `${name}:${port}`).join(",")}/${database}`

const parsed = ({ passwordFile, url }: Place): Effect.Effect<Target.Target, MoveError> =>
  Effect.try({
    try: () => Target.parse(Redacted.value(url), passwordFile),
    catch: (cause) => failWith("settings", `A file of the database's settings cannot be read: ${String(cause)}`)
  }).pipe(
    Effect.flatMap((result) =>
      Result.isFailure(result)
        ? Effect.fail(failWith("settings", `The database's URL cannot be used: ${result.failure}`))
        : Effect.succeed(result.success)
    )
  )

/** Connects to the server without a pooler, which would use another session for each transaction. */
export const connect = Effect.fnUntraced(function* (place: Place): Effect.fn.Return<Connected, MoveError, Scope.Scope> {
  const target = yield* parsed(place)
  const label = labelOf(target)
  if (target.pooled)
    return yield* failWith(
      "settings",
      `${label} is named as a pooler's address (pgbouncer=true): name the server itself for this command.`
    )
  const session = yield* Effect.mapError(Session.connect(target, { connectMs, answerMs }), (failure) =>
    failWith("unreachable", `${label} cannot be used: ${causeOf(failure)}`)
  )
  const query: Connected["query"] = (text, values = []) =>
    Effect.mapError(session.query({ text, values }), explain(label))
  yield* query(`SET application_name = '${applicationName}'`)
  // Whole tables are read, which a gateway never does.
  yield* query("SET enable_seqscan = on")
  return { session, label, query }
})

export interface Statement {
  readonly text: string
  readonly values?: Session.Query["values"] | undefined
}

/** Runs the statements in one transaction. */
export const transaction = (
  { query }: Connected,
  statements: ReadonlyArray<Statement>
): Effect.Effect<void, MoveError> => {
  const all = Effect.forEach(
    [{ text: "BEGIN" }, { text: `SELECT ${Durably.waits}` }, ...statements, { text: "COMMIT" }],
    ({ text, values }) => query(text, values),
    {
      discard: true
    }
  )
  return Effect.onError(all, () => Effect.ignore(query("ROLLBACK")))
}
