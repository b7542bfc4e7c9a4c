import { assert, it } from "@effect/vitest"
import type { Approval } from "../../src/domain/entities/Approval.ts"
import type { RailRequest } from "../../src/domain/entities/OrderRequest.ts"
import * as PayoutApproval from "../../src/domain/PayoutApproval.ts"
import { preauth, request } from "./Sample.ts"

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
const held = { order: preauth({ kind: "payout", state: "waiting" }), request: pay, approval }

it("nobody can agree any more once the time for it is over, even while the end of it is late", () => {
  const at = (nowMs: number) =>
    PayoutApproval.approve(
      held,
      { approver: "ada", signature: "s" },
      { nowMs, auditId: "9", claim: () => undefined }
    ) === undefined
      ? "refused"
      : "approved"
  assert.deepStrictEqual([at(expiresAtMs - 1), at(expiresAtMs)], ["approved", "refused"])
})
