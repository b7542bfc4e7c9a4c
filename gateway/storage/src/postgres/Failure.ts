/** Failures between this program and PostgreSQL, by what they say about the outcome. */
import { Data } from "effect"
import { DatabaseError } from "pg"

/** The connection was lost, or no answer came in time. The statement may have been executed. */
export class Lost extends Data.TaggedError("Lost")<{ readonly cause: unknown }> {}

/** The server reported that it did nothing, or no server was reached. */
export class ServerRefused extends Data.TaggedError("ServerRefused")<{
  /** The server's SQLSTATE; undefined if no server was reached. */
  readonly state: string | undefined
  readonly cause: unknown
}> {}

export type Failure = Lost | ServerRefused

/** SQLSTATEs with which the server ends a session. The outcome of the statement is then unknown. */
const ending = /^(?:08|57P)/

/** SQLSTATEs of errors that do not end the session. */
const ofStatement = /^(?:22|23|40|42|54|55|P0|PY)/

export const of = (cause: unknown): Failure =>
  cause instanceof DatabaseError && !ending.test(cause.code ?? "")
    ? new ServerRefused({ state: cause.code, cause })
    : new Lost({ cause })

/**
 * Whether the error may have ended the session or the whole server. Its severity is text in the server's language, so the session
 * must be asked whether it still answers.
 */
export const isUnsure = (failure: Failure): failure is ServerRefused =>
  failure._tag === "ServerRefused" && !ofStatement.test(failure.state ?? "")

/** SQLSTATEs after which the batch may be repeated: deadlock, serialisation, lock timeout, a standby. */
export const isTransient = ({ state = "" }: ServerRefused): boolean =>
  ["40P01", "40001", "55P03", "25006"].includes(state)

/** SQLSTATEs of a statement that the tables do not allow: a defect of the decision. */
export const isDefect = ({ state = "" }: ServerRefused): boolean => /^(?:22|23|54)/.test(state) || state === "PY001"
