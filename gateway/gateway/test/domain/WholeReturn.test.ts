/** A whole return of a partly captured preauth: a refund, then the release of the rest of the hold. */
import { assert, describe, it } from "@effect/vitest"
import * as CardAnswer from "../../src/orders/decide/CardAnswer.ts"
import { job, preauth, request } from "./Sample.ts"
import { rowsOf } from "./Written.ts"

const terms: CardAnswer.CardTimes = {
  nowMs: 2_000,
  claim: undefined,
  holdMs: 7 * 86_400_000,
  resubmitWithinMs: 900_000,
  longestProcessingMs: 60_000,
  underWayMs: Number.POSITIVE_INFINITY
}

/** 60.00 of 100.00 were captured and are refunded; the bank is now asked to release the rest. */
const refunded: CardAnswer.OutcomeContext = {
  job: job(),
  order: preauth({ capturedMinor: 6_000, refundedMinor: 6_000, voiding: 1, inFlightCount: 1 }),
  request: request({ operation: "RETURN", action: "void", amountMinor: 6_000 })
}

const answers: ReadonlyArray<readonly [string, CardAnswer.Answer, order: string]> = [
  ["is released", { _tag: "Approved", approvalCode: "A1", processorTxId: "PNTEST-1" }, "settled voiding 0"],
  ["is not released", { _tag: "Declined", code: 116, message: "no" }, "authorized voiding 0"]
]

describe("a return of the whole amount whose refund is approved", () => {
  it.each(answers)("is approved, whether or not the rest of the hold %s", (_, answer, expected) => {
    const { decision } = CardAnswer.decide(refunded, answer, terms)
    const [ended] = rowsOf(decision, "requests")
    const [order] = rowsOf(decision, "orders")
    assert.strictEqual(ended?.progress, "approved")
    assert.strictEqual(`${order?.state} voiding ${order?.voiding}`, expected)
    assert.strictEqual(order?.refundedMinor, 6_000)
  })
})
