/** Makes the data folder of a server whose database, and the one that tests copy, have the tables of a store: `node template.ts FOLDER`. */
import { join } from "node:path"
import * as PostgresStore from "@pay/storage/PostgresStore"
import { Effect, Layer, Redacted } from "effect"
import * as DataTemplate from "../DataTemplate.ts"
import * as PostgresServer from "../PostgresServer.ts"
import * as ServerAccount from "../ServerAccount.ts"
import * as Session from "../Session.ts"

const [, , folder = ""] = process.argv

await Effect.gen(function* () {
  const server = yield* PostgresServer.make({ fsync: false })
  const url = Redacted.make(Session.url([server.port]))
  yield* Effect.scoped(Layer.build(PostgresStore.layer({ url })))
  const copied = `CREATE DATABASE ${DataTemplate.storeDatabase} TEMPLATE postgres`
  yield* Session.query(Session.superuser(server, "template1"), copied)
  yield* server.stop("fast")
  yield* ServerAccount.run("cp", ["-R", server.data, join(folder, "data")], {})
}).pipe(Effect.scoped, Effect.runPromise)
