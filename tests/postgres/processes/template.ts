/**
 * Makes the data folder of a server whose database has the tables of a store: `node template.ts FOLDER`. Then serves databases to the tests
 * of the run, prints the URL of its superuser, and ends with its input.
 */
import { join } from "node:path"
import * as PostgresStore from "@pay/storage/PostgresStore"
import { Console, Effect, Layer, Redacted } from "effect"
import * as DataTemplate from "../DataTemplate.ts"
import * as PostgresServer from "../PostgresServer.ts"
import * as ServerAccount from "../ServerAccount.ts"
import * as Session from "../Session.ts"

const [, , folder = ""] = process.argv

const inputEnd = Effect.callback<void>((resume) => {
  process.stdin.on("end", () => resume(Effect.void)).resume()
})

/** Files of each server that no test needs: the second template of databases, and the log of what was done so far. */
const removed = "UPDATE pg_database SET datistemplate = false WHERE datname = 'template0'"

await Effect.gen(function* () {
  const server = yield* PostgresServer.make({ inMemory: true, settings: { max_connections: "400" } })
  const url = Session.url([server.port])
  yield* Effect.scoped(Layer.build(PostgresStore.layer({ url: Redacted.make(url) })))
  // Copies of it are stores of their own.
  yield* Session.query({ connectionString: url }, "DELETE FROM pay.binding")
  const admin = Session.superuser(server, "template1")
  yield* Session.query(admin, removed)
  yield* Session.query(admin, "DROP DATABASE template0")
  yield* server.stop("fast")
  yield* ServerAccount.run(join(yield* PostgresServer.programs, "pg_resetwal"), ["-D", server.data])
  yield* ServerAccount.run("cp", ["-R", server.data, join(folder, "data")], {})
  yield* server.start
  yield* Session.query(admin, `CREATE DATABASE ${DataTemplate.storeDatabase} TEMPLATE postgres`)
  yield* Console.log(url)
  yield* inputEnd
}).pipe(Effect.scoped, Effect.runPromise)
