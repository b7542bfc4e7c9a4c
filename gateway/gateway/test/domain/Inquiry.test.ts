/** The rules of every request to the bank: the guards of its decision, and the time of the next inquiry. */
import { assert, describe, it } from "@effect/vitest"
import type { Job } from "../../src/kernel/Job.ts"
import * as CardAnswer from "../../src/orders/decide/CardAnswer.ts"
import * as Inquiry from "../../src/orders/decide/Inquiry.ts"
import type { Order } from "../../src/orders/record/Order.ts"
import { job, preauth, request, sale, verification } from "./Sample.ts"
import { guardsOf, keysOf, rowsOf } from "./Written.ts"

const minuteMs = 60_000
const dayMs = 86_400_000
const resubmitWithinMs = 15 * minuteMs
const acceptedAtMs = 1_000

const approved: CardAnswer.Answer = { _tag: "Approved", approvalCode: "A1", processorTxId: "T1" }
const declined: CardAnswer.Answer = { _tag: "Declined", code: 116, message: "Not sufficient funds" }

const creation = request({ operation: "SALE", action: "sale", sequence: 0, amountMinor: 10_000, acceptedAtMs })
const contextOf = (order: Partial<Order> = {}, jobs: Partial<Job> = {}, progress = creation.progress) => ({
  order: sale({ state: "authorizing", capturedMinor: 0, ...order }),
  request: { ...creation, progress },
  job: job({ startedAtMs: acceptedAtMs, ...jobs })
})
const decide = (
  subject: CardAnswer.OutcomeContext,
  answer: CardAnswer.Answer,
  nowMs = 2_000,
  underWayMs = Number.POSITIVE_INFINITY
) =>
  CardAnswer.decide(subject, answer, {
    nowMs,
    claim: undefined,
    holdMs: 7 * dayMs,
    resubmitWithinMs,
    longestProcessingMs: minuteMs,
    underWayMs
  })

const lease = "lease bank:2 mine"
const both = [lease, "orders 1 v3"]

describe("a request that the bank does not know", () => {
  const late = acceptedAtMs + minuteMs
  it.each([
    ["is not sent again if only the wall clock says that its processing time is over", minuteMs - 1, false],
    ["is sent again if both clocks say that its processing time is over", minuteMs, true]
  ] as const)("%s", (_, underWayMs, isDefinite) => {
    const context = contextOf({}, { startedAtMs: acceptedAtMs }, "unknown")
    assert.strictEqual(decide(context, { _tag: "NotFound" }, late, underWayMs).resend, isDefinite)
  })
})

describe("an answer commits only under the lease of its job and to the order that was read", () => {
  const late = acceptedAtMs + minuteMs
  const cases: ReadonlyArray<
    readonly [what: string, CardAnswer.OutcomeContext, CardAnswer.Answer, nowMs: number, guards: ReadonlyArray<string>]
  > = [
    ["an approval", contextOf(), approved, 2_000, both],
    ["a decline", contextOf(), declined, 2_000, both],
    ["a lost answer", contextOf(), { _tag: "Lost" }, 2_000, both],
    ["an inquiry that cannot be answered", contextOf(), { _tag: "CannotSay" }, 2_000, both],
    ["a request that can no longer be sent", contextOf(), { _tag: "Unsendable" }, 2_000, both],
    ["a request that was not sent: the lease alone", contextOf(), { _tag: "NotSent" }, 2_000, [lease]],
    [
      "a request that is sent again: the lease alone",
      contextOf({}, {}, "unknown"),
      { _tag: "NotFound" },
      late,
      [lease]
    ],
    ["an unexpected answer: the lease alone", contextOf({ state: "settled" }), approved, 2_000, [lease]]
  ]
  it.each(cases)("%s", (_, subject, answer, nowMs, guards) =>
    assert.deepStrictEqual(guardsOf(decide(subject, answer, nowMs).decision), [...guards])
  )
})

describe("the amount of a request to the bank", () => {
  it.each([
    ["is the order's amount for a sale", sale(), { action: "sale", amountMinor: 1 }, 10_000],
    ["is the named amount for a capture", preauth(), { action: "capture", amountMinor: 4_000 }, 4_000],
    ["is the named amount for a refund", sale(), { action: "refund", amountMinor: 4_000 }, 4_000],
    ["is the rest of the hold for a void", preauth({ capturedMinor: 3_000 }), { action: "void", amountMinor: 1 }, 7_000]
  ] as const)("%s", (_, order, changes, expected) =>
    assert.strictEqual(CardAnswer.askedMinor({ order, request: request(changes) }), expected)
  )

  it("leaves the outcome unknown for a day if the bank approves another amount", () => {
    const { decision } = decide(contextOf(), { ...approved, amountMinor: 10_001 })
    assert.deepInclude(rowsOf(decision, "orders")[0], { state: "unknown", capturedMinor: 0 })
    assert.deepInclude(rowsOf(decision, "jobs")[0], { dueAtMs: 2_000 + dayMs, token: null, tries: 1 })
    assert.strictEqual(decide(contextOf(), { ...approved, amountMinor: 10_000 }).unexpected, undefined)
  })
})

describe("the time in which a request may be sent", () => {
  const limitMs = acceptedAtMs + resubmitWithinMs
  const read = (subject: CardAnswer.OutcomeContext, answer: CardAnswer.Answer, nowMs: number) => {
    const { decision, resend } = decide(subject, answer, nowMs)
    return resend ? "sent again" : (rowsOf(decision, "orders")[0]?.state ?? "waits")
  }
  it.each([
    ["allows another attempt at the limit if the request was not sent", "NotSent", "processing", limitMs, "waits"],
    ["fails the order past the limit if the request was not sent", "NotSent", "processing", limitMs + 1, "failed"],
    [
      "allows another attempt at the limit if the bank does not know the request",
      "NotFound",
      "unknown",
      limitMs,
      "sent again"
    ],
    [
      "fails the order past the limit if the bank does not know the request",
      "NotFound",
      "unknown",
      limitMs + 1,
      "failed"
    ]
  ] as const)("%s", (_, _tag, progress, nowMs, expected) =>
    assert.strictEqual(read(contextOf({}, {}, progress), { _tag }, nowMs), expected)
  )

  it("fails no order that has a final status", () => {
    const next = decide(contextOf({ state: "settled" }), { _tag: "Unsendable" })
    assert.isTrue(next.unexpected)
    assert.deepStrictEqual(keysOf(next.decision), ["-jobs bank:2"])
  })

  it("delays no inquiry beyond the end of the bank's processing time", () => {
    const { decision } = decide(contextOf({}, { tries: 4, startedAtMs: 2_000 }, "unknown"), { _tag: "NotFound" }, 3_000)
    assert.strictEqual(rowsOf(decision, "jobs")[0]?.dueAtMs, 2_000 + minuteMs)
  })
})

describe("an answer without an outcome", () => {
  it("keeps the reason", () => {
    assert.strictEqual(Inquiry.reasonOf({ _tag: "Lost", reason: "reset" }), "reset")
    assert.isUndefined(Inquiry.reasonOf(approved))
  })

  it.each(["Lost", "CannotSay"] as const)("leads to an inquiry in each state of the order: %s", (_tag) => {
    const next = decide(contextOf({ state: "verified", kind: "verification" }), { _tag })
    assert.isUndefined(next.unexpected)
    assert.strictEqual(rowsOf(next.decision, "jobs")[0]?.jobId, "bank:2")
  })
})

describe("an order in 3-D Secure", () => {
  it("can be declined, and cannot be approved", () => {
    const authenticating = { ...contextOf(), order: verification({ state: "authenticating" }) }
    assert.strictEqual(rowsOf(decide(authenticating, declined).decision, "orders")[0]?.state, "declined")
    assert.isTrue(decide(authenticating, approved).unexpected)
    assert.isTrue(decide(authenticating, { _tag: "Unsendable" }).unexpected)
  })
})
