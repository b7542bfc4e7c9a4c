/** Reconciliation of stored answers that changed nothing in their orders. */
import { assert, describe, it } from "@effect/vitest"
import type { Evidence } from "../../src/kernel/Evidence.ts"
import type { OrderRequest } from "../../src/orders/record/OrderRequest.ts"
import * as OrderComparison from "../../src/reconciliation/decide/OrderComparison.ts"
import { request } from "./Sample.ts"

describe("reconciliation of a stored late answer", () => {
  const ended = { action: "capture", sequence: 1, finishedAtMs: 5 } as const
  it.each([
    ["accepts an approval of an approved request", "Approved", { ...ended, progress: "approved" }, []],
    [
      "reports an approval of a declined request",
      "Approved",
      { ...ended, progress: "declined" },
      ["declined approved"]
    ],
    ["accepts a decline of a declined request", "Declined", { ...ended, progress: "declined" }, []],
    ["reports a decline of an approved request", "Declined", { ...ended, progress: "approved" }, ["approved declined"]],
    ["skips a lost answer", "Lost", { ...ended, progress: "approved" }, []],
    ["skips an answer to an open request", "Approved", { ...ended, progress: "unknown", finishedAtMs: null }, []],
    ["skips an answer to another request", "Approved", { ...ended, progress: "declined", sequence: 2 }, []]
  ] as const)("%s", (_, tag, changes, result) => {
    const answer = JSON.stringify({ _tag: tag })
    const evidence: Evidence = { evidenceId: "e", orderId: "1", reference: "1-capture-1", answer, atMs: 1 }
    assert.deepStrictEqual(
      OrderComparison.ofEvidence(evidence, [request(changes)], [evidence]).map(
        ({ expected, actual }) => `${expected} ${actual}`
      ),
      [...result]
    )
  })
  it.each([
    ["skips", "before its reversal", "1-capture-1", 3, 0],
    ["skips", "at the time of its reversal", "1-capture-1", 1, 0],
    ["reports", "after its reversal", "1-capture-1", 0, 1],
    ["reports", "before the reversal of another request", "1-capture-2", 3, 1]
  ] as const)("%s an approval %s", (_, __, reference, reversedAtMs, count) => {
    const approved = { evidenceId: "e", orderId: "1", reference: "1-capture-1", answer: '{"_tag":"Approved"}', atMs: 1 }
    const answer = '{"_tag":"Declined","reversed":true}'
    const reversed = { ...approved, evidenceId: "f", reference, answer, atMs: reversedAtMs }
    const declined = [request({ ...ended, progress: "declined" })]
    assert.lengthOf(OrderComparison.ofEvidence(approved, declined, [approved, reversed]), count)
  })
  it("skips an approval of a check, which moves no money", () => {
    const evidence = { evidenceId: "e", orderId: "1", reference: "1-check-1", answer: '{"_tag":"Approved"}', atMs: 1 }
    assert.deepStrictEqual(
      OrderComparison.ofEvidence(evidence, [request({ ...ended, progress: "declined" })], [evidence]),
      []
    )
  })
  it("skips an approval whose reference is not one of the gateway's", () => {
    const evidence = { evidenceId: "e", orderId: "1", reference: "x", answer: '{"_tag":"Approved"}', atMs: 1 }
    assert.deepStrictEqual(
      OrderComparison.ofEvidence(evidence, [request({ ...ended, progress: "declined" })], [evidence]),
      []
    )
  })
  it("reports an approval of a payout only if it came after the late refusal", () => {
    const approved = { evidenceId: "e", orderId: "1", reference: "1-pay-1", answer: '{"_tag":"Approved"}' }
    const refused: OrderRequest = { ...request({ ...ended, progress: "declined" }), action: "pay" }
    assert.deepStrictEqual(OrderComparison.ofEvidence({ ...approved, atMs: 4 }, [refused], []), [])
    assert.lengthOf(OrderComparison.ofEvidence({ ...approved, atMs: 5 }, [refused], []), 1)
  })
})
