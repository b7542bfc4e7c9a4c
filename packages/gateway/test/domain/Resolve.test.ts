/** What two operators settle holds only for everything that was read, as the bank's own answer does. */
import { assert, describe, it } from "@effect/vitest"
import * as BankWork from "../../src/domain/BankWork.ts"
import type { Resolution } from "../../src/domain/entities/Resolution.ts"
import * as Resolve from "../../src/domain/Resolve.ts"
import { item, occurrence, request, sale, subscription } from "./Sample.ts"

const stated: Resolution = {
  requestId: "2",
  version: 1,
  orderId: "1",
  reference: "1-sale-0",
  said: "declined",
  evidence: "Ms Smith",
  approvalCode: null,
  processorTxId: null,
  amountMinor: 1042,
  proposedBy: "operator:alice",
  proposedAtMs: 1,
  confirmedBy: null,
  confirmedAtMs: null
}
const audited = { _tag: "Post", account: "", minor: 0 } as const

describe("a confirmed statement", () => {
  it("about a recurring payment's charge does not undo a change of the recurring payment that came in between", () => {
    const held = {
      order: sale({ state: "unknown", authorizedMinor: 0, capturedMinor: 0, subscriptionId: "9" }),
      request: request({ operation: "RECURRING_CHARGE", action: "sale", sequence: 0, progress: "unknown" }),
      item: item({ token: null }),
      billed: { subscription: subscription(), occurrence: occurrence() }
    }
    const terms = { nowMs: 2_000, claim: undefined, resubmitWithinMs: 0, longestProcessingMs: 0, holdMs: 0 }
    const { decision } = Resolve.decide(stated, { confirmedBy: "operator:bob", nowMs: 2_000, audited }, (answer) =>
      BankWork.decide(held, answer, terms)
    )
    const guards = decision.guards.map((guard) =>
      guard._tag === "VersionIs" ? `${guard.entity.name} ${guard.key} ${guard.version}` : guard._tag
    )
    assert.deepStrictEqual(guards, ["orders 1 3", "subscriptions 9 4", "resolutions 2 1"])
  })
})
