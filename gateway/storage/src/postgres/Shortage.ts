/**
 * Whether the server has room for new orders. A commit that the server refuses for want of disk, memory or locks, or because its
 * disk failed, says that it has not. It has again when a temporary table of the size of some thousands of payments can be written.
 */
import { Effect, Schedule, type Scope } from "effect"
import type * as Connections from "./Connections.ts"
import type * as Failure from "./Failure.ts"

export interface Shortage {
  readonly isShort: () => boolean
  /** Notes why the server refused a commit. */
  readonly refused: (failure: Failure.Failure) => void
}

/**
 * SQLSTATEs of a server that lacks something: insufficient resources (a full disk), a failure of the system (its disk), an internal
 * error (also the limit of a quota or of a file's size).
 */
const lacking = /^(?:53|58|XX)/

/** SQLSTATE: the user may not make temporary tables, so the next order shows whether there is room. */
const forbidden = "42501"

/** Writes 8 MB of new pages, and removes them with its transaction. */
const probe = {
  text: "CREATE TEMPORARY TABLE room_of_orders ON COMMIT DROP AS SELECT repeat(md5(n::text), 60) FROM generate_series(1, 4096) n",
  values: []
}

const every = Schedule.spaced("2 seconds")

export const make = Effect.fnUntraced(function* (
  connection: Connections.Connection
): Effect.fn.Return<Shortage, never, Scope.Scope> {
  let short = false
  const look = Effect.suspend(() =>
    short
      ? Effect.match(
          Effect.flatMap(connection.session, (session) => session.query(probe)),
          {
            onSuccess: () => {
              short = false
            },
            onFailure: (failure) => {
              short = failure._tag === "Lost" || failure.state !== forbidden
            }
          }
        )
      : Effect.void
  )
  yield* Effect.forkScoped(Effect.repeat(look, every))
  return {
    isShort: () => short,
    refused: (failure) => {
      short ||= failure._tag === "ServerRefused" && lacking.test(failure.state ?? "")
    }
  }
})
