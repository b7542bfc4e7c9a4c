/**
 * The log stays beside a store whose start fails before it is taken over: the last connection that leaves a database writes its
 * log back and takes it away, and the next start would miss it.
 */
import { DatabaseSync } from "node:sqlite"
import { pathToFileURL } from "node:url"
import { Effect, type Scope } from "effect"
import { attempt } from "../Database.ts"
import type { SqliteError } from "../SqliteError.ts"

/** Until the scope ends, or until the answer is run. It only reads, and therefore takes nothing away. */
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
