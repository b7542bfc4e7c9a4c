import { spawnSync } from "node:child_process"
import { dirname, join } from "node:path"
import { assert, layer } from "@effect/vitest"
import * as Decision from "@pay/gateway/Decision"
import { AuditEntry, Balance, Nonce } from "@pay/gateway/Entities"
import { Store } from "@pay/gateway/Store"
import * as Move from "@pay/storage/Move"
import * as SqliteStore from "@pay/storage/SqliteStore"
import { Effect, Layer, Redacted } from "effect"
import { temporaryFolder } from "../../packages/sqlite/test/TemporaryFolder.ts"
import * as Bundles from "../harness/Bundles.ts"
import * as ChildProcess from "../harness/ChildProcess.ts"
import * as TestGateway from "../harness/TestGateway.ts"
import * as TestMerchant from "../harness/TestMerchant.ts"
import { database, file, move, onDatabase, reasonOf, refusal, Server, withStore } from "./Stores.ts"

const nonces = 2500
/** The largest amount of an order. The sum of two is beyond what a number can represent. */
const largest = "90071992547409.91"

/** Rows of several pages, and texts that one of the engines writes in another way. */
const fill = Effect.gen(function* () {
  const store = yield* Store
  for (let at = 0; at < nonces; at += 500)
    yield* store.commit({
      guards: [],
      writes: Array.from({ length: 500 }, (_, n) =>
        Decision.put(Nonce, { consumerKey: "merchant", nonce: `nonce ${at + n}`, usedAtMs: at + n })
      )
    })
})

const filled = Effect.tap(file, (path) => withStore(path)(fill))

/** A page was copied when the first rows are reported, and everything before the next phase begins. */
const copiedBefore = (phase: string): number => ({ marking: 0, copying: 1000 })[phase] ?? nonces

const program = Bundles.start(join(import.meta.dirname, "processes/Move.ts"))

const killedAt = (from: string, to: string, phase: string, rows: number) =>
  Effect.sync(() => {
    const { signal, stderr } = spawnSync(process.execPath, [program, from, to, phase, `${rows}`], {
      encoding: "utf8",
      env: ChildProcess.environment()
    })
    assert.strictEqual(signal, "SIGKILL", stderr)
  })

const toPostgres = [
  ["marking", 0],
  ["copying", 1],
  ["indexing", 20],
  ["finishing", 0]
] as const

layer(Server.layer, { excludeTestServices: true })("a store", (it) => {
  it.effect("moves to PostgreSQL with its orders, sums and witness", () =>
    Effect.gen(function* () {
      const url = yield* database
      const folder = yield* temporaryFolder
      const file = join(folder, "gateway.db")
      const witness = join(folder, "witness")
      const preauth = yield* Effect.gen(function* () {
        for (let sale = 0; sale < 2; sale += 1) yield* TestMerchant.order("SALE", { amount: largest })
        return yield* TestMerchant.order("PREAUTH")
      }).pipe(TestGateway.running(folder, { witness }))
      const there = yield* Effect.scoped(
        Move.run({ from: file, to: { url: Redacted.make(url) }, by: "tester", witness })
      )
      assert.deepInclude(there, { findings: [], copied: there.rows })
      assert.isAbove(there.rows, 5)
      const onServer = { witness, database: { url: Redacted.make(url) } }
      const refused = yield* reasonOf(Layer.build(SqliteStore.layer({ path: file, witness })))
      assert.include(refused, "was moved to postgres://localhost:")
      yield* Effect.gen(function* () {
        yield* TestMerchant.done("CAPTURE", preauth, { amount: "4.00", currency: "USD" })
        yield* TestMerchant.assertClean
        const balances = yield* Effect.flatMap(Store, (store) => store.find(Balance, "key", { limit: 100 }))
        const settlement = balances.find(({ account }) => account.endsWith("/USD/merchant_settlement"))
        assert.strictEqual(settlement?.minor, 2n * 9_007_199_254_740_991n + 400n)
      }).pipe(TestGateway.running(folder, onServer))
      const audit = yield* Effect.provide(
        Effect.flatMap(Store, (store) => store.find(AuditEntry, "key", { limit: 100 })),
        onDatabase(url, { witness }),
        { local: true }
      )
      assert.lengthOf(
        audit.filter(({ action }) => action === "store.move"),
        1
      )
    })
  )

  it.effect.each(toPostgres)("continues a move to PostgreSQL that was killed while %s", ([phase, rows]) =>
    Effect.gen(function* () {
      const url = yield* database
      const path = yield* filled
      yield* killedAt(path, url, phase, rows)
      const state = phase === "finishing" ? "was moved to" : "is being moved to"
      assert.include(yield* refusal(path), `${state} postgres://`)
      if (phase !== "marking") assert.include(yield* refusal(url), `is being filled from ${path}`)
      const moved = yield* move(path, url)
      assert.deepStrictEqual([moved.rows, moved.copied], [nonces, nonces - copiedBefore(phase)])
      yield* Layer.build(onDatabase(url, { witness: join(dirname(path), "postgres.witness") }))
    })
  )
})
