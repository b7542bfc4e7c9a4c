/** The data folder of a gateway: it outlives the gateways that are started on it, and is gone with the scope. */
import { readdir, rm } from "node:fs/promises"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { Effect } from "effect"

/** Queries the database file directly, also while a gateway has it open. */
export const query = (dataDirectory: string, sql: string) =>
  Effect.sync(() => {
    const database = new DatabaseSync(join(dataDirectory, "gateway.db"), { readOnly: true })
    try {
      return database.prepare(sql).all()
    } finally {
      database.close()
    }
  })

/** What time does within the hour, done at once: no CVV that waits can be read any more. */
export const destroyBriefKeys = (dataDirectory: string) =>
  Effect.promise(async () => {
    const keys = await readdir(join(dataDirectory, "brief-keys"))
    for (const key of keys) await rm(join(dataDirectory, "brief-keys", key))
  })
