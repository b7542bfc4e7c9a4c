import { assert, describe, it } from "@effect/vitest"
import * as Change from "../../src/kernel/Change.ts"
import * as Jobs from "../../src/kernel/Jobs.ts"
import type { RailRequest } from "../../src/orders/record/OrderRequest.ts"
import type { Approval } from "../../src/payouts/decide/Approval.ts"
import * as PayoutApproval from "../../src/payouts/decide/PayoutApproval.ts"
import { preauth, request } from "./Sample.ts"
import { readBy, rowsOf } from "./Written.ts"

const expiresAtMs = 86_400_000
const pay: RailRequest = { ...request({ operation: "PAYOUT", sequence: 0 }), action: "pay" }
const approval: Approval = {
  orderId: "1",
  version: 1,
  merchantId: "shop",
  requestId: pay.requestId,
  state: "waiting",
  requestedAtMs: 0,
  expiresAtMs,
  approver: null,
  signature: null,
  decidedAtMs: null
}
const context = { order: preauth({ kind: "payout", state: "waiting" }), request: pay, approval }

const signed = { approver: "ada", signature: "s" }
const terms = (nowMs: number, claim?: Jobs.Claim): PayoutApproval.ApprovalMoment => ({
  nowMs,
  auditId: "9",
  claim: () => claim
})
const decisions = [
  ["approve", PayoutApproval.approve],
  ["reject", PayoutApproval.reject]
] as const

describe("the approval of a payout", () => {
  it("cannot be given once its time is over, even before it has lapsed", () => {
    const at = (nowMs: number) =>
      PayoutApproval.approve(context, signed, terms(nowMs)) === undefined ? "refused" : "approved"
    assert.deepStrictEqual([at(expiresAtMs - 1), at(expiresAtMs)], ["approved", "refused"])
  })

  it.each(decisions)("commits only to the order and the approval that were read: %s", (_, decide) =>
    assert.deepStrictEqual(readBy(decide(context, signed, terms(5))), ["approvals 1", "orders 3"])
  )

  it.each(decisions)("is audited: %s", (name, decide) => {
    const decision = decide(context, signed, terms(5))
    assert(decision !== undefined)
    assert.deepInclude(rowsOf(decision, "audit")[0], { action: `payout.${name}`, actor: "approver:ada" })
  })

  it.each(decisions)("is refused if the payout does not wait any more: %s", (_, decide) => {
    for (const state of ["paying", "unknown", "paid", "bounced", "declined", "failed"] as const)
      assert.isUndefined(decide({ ...context, order: { ...context.order, state } }, signed, terms(5)))
  })

  it("starts the request to the rail at once in a process that takes jobs", () => {
    const started = (claim?: Jobs.Claim) =>
      Jobs.started(PayoutApproval.approve(context, signed, terms(5, claim)) ?? Change.none).map(({ jobId }) => jobId)
    assert.deepStrictEqual(started(), [])
    assert.deepStrictEqual(started({ token: "mine", leaseUntilMs: 9 }), ["rail:2"])
  })
})
