import { assert, it } from "@effect/vitest"
import type { Claim } from "../../src/kernel/Jobs.ts"
import type { RailRequest } from "../../src/orders/OrderRequest.ts"
import type { Approval } from "../../src/payouts/Approval.ts"
import * as PayoutApproval from "../../src/payouts/PayoutApproval.ts"
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
  askedAtMs: 0,
  expiresAtMs,
  approver: null,
  signature: null,
  decidedAtMs: null
}
const context = { order: preauth({ kind: "payout", state: "waiting" }), request: pay, approval }

const signed = { approver: "ada", signature: "s" }
const terms = (nowMs: number, claim?: Claim): PayoutApproval.Terms => ({ nowMs, auditId: "9", claim: () => claim })
const wishes = [
  ["approve", PayoutApproval.approve],
  ["reject", PayoutApproval.reject]
] as const

it("nobody can agree any more once the time for it is over, even while the end of it is late", () => {
  const at = (nowMs: number) =>
    PayoutApproval.approve(context, signed, terms(nowMs)) === undefined ? "refused" : "approved"
  assert.deepStrictEqual([at(expiresAtMs - 1), at(expiresAtMs)], ["approved", "refused"])
})

it.each(wishes)("to %s holds only while order and approval are those that were read", (_, decide) =>
  assert.deepStrictEqual(readBy(decide(context, signed, terms(5))?.decision), ["approvals 1", "orders 3"])
)

it.each(wishes)("to %s is written down as what it was", (name, decide) => {
  const decision = decide(context, signed, terms(5))?.decision
  assert(decision !== undefined)
  assert.deepInclude(rowsOf(decision, "audit")[0], { action: `payout.${name}`, actor: "approver:ada" })
})

it.each(wishes)("to %s is too late for what no longer waits", (_, decide) => {
  for (const state of ["paying", "uncertain", "paid", "bounced", "declined", "failed"] as const)
    assert.isUndefined(decide({ ...context, order: { ...context.order, state } }, signed, terms(5)))
})

it("the rail is asked at once by the process that may, and by the next one otherwise", () => {
  const started = (claim?: Claim) =>
    PayoutApproval.approve(context, signed, terms(5, claim))?.started.map(({ itemId }) => itemId)
  assert.deepStrictEqual(started(), [])
  assert.deepStrictEqual(started({ token: "mine", leaseUntilMs: 9 }), ["rail:2"])
})
