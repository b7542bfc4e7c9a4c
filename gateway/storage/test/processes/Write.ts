/** Sixteen callers commit sales without end and print each acknowledged one: `node Write.ts FILE PREFIX`. */
import { writeSync } from "node:fs"
import { Store } from "@pay/gateway/Store"
import { Effect } from "effect"
import * as SqliteStore from "../../src/SqliteStore.ts"
import * as Sale from "../Sale.ts"

const [, , path = "", prefix = ""] = process.argv

await Effect.gen(function* () {
  const store = yield* Store
  const caller = Effect.fnUntraced(function* (caller: number) {
    for (let turn = 0; ; turn++) {
      const orderId = `${prefix}.${caller}.${turn}`
      yield* store.commit(Sale.make(orderId))
      writeSync(1, `${orderId}\n`)
    }
  })
  yield* Effect.forEach(
    Array.from({ length: 16 }, (_, n) => n),
    caller,
    { concurrency: "unbounded" }
  )
}).pipe(Effect.provide(SqliteStore.layer({ path })), Effect.runPromise)
