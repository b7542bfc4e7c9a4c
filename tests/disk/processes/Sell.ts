/**
 * Opens a store with its witness, sells, and records each acknowledged sale: `node Sell.ts FOLDER PREFIX COUNT
 * END [FULL]`. END: `close`, or `kill` by itself. The disk is full after FULL sales, until ten more were refused.
 */
import { openSync, rmSync, writeFileSync, writeSync } from "node:fs"
import { join } from "node:path"
import { Store } from "@pay/gateway/Store"
import * as SqliteStore from "@pay/storage/SqliteStore"
import { Effect } from "effect"
import * as Sale from "../../../gateway/storage/test/Sale.ts"

const [, , folder = "", prefix = "", count = "", end = "", full = ""] = process.argv
const fullDisk = `${process.env.PAY_DISK_FAULT}.full`

const selling = Effect.gen(function* () {
  const store = yield* Store
  const file = openSync(join(folder, "acknowledged"), "a", 0o600)
  let next = 0
  let refused = 0
  const caller = Effect.gen(function* () {
    while (next < Number(count)) {
      if (`${next}` === full) writeFileSync(fullDisk, "")
      const name = `${prefix}.${next++}`
      const isSold = yield* Effect.isSuccess(store.commit(Sale.make(name)))
      if (isSold) writeSync(file, `${name}\n`)
      else if (++refused === 10) rmSync(fullDisk)
    }
  })
  yield* Effect.all([caller, caller, caller], { concurrency: "unbounded", discard: true })
  writeSync(1, `${refused} refused\n`)
  if (end === "kill") process.kill(process.pid, "SIGKILL")
})

await selling.pipe(
  Effect.provide(SqliteStore.layer({ path: join(folder, "gateway.db"), witness: join(folder, "store.witness") })),
  Effect.catch((error) => Effect.sync(() => writeSync(1, `${error._tag}: ${error.message}\n`))),
  Effect.runPromise
)
