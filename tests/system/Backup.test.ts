import { readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Reconciliation from "@pay/gateway/Reconciliation"
import { Store } from "@pay/gateway/Store"
import { SandboxControl } from "@pay/sandbox/SandboxControl"
import * as Database from "@pay/sqlite/Database"
import * as Backup from "@pay/storage/Backup"
import * as SqliteStore from "@pay/storage/SqliteStore"
import { Effect } from "effect"
import { temporaryFolder } from "../../packages/sqlite/test/TemporaryFolder.ts"
import { ask } from "../harness/Operating.ts"
import * as TestGateway from "../harness/TestGateway.ts"
import * as TestMerchant from "../harness/TestMerchant.ts"
import * as Copies from "./Copies.ts"

const bookedAt = (orderId: string) =>
  Effect.gen(function* () {
    const { books, violations } = yield* SandboxControl
    assert.deepStrictEqual(yield* violations, [])
    const { authorizedMinor, capturedMinor, refundedMinor, voidedMinor } = yield* books.totals(orderId)
    return [authorizedMinor, capturedMinor, refundedMinor, voidedMinor]
  })

describe("a restored copy", () => {
  it.live("inquires at the bank about a sale that was accepted before the copy and sent after it", () =>
    Effect.gen(function* () {
      const former = yield* temporaryFolder
      const folder = yield* temporaryFolder
      const order = yield* Effect.gen(function* () {
        const sale = TestMerchant.nameOf(yield* TestMerchant.create("SALE"))
        yield* Copies.backup(former)
        return sale
      }).pipe(TestGateway.running(former, { settings: { jobsPaused: true } }))
      yield* TestMerchant.settled.pipe(TestGateway.running(former))
      yield* Copies.back(former, folder)
      yield* Effect.gen(function* () {
        yield* Copies.enumerated
        assert.strictEqual(yield* TestMerchant.orderStatus(order), "approved sale 10.42 10.42 0.00 0.00")
        assert.deepStrictEqual(yield* bookedAt(order.orderid), [1042, 1042, 0, 0])
        yield* TestMerchant.assertClean
      }).pipe(TestGateway.running(folder, { bank: Copies.withBankOf(former) }))
    })
  )

  it.live("does not send a sale that the bank does not know while the bank may still receive it", () =>
    Copies.restored(
      (backup) => Effect.tap(Effect.map(TestMerchant.create("SALE"), TestMerchant.nameOf), backup),
      Effect.fnUntraced(function* (order) {
        yield* TestMerchant.settled
        assert.include(yield* TestMerchant.orderStatus(order), "processing sale")
        assert.deepStrictEqual(yield* bookedAt(order.orderid), [0, 0, 0, 0])
        yield* TestMerchant.pass("10 minutes")
        // It was never sent, and is not sent by itself: it ends in error.
        assert.include(yield* TestMerchant.orderStatus(order), "error sale")
        yield* TestMerchant.assertClean
      }),
      { before: { settings: { jobsPaused: true } } }
    )
  )

  it.live("accepts new payments and follow-ups", () =>
    Copies.restored(
      (backup) => Effect.tap(TestMerchant.order("SALE"), backup),
      Effect.fnUntraced(function* (old) {
        yield* Copies.enumerated
        const fresh = yield* TestMerchant.order("SALE")
        assert.include(yield* TestMerchant.orderStatus(fresh), "approved sale")
        yield* TestMerchant.pass("10 minutes")
        yield* TestMerchant.done("RETURN", old)
        assert.include(yield* TestMerchant.orderStatus(old), "approved reversal")
        yield* TestMerchant.assertClean
      })
    )
  )
})

describe("a copy", () => {
  it.live("is recorded with its makers and files in the audit of both stores", () =>
    Effect.gen(function* () {
      const former = yield* temporaryFolder
      const folder = yield* temporaryFolder
      const audit = Effect.map(ask("GET", "/operator/audit?subject=store:gateway.db"), ({ body }) => {
        assert(Array.isArray(body.entries))
        return body.entries.map(({ action, actor, detail }) => [action, actor, detail])
      })
      const file = join(former, "copy.db")
      const made = ["store.backup", "host:tester", { file, dataDirectory: former }]
      yield* Effect.gen(function* () {
        yield* TestMerchant.order("SALE")
        yield* Copies.backup(former)
        assert.deepStrictEqual(yield* audit, [made])
        const refused = yield* Effect.flip(Copies.backup(former))
        assert.include(refused.message, "name a file that is not there yet")
        assert.deepStrictEqual(yield* audit, [made])
        yield* TestMerchant.order("SALE")
      }).pipe(TestGateway.running(former))
      yield* Copies.back(former, folder)
      const put = ["store.restore", "host:tester", { file, dataDirectory: folder }]
      assert.deepStrictEqual(yield* audit.pipe(TestGateway.running(folder, { bank: Copies.withBankOf(former) })), [
        put,
        made
      ])
    })
  )

  it.live("is a consistent moment of a running gateway, with balanced books, readable by its owner only", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const file = join(folder, "copy.db")
      const values: Array<Backup.Progress> = []
      const sales = Effect.forEach(Array.from({ length: 60 }), () => TestMerchant.order("SALE"), { concurrency: 8 })
      const [verified] = yield* Effect.all(
        [
          Effect.gen(function* () {
            yield* TestMerchant.order("SALE")
            return yield* Backup.make({
              by: "tester",
              dataDirectory: folder,
              file,
              report: (progress) => values.push(progress)
            })
          }),
          sales
        ],
        { concurrency: "unbounded" }
      ).pipe(TestGateway.running(folder))
      assert.isAtLeast(verified.orders, 1)
      assert.strictEqual(verified.olderBySteps, 0)
      assert.strictEqual(statSync(file).mode & 0o777, 0o600)
      const store = SqliteStore.readOnly(yield* Database.open({ path: file, readOnly: true }))
      const report = yield* Effect.provideService(Reconciliation.check, Store, store)
      assert.deepStrictEqual([report.findings, report.orders], [[], verified.orders])
      const again = yield* Effect.flip(Backup.make({ by: "tester", dataDirectory: folder, file }))
      assert.include(again.message, "name a file that is not there yet")
    })
  )

  it.live("is not restored if it is damaged or is no copy", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const target = yield* temporaryFolder
      yield* Effect.andThen(TestMerchant.order("SALE"), Copies.backup(folder)).pipe(TestGateway.running(folder))
      const file = join(folder, "copy.db")
      const bytes = readFileSync(file)
      bytes.fill(0x55, 4096 * 3, 4096 * 12)
      writeFileSync(file, bytes)
      assert.include((yield* Effect.flip(Backup.restore({ by: "tester", file, dataDirectory: target }))).message, file)
      writeFileSync(file, "not a database")
      assert.include((yield* Effect.flip(Backup.restore({ by: "tester", file, dataDirectory: target }))).message, file)
      const nothing = yield* Effect.flip(
        Backup.restore({ by: "tester", file: join(folder, "nothing.db"), dataDirectory: target })
      )
      assert.include(nothing.message, "is not there")
      const over = yield* Effect.flip(Backup.restore({ by: "tester", file, dataDirectory: folder }))
      assert.include(over.message, "restore into a folder without a database")
    })
  )
})
