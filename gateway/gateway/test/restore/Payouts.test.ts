import { assert, describe, it } from "@effect/vitest"
import type { HostedSession } from "../../src/hosted/decide/HostedSession.ts"
import * as Jobs from "../../src/kernel/Jobs.ts"
import type { RailRequest } from "../../src/orders/record/OrderRequest.ts"
import type { Approval } from "../../src/payouts/decide/Approval.ts"
import * as PayoutBeforeRestore from "../../src/restore/Payouts.ts"
import { preauth, request } from "../domain/Sample.ts"
import { readBy, rowsOf } from "../domain/Written.ts"

const check: RailRequest = { ...request({ operation: "PAYOUT", sequence: 1 }), action: "check" }
const session: HostedSession = {
  token: "t",
  version: 2,
  orderId: "1",
  kind: "payout",
  country: null,
  purpose: null,
  attempts: 1,
  maxAttempts: 4,
  attemptId: null,
  paying: 0,
  expiresAtMs: 9,
  endedAtMs: null
}
const approval: Approval = {
  orderId: "1",
  version: 5,
  merchantId: "shop",
  requestId: "2",
  state: "waiting",
  requestedAtMs: 0,
  expiresAtMs: 9,
  approver: null,
  signature: null,
  decidedAtMs: null
}
const unpaid: PayoutBeforeRestore.Unpaid = { order: preauth({ kind: "payout", state: "checked" }), request: check }
const form = { session, attempt: undefined }

const find = (of: PayoutBeforeRestore.Unpaid, sequence: number, claim?: Jobs.Claim) => {
  const decision = PayoutBeforeRestore.paidBefore(of, sequence, 7, claim)
  const removed = decision.writes.flatMap((write) =>
    write._tag === "Remove" ? [`${write.entity.name} ${write.key}`] : []
  )
  return { decision, started: Jobs.started(decision).map(({ jobId }) => jobId), removed }
}

describe("a payout's payment that may have been sent before the restore", () => {
  it.each([
    ["its own, of a request to pay", { ...unpaid, request: { ...check, action: "pay" } }, 1],
    ["the next one, of a check", unpaid, 2],
    ["that of the last attempt, of a hosted page", { ...unpaid, form }, 4]
  ] as const)("has a limit for its sequence number: %s", (_, of, last) =>
    assert.strictEqual(PayoutBeforeRestore.last(of), last)
  )

  it.each(["checking", "checked", "waiting"] as const)("causes an inquiry for a payout in the state %s", (state) => {
    const { decision, removed, started } = find({ ...unpaid, order: { ...unpaid.order, state } }, 2)
    assert.deepInclude(rowsOf(decision, "orders")[0], { state: "paying", sequence: 2, version: 4 })
    assert.deepInclude(rowsOf(decision, "requests")[0], { action: "pay", sequence: 2, progress: "processing" })
    assert.deepStrictEqual([readBy(decision), removed, started], [["orders 3"], ["jobs lapse:1"], []])
  })

  it("causes an inquiry at once in a process that takes jobs", () =>
    assert.deepStrictEqual(find(unpaid, 2, { token: "mine", leaseUntilMs: 9 }).started, ["rail:2"]))

  it("closes the approval that waits for a second person", () => {
    const { decision } = find({ ...unpaid, approval }, 2)
    assert.deepStrictEqual(readBy(decision), ["approvals 5", "orders 3"])
    assert.deepInclude(rowsOf(decision, "approvals")[0], { state: "approved", version: 6 })
  })

  it.each([
    ["belongs to the recipient on record", 1, []],
    ["belongs to an unknown recipient", 3, ["payouts 1"]]
  ] as const)("ends the hosted page whose last attempt %s", (_, sequence, further) => {
    const { decision, removed } = find({ ...unpaid, form }, sequence)
    assert.deepStrictEqual(readBy(decision), ["hostedSessions 2", "orders 3"])
    assert.deepInclude(rowsOf(decision, "hostedSessions")[0], { attempts: sequence, version: 3 })
    assert.deepStrictEqual(removed, ["jobs lapse:1", "jobs session:1", ...further])
  })
})
