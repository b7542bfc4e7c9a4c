/** Outcomes that two operators resolve: when they may, what they must state, and the guards of the commit. */
import { assert, describe, it } from "@effect/vitest"
import { declines } from "@pay/schema/Decline"
import { Result } from "effect"
import * as CardAnswer from "../../src/orders/decide/CardAnswer.ts"
import type * as Inquiry from "../../src/orders/decide/Inquiry.ts"
import type { Resolution } from "../../src/orders/decide/Resolve.ts"
import * as Resolve from "../../src/orders/decide/Resolve.ts"
import { referenceOf } from "../../src/orders/record/OrderRequest.ts"
import * as BillingOutcome from "../../src/recurring/decide/BillingOutcome.ts"
import { job, occurrence, preauth, request, resolution, sale, subscription } from "./Sample.ts"
import { guardsOf, rowsOf } from "./Written.ts"

const stated = resolution({ amountMinor: 1042 })
const audited = { _tag: "Post", account: "", minor: 0 } as const
const by = { confirmedBy: "operator:bob", nowMs: 2_000, audited }

describe("a request with an unknown outcome can be resolved by operators", () => {
  const unknown = { progress: "unknown", acceptedAtMs: 1_000 } as const
  it.each([
    ["after the time in which it may be sent", unknown, 1_901, undefined],
    ["not within the time in which it may be sent", unknown, 1_900, /^it may still be sent/],
    ["not while it is under way", { ...unknown, progress: "processing" }, 1_901, /^the bank's answer is not unknown/],
    ["not after the bank's answer", { ...unknown, progress: "approved" }, 1_901, /^the bank's answer is not unknown/],
    ["not if it moves no money", { ...unknown, action: "check" }, 1_901, /^a check moves no money/]
  ] as const)("%s", (_, changes, nowMs, expected) => {
    const obstacle = Result.merge(Resolve.checkRequest({ ...request(), ...changes }, nowMs, 900))
    if (expected === undefined) assert.isUndefined(obstacle)
    else assert.match(obstacle ?? "", expected)
  })
})

describe("an operator's statement", () => {
  it.each([
    ["needs an approval code for an approved payment", "sale", "approved", null, false],
    ["is complete with an approval code", "sale", "approved", "A1", true],
    ["needs no approval code for a declined payment", "sale", "declined", null, true],
    ["needs no approval code for a refund", "refund", "approved", null, true]
  ] as const)("%s", (_, action, outcome, approvalCode, isWhole) => {
    const statement = { outcome, approvalCode, evidence: "Ms Smith", processorTxId: null }
    assert.strictEqual(Result.isSuccess(Resolve.checkStatement(request({ action }), statement)), isWhole)
  })

  it.each([
    ["a sale", { action: "sale", sequence: 0 }, "1-sale-0", 10_000],
    ["a capture", { action: "capture" }, "1-capture-1", 4_000],
    ["the refund of a whole return", { action: "refundThenVoid" }, "1-refund-1", 4_000],
    ["a release", { action: "void" }, "1-void-1", 7_000],
    ["a payout", { action: "pay" }, "1-pay-1", 10_000],
    ["a payout's check", { action: "check" }, "1-check-1", 10_000]
  ] as const)("names the reference and the amount at the bank or the rail: %s", (_, changes, reference, minor) => {
    const question = { ...request(), ...changes }
    assert.strictEqual(referenceOf(question), reference)
    assert.strictEqual(Resolve.askedMinor(preauth({ capturedMinor: 3_000 }), question), minor)
  })

  const { doNotHonour } = declines
  const cases: ReadonlyArray<readonly [what: string, Partial<Resolution>, Inquiry.Answer]> = [
    [
      "approved, with the bank's identifiers",
      { outcome: "approved", approvalCode: "A1", processorTxId: "T1" },
      { _tag: "Approved", approvalCode: "A1", processorTxId: "T1" }
    ],
    [
      "approved, with the gateway's reference instead",
      { outcome: "approved" },
      { _tag: "Approved", approvalCode: "", processorTxId: "1-sale-0" }
    ],
    ["declined", { outcome: "declined" }, { _tag: "Declined", code: doNotHonour.code, message: doNotHonour.message }],
    ["never happened", { outcome: "error" }, { _tag: "Unsendable" }]
  ]
  it.each(cases)("has the effect of the bank's answer that it states: %s", (_, changes, expected) => {
    const answers: Array<Inquiry.Answer> = []
    Resolve.decide({ ...stated, ...changes }, by, (answer) => {
      answers.push(answer)
      return { decision: { guards: [], writes: [] }, resend: false }
    })
    assert.deepStrictEqual(answers, [expected])
  })
})

describe("a confirmed statement", () => {
  it("about a recurring charge commits only to the recurring payment that was read", () => {
    const context = {
      order: sale({ state: "unknown", authorizedMinor: 0, capturedMinor: 0, subscriptionId: "9" }),
      request: request({ operation: "RECURRING_CHARGE", action: "sale", sequence: 0, progress: "unknown" }),
      job: job({ token: null }),
      continuation: BillingOutcome.continuation({ subscription: subscription(), occurrence: occurrence() })
    }
    const terms = {
      nowMs: 2_000,
      claim: undefined,
      resubmitWithinMs: 0,
      longestProcessingMs: 0,
      underWayMs: Number.POSITIVE_INFINITY,
      holdMs: 0
    }
    const { decision } = Resolve.decide(stated, by, (answer) => CardAnswer.decide(context, answer, terms))
    assert.deepStrictEqual(guardsOf(decision), ["orders 1 v3", "subscriptions 9 v4", "resolutions 2 v1"])
    assert.deepInclude(rowsOf(decision, "resolutions")[0], { version: 2, confirmedBy: "operator:bob" })
  })
})
