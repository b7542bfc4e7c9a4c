import { type ChildProcessByStdio, spawn } from "node:child_process"
import { rmSync } from "node:fs"
import { createInterface } from "node:readline"
import type { Readable } from "node:stream"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import { Balance, LedgerEntry, Order } from "@pay/gateway/Entities"
import { Store } from "@pay/gateway/Store"
import { InUse } from "@pay/sqlite/SqliteError"
import { Effect, Layer } from "effect"
import { temporaryFile } from "../../../packages/sqlite/test/TemporaryFolder.ts"
import * as SqliteStore from "../src/SqliteStore.ts"
import * as Sale from "./Sale.ts"

type Child = ChildProcessByStdio<null, Readable, null>

const start = (path: string, prefix: string) =>
  Effect.acquireRelease(
    Effect.sync((): Child => {
      const file = fileURLToPath(new URL("processes/Write.ts", import.meta.url))
      return spawn(process.execPath, [file, path, prefix], { stdio: ["ignore", "pipe", "inherit"] })
    }),
    (child) => Effect.sync(() => child.kill("SIGKILL"))
  )

/** Kills the child after the given number of lines, and returns all lines that it wrote. */
const killAfter = (child: Child, count: number) =>
  Effect.promise(async () => {
    const lines: Array<string> = []
    for await (const line of createInterface({ input: child.stdout })) {
      if (lines.push(line) === count) child.kill("SIGKILL")
    }
    return lines
  })

/** Returns all orders of the store, acknowledged or not. */
const allOrders = Effect.gen(function* () {
  const store = yield* Store
  const orders = yield* store.find(Order, "key", { limit: Number.MAX_SAFE_INTEGER })
  return orders.map((order) => order.orderId)
})

const balanceOf = Effect.fnUntraced(function* (account: string) {
  const store = yield* Store
  const entries = yield* store.find(LedgerEntry, "account", { equals: [account], limit: Number.MAX_SAFE_INTEGER })
  const balance = yield* store.load(Balance, [account])
  assert.strictEqual(
    balance?.minor,
    entries.reduce((sum, { minor }) => sum + BigInt(minor), 0n)
  )
  return balance?.minor
})

describe("a store whose process is killed with kill -9 during commits", () => {
  it.live(
    "has all acknowledged commits, and each other one completely or not at all",
    () =>
      Effect.gen(function* () {
        const path = yield* temporaryFile
        const acknowledged: Array<string> = []
        for (const count of [1, 16, 137, 1000, 2500]) {
          const lines = yield* Effect.scoped(
            Effect.flatMap(start(path, `${count}`), (child) => killAfter(child, count))
          )
          assert.isAtLeast(lines.length, count)
          acknowledged.push(...lines)
          yield* Effect.gen(function* () {
            assert.strictEqual((yield* Sale.present(acknowledged)).length, acknowledged.length)
            const all = yield* allOrders
            assert.strictEqual((yield* Sale.present(all)).length, all.length)
            assert.strictEqual(yield* balanceOf("from"), BigInt(-7 * all.length))
            assert.strictEqual(yield* balanceOf("to"), BigInt(7 * all.length))
          }).pipe(Effect.provide(SqliteStore.layer({ path }), { local: true }))
        }
      }),
    60_000
  )

  it.live("refuses a second process while it runs, and names the first one, also without its lock file", () =>
    Effect.gen(function* () {
      const path = yield* temporaryFile
      const child = yield* start(path, "first")
      yield* Effect.promise(async () => {
        for await (const _ of createInterface({ input: child.stdout })) return
      })
      for (const deleted of [[], [".lock", ".pid"]]) {
        for (const suffix of deleted) rmSync(`${path}${suffix}`)
        const refused = yield* Effect.flip(Effect.scoped(Layer.build(SqliteStore.layer({ path }))))
        assert.ok(refused._tag === "SqliteError")
        assert.deepEqual(refused.reason, InUse.make({ path, pid: Number(child.pid) }))
      }
    })
  )
})
