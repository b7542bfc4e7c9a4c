/** `npm start -- --fresh`: deletes the files of the demonstration, and no other file of the folder. */
import { existsSync, readdirSync, rmSync } from "node:fs"
import { join } from "node:path"
import * as Owner from "@pay/sqlite/Owner"
import { Effect, Schema } from "effect"

export class NotDeleted extends Schema.TaggedError<NotDeleted>()("NotDeleted", { message: Schema.String }) {}

/** Matches every name that the gateway, its simulated bank and the shop create in the folder. */
const created =
  /^(gateway\.db.*|store\.witness.*|(bank|rail|threeds)\.journal.*|clock\.json.*|keys\.json|merchant\.(json|pem)|pay\.env|conformance\.json|[a-z-]+-keys|shop)$/

/** File that only a sandbox has: the books of its simulated bank. */
const sandboxFile = "bank.journal"

/**
 * Deletes the demonstration's files in the folder. Fails if a running gateway owns the folder, or if it is not the folder of a
 * sandbox.
 */
export const empty = (dataDirectory: string) =>
  Effect.try({
    try: () => {
      const database = join(dataDirectory, "gateway.db")
      if (!existsSync(dataDirectory)) return
      if (existsSync(database) && !existsSync(join(dataDirectory, sandboxFile)))
        throw new Error("it is not the folder of a sandbox")
      const release = Owner.claim(database)
      for (const name of readdirSync(dataDirectory))
        if (created.test(name) && !name.endsWith(".lock"))
          rmSync(join(dataDirectory, name), { recursive: true, force: true })
      release()
      rmSync(`${database}.lock`, { force: true })
    },
    catch: (cause) =>
      new NotDeleted({
        message: `${dataDirectory} is not deleted: ${cause instanceof Error ? cause.message : String(cause)}`
      })
  })
