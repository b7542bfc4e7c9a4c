/** A gateway as a process of its own, for a test to kill. Arguments: data folder, JSON of sandbox options; its address on stdout. */
import { flushCompileCache } from "node:module"
import { NodeServer } from "@pay/gateway/NodeServer"
import * as Sandbox from "@pay/server/Sandbox"
import { Console, Effect, Logger, Schema } from "effect"

const path = Schema.optionalKey(Schema.String)

const Options = Schema.fromJsonString(
  Schema.Struct({
    bank: Schema.Struct({
      latencyMs: Schema.Int,
      deadlineMs: Schema.Int,
      longestProcessingMs: Schema.Int,
      journalPath: path,
      railJournalPath: path,
      threedsJournalPath: path,
      offsetPath: path
    })
  })
)

const [dataDirectory = "", options = ""] = process.argv.slice(2)

Effect.gen(function* () {
  const { bank } = yield* Schema.decodeEffect(Options)(options)
  return yield* Effect.provide(
    Effect.gen(function* () {
      const { publicBaseUrl } = yield* NodeServer
      yield* Effect.sync(flushCompileCache)
      yield* Console.log(publicBaseUrl)
      return yield* Effect.never
    }),
    Sandbox.layer({ dataDirectory, port: 0, bank })
  )
}).pipe(Effect.provide(Logger.layer([])), Effect.runFork)
