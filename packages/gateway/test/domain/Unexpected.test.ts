import { assert, describe, it } from "@effect/vitest"
import type * as Asking from "../../src/domain/Asking.ts"
import * as BankWork from "../../src/domain/BankWork.ts"
import type { Order } from "../../src/domain/entities/Order.ts"
import type { BankRequest, RailRequest } from "../../src/domain/entities/OrderRequest.ts"
import type * as Lifecycle from "../../src/domain/Lifecycle.ts"
import * as PayoutWork from "../../src/domain/PayoutWork.ts"
import * as Unexpected from "../../src/domain/Unexpected.ts"
import { item, payout, preauth, request, sale } from "./Sample.ts"

const terms = {
  nowMs: 2_000,
  claim: undefined,
  holdMs: 1,
  resubmitWithinMs: 1,
  longestProcessingMs: 1,
  lateRefusalAfterMs: [],
  approvalUntilMs: undefined
}
const answers: Readonly<Record<"approved" | "declined", Asking.Answer>> = {
  approved: { _tag: "Approved", approvalCode: "A1", processorTxId: "T1" },
  declined: { _tag: "Declined", code: 116, message: "Not sufficient funds" }
}

const creation = request({ operation: "SALE", action: "sale", sequence: 0, amountMinor: 10_000 })
const pay: RailRequest = { ...creation, operation: "PAYOUT", action: "pay" }
const payoutOrder = (state: Lifecycle.State): Order => sale({ kind: "payout", state })

/** Only the item goes: no order, no request, no money, no news. */
const changesNothing = ({ decision, resend, started, unexpected }: Asking.Next): void => {
  assert.isTrue(unexpected)
  assert.deepStrictEqual([started, resend], [[], false])
  assert.deepStrictEqual(
    decision.writes.map(({ _tag }) => _tag),
    ["Remove"]
  )
}

const over = ["settled", "voided", "lapsed", "verified", "declined", "filtered", "failed"] as const

describe("an answer for which the lifecycle has no transition changes nothing", () => {
  for (const state of over)
    for (const verdict of ["approved", "declined"] as const)
      it(`a sale is ${verdict} when it is ${state}`, () =>
        changesNothing(
          BankWork.decide({ order: sale({ state }), request: creation, item: item() }, answers[verdict], terms)
        ))

  const followUps: ReadonlyArray<readonly [what: string, order: Order, request: BankRequest]> = [
    ["a capture of a hold that was released", preauth({ state: "voided" }), request()],
    ["a capture that has ended", preauth(), request({ progress: "declined" })],
    ["a release of a hold that lapsed", preauth({ state: "lapsed" }), request({ action: "cancel", operation: "VOID" })],
    ["a refund of a payment that failed", sale({ state: "failed" }), request({ action: "refund", operation: "RETURN" })]
  ]
  for (const [what, order, asked] of followUps)
    it(`${what} is approved`, () =>
      changesNothing(BankWork.decide({ order, request: asked, item: item() }, answers.approved, terms)))

  for (const state of ["declined", "filtered", "failed", "bounced", "waiting"] as const)
    it(`a payout is approved when it is ${state}`, () =>
      changesNothing(
        PayoutWork.decide(
          { order: payoutOrder(state), request: pay, item: item(), payout: payout() },
          answers.approved,
          terms
        )
      ))
})

describe("such an answer is a task", () => {
  const ended = (progress: BankRequest["progress"]) => ({ ...creation, progress })
  const cases: ReadonlyArray<
    readonly [what: string, verdict: "approved" | "declined", order: Order, same: ReadonlyArray<BankRequest>, boolean]
  > = [
    ["an approval of what was declined", "approved", sale({ state: "declined" }), [ended("declined")], true],
    ["a decline of what was approved", "declined", sale({ state: "settled" }), [ended("approved")], true],
    ["a decline of what was declined", "declined", sale({ state: "declined" }), [ended("declined")], false],
    ["an approval of what was approved", "approved", sale({ state: "settled" }), [ended("approved")], false],
    ["an approval of what another process asks for", "approved", sale({ state: "unknown" }), [ended("unknown")], false]
  ]
  it.each(cases)("%s", (_, verdict, order, same, expected) => {
    assert.strictEqual(Unexpected.contradicts(verdict, { order, request: creation }, same, false), expected)
  })
})
