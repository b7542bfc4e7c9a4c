/** Opens a database, prints the outcome, and keeps the database open until it is killed. */
import { Effect } from "effect"
import * as Database from "../../src/Database.ts"

const path = process.argv[2] ?? ""
setInterval(() => {}, 60_000)

await Database.open({ path }).pipe(
  Effect.match({ onSuccess: () => "open", onFailure: (error) => error.reason._tag }),
  Effect.tap((outcome) => Effect.sync(() => process.stdout.write(`${outcome}\n`))),
  Effect.andThen(Effect.never),
  Effect.scoped,
  Effect.runPromise
)
