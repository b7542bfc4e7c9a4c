import { assert, describe, it } from "@effect/vitest"
import * as Restored from "../../src/orders/restored/Restored.ts"
import * as BillingOutcome from "../../src/recurring/BillingOutcome.ts"
import * as SkipReason from "../../src/recurring/SkipReason.ts"
import { occurrence, preauth, request, subscription } from "./Sample.ts"
import { rowsOf } from "./Written.ts"

describe("on a restored copy", () => {
  it.each([
    ["is never asked about first where there was no restore", undefined, false],
    ["is asked about first where it may be older than the start", 1_000, true],
    ["is not asked about first where it is younger", 999, false]
  ] as const)("an order of 1,000 %s", (_, startedAtMs, asks) =>
    assert.strictEqual(Restored.asksFirst({ createdAtMs: 1_000 }, startedAtMs), asks)
  )

  it.each([
    ["once whatever was sent was heard of", 1_060, 1_000, true],
    ["not before", 1_059, 1_000, false],
    ["as long as it may be sent again at all", 1_100, 200, true],
    ["no longer", 1_100, 199, false]
  ] as const)("what the bank does not know is sent %s", (_, nowMs, acceptedAtMs, may) => {
    const terms = { startedAtMs: 1_000, longestProcessingMs: 60, resubmitWithinMs: 900 }
    assert.strictEqual(Restored.maySend({ ...terms, nowMs, acceptedAtMs }), may)
  })

  it.each([
    ["no restore", 1_000, 1_000, undefined, false],
    ["due up to the start", 1_000, 1_000, 1_000, true],
    ["due after the start", 1_000, 1_001, 1_000, false],
    ["of a recurring payment that is younger than the start", 1_001, 1_000, 1_000, false]
  ] as const)(
    "a scheduled charge may have been made by the former life: %s",
    (_, createdAtMs, dueAtMs, startedAtMs, may) =>
      assert.strictEqual(SkipReason.mayBeCharged({ createdAtMs }, dueAtMs, startedAtMs), may)
  )

  it("a charge under another of its tries has its number everywhere", () => {
    const continuation = BillingOutcome.continuation({ subscription: subscription(), occurrence: occurrence() })
    const tried = Restored.underTry({ order: preauth(), request: request(), continuation }, 3)
    assert.deepStrictEqual([tried.order.sequence, tried.request.sequence], [3, 3])
    const writes = tried.continuation?.onFinal({ ...tried.request, progress: "approved" }, 1) ?? []
    assert.deepInclude(rowsOf({ guards: [], writes }, "occurrences")[0], { progress: "charged", attempts: 4 })
  })

  it.each([
    ["a scheduled charge has its retries", occurrence(), 3],
    ["the order of a recurring payment's creation has one try", undefined, 0]
  ] as const)("%s", (_, given, last) => {
    const continuation = BillingOutcome.continuation({ subscription: subscription(), occurrence: given })
    assert.strictEqual(continuation.lastTry, last)
  })

  it("a charge of nothing that recurs stays one", () => {
    const charge = { order: preauth(), request: request() }
    assert.isUndefined(Restored.underTry({ ...charge, continuation: undefined }, 3).continuation)
    const continuation = BillingOutcome.continuation({ subscription: subscription(), occurrence: undefined })
    const writes = Restored.underTry({ ...charge, continuation }, 3).continuation?.onFinal(request(), 1) ?? []
    assert.deepStrictEqual(rowsOf({ guards: [], writes }, "occurrences"), [])
  })
})
