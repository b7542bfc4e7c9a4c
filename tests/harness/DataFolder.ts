/** The data folder of a gateway: it outlives the gateways that are started on it, and is gone with the scope. */
import { mkdtemp, readdir, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { Effect } from "effect"

/** A new folder, for a gateway or for anything else that a test writes. */
export const folder = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "pay-test-"))),
  (path) => Effect.promise(() => rm(path, { recursive: true, force: true }))
)

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
