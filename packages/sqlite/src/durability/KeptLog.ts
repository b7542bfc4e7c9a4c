/**
 * Keeps the log of a store whose start fails before it is taken over. The last connection that closes a database writes the log
 * back and deletes it, and the next start would miss it.
 */
import { pathToFileURL } from "node:url"
import { Effect, type Scope } from "effect"
import { attempt } from "../Database.ts"
import { DatabaseSync } from "../Sqlite.ts"
import type { SqliteError } from "../SqliteError.ts"

/**
 * Keeps a connection open until the scope ends, or until the returned effect runs. The connection only reads, so it does not
 * delete the log.
 */
export const keep = (path: string): Effect.Effect<Effect.Effect<void>, SqliteError, Scope.Scope> => {
  const stay = attempt(() => {
    const url = pathToFileURL(path)
    url.searchParams.set("mode", "ro")
    const stayer = new DatabaseSync(url, { readOnly: true })
    stayer.prepare("SELECT count(*) FROM sqlite_schema").get()
    return stayer
  })
  const leave = (stayer: DatabaseSync) => Effect.sync(() => (stayer.isOpen ? stayer.close() : undefined))
  return Effect.map(Effect.acquireRelease(stay, leave), leave)
}
