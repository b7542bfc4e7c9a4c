/**
 * The gateway under load, as a process. Arguments: data folder, `paused` or `running`, optionally the URL of a database. Prints
 * its port and the address for operators on stdout.
 */
import { NodeServer } from "@pay/gateway/NodeServer"
import * as Sandbox from "@pay/server/Sandbox"
import { Console, Effect, Redacted } from "effect"

const [dataDirectory = "", jobs, url] = process.argv.slice(2)

await Effect.runPromise(
  Effect.provide(
    Effect.gen(function* () {
      const { operatorUrl, port } = yield* NodeServer
      yield* Console.log(`port ${port} ${operatorUrl}`)
      return yield* Effect.never
    }),
    Sandbox.layer({
      dataDirectory,
      port: 0,
      ...(url === undefined ? {} : { database: { url: Redacted.make(url) } }),
      settings: { jobsPaused: jobs === "paused" }
    })
  )
)
