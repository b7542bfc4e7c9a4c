/** A gateway that starts again while its machine's clock stands an hour before its first start. */
import { assert, it } from "@effect/vitest"
import { Clock, Effect, Logger } from "effect"
import { make, wall } from "../../packages/schema/test/Clocks.ts"
import { temporaryFolder } from "../../packages/sqlite/test/TemporaryFolder.ts"
import * as TestGateway from "../harness/TestGateway.ts"
import * as TestMerchant from "../harness/TestMerchant.ts"

const hourMs = 3_600_000

/** Stands an hour before the machine's. */
const behind = make({
  nowMs: () => wall.currentTimeMillisUnsafe() - hourMs,
  monotonicNanos: () => wall.monotonicTimeNanosUnsafe(),
  sleep: (duration) => wall.sleep(duration)
})

it.live("a clock an hour behind the first start refuses no request, and the log reports it", () =>
  Effect.gen(function* () {
    const folder = yield* temporaryFolder
    const gateway = TestGateway.running(folder)
    const order = yield* gateway(TestMerchant.order("SALE"))
    const lines: Array<string> = []
    const logger = Logger.layer([Logger.make(({ message }) => void lines.push(String(message)))])
    yield* gateway(
      Effect.gen(function* () {
        TestMerchant.assertAccepted(yield* TestMerchant.create("SALE"))
        yield* TestMerchant.done("RETURN", order)
        assert.strictEqual((yield* TestMerchant.status(order)).status, "approved")
      })
    ).pipe(Effect.provideService(Clock.Clock, behind), Effect.provide(logger))
    assert.match(lines.join("\n"), /The clock says .+, yet the store has seen .+, 3[56]\d\d s later/)
  }).pipe(Effect.scoped)
)
