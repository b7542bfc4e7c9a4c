/** What parity finds in answers that changed nothing of their orders. */
import { assert, describe, it } from "@effect/vitest"
import type { Evidence } from "../../src/kernel/Evidence.ts"
import type { OrderRequest } from "../../src/orders/OrderRequest.ts"
import * as OrderComparison from "../../src/reconciliation/OrderComparison.ts"
import { request } from "./Sample.ts"

describe("what the parity check finds in an answer that came late", () => {
  const ended = { action: "capture", sequence: 1, finishedAtMs: 5 } as const
  it.each([
    ["an approval of what was approved", "Approved", { ...ended, progress: "approved" }, []],
    ["an approval of what was declined", "Approved", { ...ended, progress: "declined" }, ["declined approved"]],
    ["a decline of what was declined", "Declined", { ...ended, progress: "declined" }, []],
    ["a decline of what was approved", "Declined", { ...ended, progress: "approved" }, ["approved declined"]],
    ["an answer that says nothing", "Lost", { ...ended, progress: "approved" }, []],
    ["an answer to what is still open", "Approved", { ...ended, progress: "unknown", finishedAtMs: null }, []],
    ["an answer to another request", "Approved", { ...ended, progress: "declined", sequence: 2 }, []]
  ] as const)("%s", (_, tag, changes, result) => {
    const answer = JSON.stringify({ _tag: tag })
    const evidence: Evidence = { evidenceId: "e", orderId: "1", reference: "1-capture-1", answer, atMs: 1 }
    assert.deepStrictEqual(
      OrderComparison.ofEvidence(evidence, [request(changes)]).map(({ expected, actual }) => `${expected} ${actual}`),
      [...result]
    )
  })
  it("an approval of a check, which moves no money", () => {
    const evidence = { evidenceId: "e", orderId: "1", reference: "1-check-1", answer: '{"_tag":"Approved"}', atMs: 1 }
    assert.deepStrictEqual(OrderComparison.ofEvidence(evidence, [request({ ...ended, progress: "declined" })]), [])
  })
  it("an approval of what is none of ours", () => {
    const evidence = { evidenceId: "e", orderId: "1", reference: "x", answer: '{"_tag":"Approved"}', atMs: 1 }
    assert.deepStrictEqual(OrderComparison.ofEvidence(evidence, [request({ ...ended, progress: "declined" })]), [])
  })
  it("an approval of a payout that was refused late", () => {
    const approved = { evidenceId: "e", orderId: "1", reference: "1-pay-1", answer: '{"_tag":"Approved"}' }
    const refused: OrderRequest = { ...request({ ...ended, progress: "declined" }), action: "pay" }
    assert.deepStrictEqual(OrderComparison.ofEvidence({ ...approved, atMs: 4 }, [refused]), [])
    assert.lengthOf(OrderComparison.ofEvidence({ ...approved, atMs: 5 }, [refused]), 1)
  })
})
