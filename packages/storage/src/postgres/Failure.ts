/** What went wrong between this program and PostgreSQL, by what is known of the outcome. */
import { Data } from "effect"
import { DatabaseError } from "pg"

/** The connection was lost, or no answer came in time: whatever was asked may have been done. */
export class Lost extends Data.TaggedError("Lost")<{ readonly cause: unknown }> {}

/** The server said that it did nothing, or there was no server to ask. */
export class Refused extends Data.TaggedError("Refused")<{
  /** The server's SQLSTATE; undefined where none was reached. */
  readonly state: string | undefined
  readonly cause: unknown
}> {}

export type Failure = Lost | Refused

/** The end of a session by the server is told as an error, and leaves open what became of the statement. */
const ending = /^(?:08|57P)/

/** Errors of a statement, which its session outlives. */
const ofStatement = /^(?:22|23|40|42|54|55|P0|PY)/

export const of = (cause: unknown): Failure =>
  cause instanceof DatabaseError && !ending.test(cause.code ?? "")
    ? new Refused({ state: cause.code, cause })
    : new Lost({ cause })

/**
 * Tells whether the error may have ended the session, or the whole server. Its severity says so in the server's language only, so the
 * session has to be asked whether it still answers.
 */
export const isUnsure = (failure: Failure): failure is Refused =>
  failure._tag === "Refused" && !ofStatement.test(failure.state ?? "")

/** The batch came between others and may be repeated: deadlock, serialisation, a lock that was waited for too long, a standby. */
export const isTransient = ({ state = "" }: Refused): boolean => ["40P01", "40001", "55P03", "25006"].includes(state)

/** The program asked for what the tables do not allow: a defect of a decision. */
export const isDefect = ({ state = "" }: Refused): boolean => /^(?:22|23|54)/.test(state) || state === "PY001"
