/** A gateway in this process on a folder that outlives it, so that a test can stop it, spoil the folder and start again. */
import { mkdtemp, readdir, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import * as Sandbox from "@pay/server/Sandbox"
import { Effect, Layer } from "effect"
import * as TestGateway from "../system/TestGateway.ts"
import * as World from "./World.ts"

/** Gone with the scope. */
export const folder = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "pay-faults-"))),
  (path) => Effect.promise(() => rm(path, { recursive: true, force: true }))
)

/** Runs the program on a gateway of its own, which is stopped in good order afterwards. */
export const on =
  (dataDirectory: string, options: Partial<Sandbox.Options> = {}) =>
  <A, E, R>(program: Effect.Effect<A, E, R>) =>
    Effect.provide(
      program,
      TestGateway.client.pipe(
        Layer.provideMerge(Sandbox.layer({ dataDirectory, port: 0, ...options })),
        Layer.provide(World.quiet)
      ),
      { local: true }
    )

/** Asks the database file itself, beside whoever has it open. */
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
