import { copyFileSync, rmSync } from "node:fs"
import { join } from "node:path"
import { assert, it } from "@effect/vitest"
import { SandboxControl } from "@pay/sandbox/SandboxControl"
import { Effect, Exit, Logger } from "effect"
import { temporaryFolder } from "../../packages/sqlite/test/TemporaryFolder.ts"
import * as TestGateway from "../harness/TestGateway.ts"
import * as TestMerchant from "../harness/TestMerchant.ts"
import * as Copies from "./Copies.ts"

/** What a gateway warns of while it runs. */
const logging = (textOf: Array<string>) =>
  Logger.layer([
    Logger.make(({ logLevel, message }) => (logLevel === "Warn" ? textOf.push(String(message)) : undefined))
  ])

it.live("a store replaced by an older copy of its file starts only as restored, and charges nothing twice", () =>
  Effect.gen(function* () {
    const folder = yield* temporaryFolder
    const lost = yield* Effect.gen(function* () {
      yield* TestMerchant.order("SALE")
      yield* Copies.backup(folder)
      return yield* TestMerchant.order("SALE", { client_orderid: "lost" })
    }).pipe(TestGateway.running(folder))
    const database = join(folder, "gateway.db")
    for (const name of [database, `${database}-wal`, `${database}-shm`]) rmSync(name, { force: true })
    copyFileSync(join(folder, "copy.db"), database)

    assert.isTrue(Exit.isFailure(yield* Effect.exit(TestGateway.running(folder)(Effect.void))))
    const accepting: Array<string> = []
    const later: Array<string> = []
    yield* Effect.void.pipe(
      TestGateway.running(folder, { acceptLoss: { by: "tester" } }),
      Effect.provide(logging(accepting), { local: true })
    )
    yield* Effect.gen(function* () {
      const early = yield* TestMerchant.create("SALE", { client_orderid: "lost" })
      assert.strictEqual(early.status, 503)
      yield* Copies.enumerated
      assert.deepStrictEqual(yield* TestMerchant.order("SALE", { client_orderid: "lost" }), lost)
      assert.include(yield* TestMerchant.orderStatus(lost), "approved sale")
      const { books } = yield* SandboxControl
      assert.lengthOf(yield* books.all, 2)
      yield* TestMerchant.assertClean
    }).pipe(TestGateway.running(folder), Effect.provide(logging(later), { local: true }))
    assert.match(accepting.join("; "), /Started as restored: .*behind its witness.*No orders are taken until/)
    // Each start says so for as long as it holds.
    assert.match(later.join("; "), /No orders are taken until/)
    assert.notInclude(later.join("; "), "Started as restored")
  })
)
