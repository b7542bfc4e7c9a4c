import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import type * as Answer from "../../src/kernel/Answer.ts"
import * as FollowUp from "../../src/orders/decide/FollowUp.ts"
import { preauth, sale } from "./Sample.ts"

const voided = preauth({ state: "voided" })

describe("a refused follow-up", () => {
  const open = "Order 1 has no final outcome yet; ask status and try again once it is approved"
  const declined = preauth({ state: "declined" })
  const notApproved = "Order 1 was not approved (declined)"
  const captured = "The payment is captured and cannot be voided; use return to give the money back"
  const nothingToVoid = "Nothing is left to void: the hold is released or being released"
  const nothingToCapture = "Nothing is left to capture: the hold is captured, released or returned"
  const moving = preauth({ capturingMinor: 10_000, inFlightCount: 1 })
  const busy = "A capture of order 1 is under way; ask status and try again once it is no longer processing"
  const rows: ReadonlyArray<
    readonly [string, Result.Result<FollowUp.Plan, Answer.Refusal>, string, string | undefined]
  > = [
    ["a capture of a preauth under way", FollowUp.capture(preauth({ state: "authorizing" }), 100), open, undefined],
    ["a capture of a declined preauth", FollowUp.capture(declined, 100), notApproved, undefined],
    ["a void of a declined preauth", FollowUp.voidHold(declined), notApproved, undefined],
    [
      "a capture of a sale",
      FollowUp.capture(sale(), 100),
      "Only a preauth can be captured; a sale is captured already",
      undefined
    ],
    ["a capture of a voided hold", FollowUp.capture(voided, 100), nothingToCapture, undefined],
    ["a void of a sale", FollowUp.voidHold(sale({ state: "authorized" })), captured, undefined],
    [
      "a void of a captured preauth",
      FollowUp.voidHold(preauth({ state: "settled", capturedMinor: 1000 })),
      captured,
      undefined
    ],
    ["a void of a voided hold", FollowUp.voidHold(voided), nothingToVoid, undefined],
    [
      "a return of a voided hold",
      FollowUp.refund(voided, undefined),
      "Nothing was captured: there is nothing to return",
      undefined
    ],
    ["a void while a capture is under way", FollowUp.voidHold(moving), busy, undefined],
    ["a return while a capture is under way", FollowUp.refund(moving, undefined), busy, undefined],
    ["a partial return while a capture is under way", FollowUp.refund(moving, 100), busy, undefined],
    [
      "a capture without an amount of a used-up hold",
      FollowUp.capture(moving, undefined),
      "The whole hold is captured or being captured",
      undefined
    ],
    [
      "a capture of more than the hold",
      FollowUp.capture(preauth(), 10_001),
      "amount exceeds what is left of the hold",
      "amount"
    ],
    [
      "a second return of the whole amount",
      FollowUp.refund(sale({ refundedMinor: 10_000 }), undefined),
      "All captured money is returned, being returned or charged back",
      undefined
    ]
  ]
  for (const [name, refused, message, field] of rows) {
    it(`states the reason: ${name}`, () => {
      assert(Result.isFailure(refused))
      assert.deepStrictEqual([refused.failure.message, refused.failure.field], [message, field])
    })
  }

  it.each([
    ["is accepted in the older dialect", 10_000, true, true],
    ["is refused in any other dialect", 10_000, false, false],
    ["of a part of the hold is refused in the older dialect", 4_000, true, false]
  ] as const)("a return of an uncaptured hold with an amount %s", (_, askedMinor, takesWholeAmount, isTaken) => {
    const planned = FollowUp.refund(preauth(), askedMinor, { needsAmount: false, takesWholeAmount })
    assert.strictEqual(
      Result.isFailure(planned) ? planned.failure.error : planned.success.action,
      isTaken ? "void" : "amountNotAllowed"
    )
  })
})
