import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Reconciliation from "@pay/gateway/Reconciliation"
import { RailControl } from "@pay/sandbox/RailControl"
import { SandboxControl } from "@pay/sandbox/SandboxControl"
import { Clock, Effect } from "effect"
import { temporaryFolder } from "../../packages/sqlite/test/TemporaryFolder.ts"
import * as GatewayProcess from "../harness/GatewayProcess.ts"
import { type KillMoments, runUntilEnd } from "../harness/MerchantProcesses.ts"
import * as TestGateway from "../harness/TestGateway.ts"

/**
 * Every request is made once without its record reaching the disk, and once with nothing done after its record: a process
 * that ends after its first answer, then one that ends before its second request, then both with one request more, since
 * the next process inquires before it sends; and so on to the end of the flow.
 */
const everywhere: KillMoments = (processNumber) => {
  const more = Math.floor(processNumber / 2) % 2
  return processNumber % 2 === 0 ? { request: 1 + more, when: "after" } : { request: 2 + more, when: "before" }
}
/** Nothing was sent, and the next process knows only that something may have been sent. */
const beforeAnything: KillMoments = (processNumber) =>
  processNumber === 0 ? { request: 1, when: "before" } : undefined

describe("a merchant's durable flow whose process is killed at every request", () => {
  it.live(
    "sells, refunds and pays out exactly once, and stores no card data",
    () =>
      Effect.gen(function* () {
        const folder = yield* temporaryFolder
        const shop = yield* temporaryFolder
        const ended = yield* Effect.gen(function* () {
          const { baseUrl } = yield* GatewayProcess.sandbox(folder)
          const sinceMs = yield* Clock.currentTimeMillis
          const of = (clientOrderId: string, kills: KillMoments) =>
            runUntilEnd({ path: join(shop, `${clientOrderId}.db`), baseUrl, clientOrderId, sinceMs, speed: 20 }, kills)
          return yield* Effect.all([of("everywhere", everywhere), of("before-anything", beforeAnything)], {
            concurrency: 2
          })
        }).pipe(Effect.scoped)
        for (const { flowStatus } of ended) assert.strictEqual(flowStatus, "Succeeded")
        // A payment, a return and a payout, each with a question after it at least.
        assert.isAtLeast(ended[0].kills, 8)

        for (const file of readdirSync(shop)) {
          const written = readFileSync(join(shop, file), "latin1")
          for (const mark of ["4444333322221111", "DE89370400440532013000", "cvv2"])
            assert.notInclude(written, mark, file)
        }

        yield* TestGateway.quietly(folder)(
          Effect.gen(function* () {
            const control = yield* SandboxControl
            const rail = yield* RailControl
            for (const { paidOut = "", sold = "" } of ended) {
              const { capturedMinor, refundedMinor } = yield* control.books.totals(sold)
              const { paidMinor } = yield* rail.books.totals(paidOut)
              assert.deepStrictEqual(
                { capturedMinor, refundedMinor, paidMinor },
                { capturedMinor: 1042, refundedMinor: 200, paidMinor: 300 }
              )
            }
            const { findings, orders } = yield* Reconciliation.check
            assert.deepStrictEqual(findings, [])
            assert.strictEqual(orders, 2 * ended.length)
            assert.deepStrictEqual([...(yield* control.violations), ...(yield* rail.violations)], [])
          })
        )
      }),
    180_000
  )
})
