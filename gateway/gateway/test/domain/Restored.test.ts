import { assert, describe, it } from "@effect/vitest"
import * as Restored from "../../src/orders/restored/Restored.ts"
import * as BillingOutcome from "../../src/recurring/BillingOutcome.ts"
import * as SkipReason from "../../src/recurring/SkipReason.ts"
import { occurrence, preauth, request, subscription } from "./Sample.ts"
import { rowsOf } from "./Written.ts"

describe("after a restore", () => {
  it.each([
    ["is sent without an inquiry if there was no restore", undefined, false],
    ["causes an inquiry first if it may be older than the start", 1_000, true],
    ["is sent without an inquiry if it is younger than the start", 999, false]
  ] as const)("an order created at 1,000 %s", (_, startedAtMs, asks) =>
    assert.strictEqual(Restored.inquiresFirst({ createdAtMs: 1_000 }, startedAtMs), asks)
  )

  it.each([
    ["is sent once the longest processing time is over", 1_060, 1_000, true],
    ["is not sent before", 1_059, 1_000, false],
    ["is sent until the time for resending is over", 1_100, 200, true],
    ["is not sent after that time", 1_100, 199, false]
  ] as const)("a request that the bank does not know %s", (_, nowMs, acceptedAtMs, may) => {
    const terms = { startedAtMs: 1_000, longestProcessingMs: 60, resubmitWithinMs: 900 }
    assert.strictEqual(Restored.maySend({ ...terms, nowMs, acceptedAtMs }), may)
  })

  it.each([
    ["no, there was no restore", 1_000, 1_000, undefined, false],
    ["yes, it was due before the start", 1_000, 1_000, 1_000, true],
    ["no, it is due after the start", 1_000, 1_001, 1_000, false],
    ["no, the recurring payment is younger than the start", 1_001, 1_000, 1_000, false]
  ] as const)(
    "a scheduled charge may have been made before the restore: %s",
    (_, createdAtMs, dueAtMs, startedAtMs, may) =>
      assert.strictEqual(SkipReason.mayBeCharged({ createdAtMs }, dueAtMs, startedAtMs), may)
  )

  it("a charge that continues at a later attempt has that attempt's number in each row", () => {
    const continuation = BillingOutcome.continuation({ subscription: subscription(), occurrence: occurrence() })
    const tried = Restored.withSequence({ order: preauth(), request: request(), continuation }, 3)
    assert.deepStrictEqual([tried.order.sequence, tried.request.sequence], [3, 3])
    const writes = tried.continuation?.onFinal({ ...tried.request, progress: "approved" }, 1) ?? []
    assert.deepInclude(rowsOf({ guards: [], writes }, "occurrences")[0], { progress: "charged", attempts: 4 })
  })

  it.each([
    ["a scheduled charge may have been sent as often as its retries allow", occurrence(), 3],
    ["the first charge of a recurring payment may have been sent once", undefined, 0]
  ] as const)("%s", (_, scheduled, last) => {
    const continuation = BillingOutcome.continuation({ subscription: subscription(), occurrence: scheduled })
    assert.strictEqual(continuation.lastAttempt, last)
  })

  it("a charge without a recurring payment writes no occurrence", () => {
    const charge = { order: preauth(), request: request() }
    assert.isUndefined(Restored.withSequence({ ...charge, continuation: undefined }, 3).continuation)
    const continuation = BillingOutcome.continuation({ subscription: subscription(), occurrence: undefined })
    const writes = Restored.withSequence({ ...charge, continuation }, 3).continuation?.onFinal(request(), 1) ?? []
    assert.deepStrictEqual(rowsOf({ guards: [], writes }, "occurrences"), [])
  })
})
