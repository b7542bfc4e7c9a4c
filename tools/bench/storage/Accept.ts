/**
 * Accepts sales as a process: `node Accept.ts FILE FIRST CALLERS [COUNT]`. Numbers the sales from FIRST and prints the number of
 * each acknowledged sale. Without COUNT it does not end by itself.
 */
import { writeSync } from "node:fs"
import { Store } from "@pay/gateway/Store"
import * as SqliteStore from "@pay/storage/SqliteStore"
import { Effect } from "effect"
import * as Sale from "./Sale.ts"

const [, , path = "", first = "0", callers = "1", count = "Infinity"] = process.argv

await Effect.gen(function* () {
  const store = yield* Store
  let next = Number(first)
  const end = next + Number(count)
  const caller = Effect.gen(function* () {
    while (next < end) {
      const turn = next++
      yield* store.commit(Sale.accept(turn))
      writeSync(1, `${turn}\n`)
    }
  })
  yield* Effect.all(
    Array.from({ length: Number(callers) }, () => caller),
    { concurrency: "unbounded", discard: true }
  )
}).pipe(Effect.provide(SqliteStore.layer({ path, witness: `${path}.witness` })), Effect.runPromise)
