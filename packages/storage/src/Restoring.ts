/**
 * Where a copy is made ready before it takes its place: a folder beside the database. Until it has taken its place no gateway
 * starts there, since that would begin with an empty database instead of the copy.
 */
import { existsSync, statSync } from "node:fs"
import { Effect, Schema } from "effect"

/** The message says what to do. */
export class RestoreUnfinished extends Schema.TaggedError<RestoreUnfinished>()("RestoreUnfinished", {
  message: Schema.String
}) {}

/** The folder of the database of this path. */
export const folderOf = (path: string): string => `${path}.restoring`

/** A database is there: an empty file is what a gateway leaves that was refused at once. */
export const isThere = (path: string): boolean => existsSync(path) && statSync(path).size > 0

export const refuse = (path: string): Effect.Effect<void, RestoreUnfinished> =>
  Effect.suspend(() =>
    existsSync(folderOf(path)) && !isThere(path)
      ? Effect.fail(
          new RestoreUnfinished({
            message: `a copy was being put back and that was broken off: run pay restore again, or remove ${folderOf(path)} to start without it`
          })
        )
      : Effect.void
  )
