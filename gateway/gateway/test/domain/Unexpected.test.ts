import { assert, describe, it } from "@effect/vitest"
import * as Jobs from "../../src/kernel/Jobs.ts"
import * as CardAnswer from "../../src/orders/decide/CardAnswer.ts"
import type * as Inquiry from "../../src/orders/decide/Inquiry.ts"
import * as Unexpected from "../../src/orders/decide/Unexpected.ts"
import type * as Lifecycle from "../../src/orders/record/Lifecycle.ts"
import type { Order } from "../../src/orders/record/Order.ts"
import type { BankRequest, RailRequest } from "../../src/orders/record/OrderRequest.ts"
import * as PayoutAnswer from "../../src/payouts/decide/PayoutAnswer.ts"
import { job, payout, preauth, request, sale, verification } from "./Sample.ts"
import { rowsOf } from "./Written.ts"

const terms = {
  nowMs: 2_000,
  claim: undefined,
  holdMs: 1,
  resubmitWithinMs: 1,
  longestProcessingMs: 1,
  underWayMs: Number.POSITIVE_INFINITY,
  lateRefusalAfterMs: [],
  approvalUntilMs: undefined
}
const answers: Readonly<Record<"approved" | "declined", Inquiry.Answer>> = {
  approved: { _tag: "Approved", approvalCode: "A1", processorTxId: "T1" },
  declined: { _tag: "Declined", code: 116, message: "Not sufficient funds" }
}

const creation = request({ operation: "SALE", action: "sale", sequence: 0, amountMinor: 10_000 })
const pay: RailRequest = { ...creation, operation: "PAYOUT", action: "pay" }
const payoutOrder = (state: Lifecycle.State): Order => sale({ kind: "payout", state })

/** Asserts that only the job is removed: order, request, ledger and callbacks stay as they are. */
const changesNothing = ({ decision, resend, unexpected }: Inquiry.Next): void => {
  assert.isTrue(unexpected)
  assert.deepStrictEqual([Jobs.started(decision), resend], [[], false])
  assert.deepStrictEqual(
    decision.writes.map(({ _tag }) => _tag),
    ["Remove"]
  )
}

const over = ["settled", "voided", "lapsed", "verified", "declined", "filtered", "failed"] as const

describe("an answer for which the lifecycle has no transition changes nothing", () => {
  for (const state of over)
    for (const verdict of ["approved", "declined"] as const)
      it(`a sale in the state ${state} is ${verdict}`, () =>
        changesNothing(
          CardAnswer.decide({ order: sale({ state }), request: creation, job: job() }, answers[verdict], terms)
        ))

  const followUps: ReadonlyArray<readonly [what: string, order: Order, request: BankRequest]> = [
    ["a capture of a released hold", preauth({ state: "voided" }), request()],
    ["a capture that was declined", preauth(), request({ progress: "declined" })],
    ["a release of a lapsed hold", preauth({ state: "lapsed" }), request({ action: "void", operation: "VOID" })],
    ["a refund of a failed payment", sale({ state: "failed" }), request({ action: "refund", operation: "RETURN" })]
  ]
  for (const [what, order, question] of followUps)
    it(`${what} is approved`, () =>
      changesNothing(CardAnswer.decide({ order, request: question, job: job() }, answers.approved, terms)))

  for (const state of ["declined", "filtered", "failed", "bounced", "waiting"] as const)
    it(`a payout in the state ${state} is approved`, () =>
      changesNothing(
        PayoutAnswer.decide(
          { order: payoutOrder(state), request: pay, job: job(), payout: payout() },
          answers.approved,
          terms
        )
      ))
})

describe("an unexpected answer opens a task for an operator", () => {
  const ended = (progress: BankRequest["progress"]) => ({ ...creation, progress })
  const cases: ReadonlyArray<
    readonly [
      what: string,
      verdict: "approved" | "declined",
      order: Order,
      same: ReadonlyArray<BankRequest>,
      isTask: boolean,
      isOver?: boolean
    ]
  > = [
    ["an approval of a declined request", "approved", sale({ state: "declined" }), [ended("declined")], true],
    ["a decline of an approved request", "declined", sale({ state: "settled" }), [ended("approved")], true],
    ["a decline of a declined request", "declined", sale({ state: "declined" }), [ended("declined")], false],
    ["an approval of an approved request", "approved", sale({ state: "settled" }), [ended("approved")], false],
    [
      "an approval of a request with another process",
      "approved",
      sale({ state: "unknown" }),
      [ended("unknown")],
      false
    ],
    [
      "an approval of an open request, its order final",
      "approved",
      sale({ state: "declined" }),
      [ended("processing")],
      true,
      true
    ],
    [
      "a decline of an open request, its order final",
      "declined",
      sale({ state: "declined" }),
      [ended("processing")],
      false,
      true
    ],
    ["a decline without a request, its order captured", "declined", sale({ state: "settled" }), [], true],
    [
      "a decline of a request with one approved attempt",
      "declined",
      sale({ state: "declined" }),
      [ended("declined"), ended("approved")],
      true
    ],
    [
      "an approval of a request with one approved and one open attempt",
      "approved",
      sale({ state: "declined" }),
      [ended("unknown"), ended("approved")],
      false,
      true
    ]
  ]
  for (const [what, verdict, order, same, expected, isOver = false] of cases)
    it(`only if it contradicts the request or the order: ${what}`, () =>
      assert.strictEqual(Unexpected.contradicts(verdict, { order, request: creation }, same, isOver), expected))

  it("only if the request moves money", () => {
    const report = (verdict: "approved" | "declined", changes: Partial<BankRequest>) =>
      Unexpected.contradicts(verdict, { order: preauth({ state: "voided" }), request: request(changes) }, [], false)
    assert.isTrue(report("approved", { action: "capture" }))
    assert.isFalse(report("declined", { action: "capture" }))
    const verified = { order: verification({ state: "declined" }), request: request({ action: "verify" }) }
    assert.isFalse(Unexpected.contradicts("approved", verified, [], false))
  })

  it.each([
    ["no request", [], false],
    ["an open request", [request({ action: "void", progress: "processing" })], false],
    ["a finished request", [request({ action: "void", progress: "approved" })], true],
    [
      "an open request beside a finished one",
      [request({ action: "void", progress: "approved" }), request({ action: "void", progress: "unknown" })],
      false
    ]
  ] as const)("if the release of a hold ended and the hold is not released: %s", (_, same, expected) => {
    const context = { order: preauth(), request: request({ action: "void" }) }
    assert.strictEqual(Unexpected.isUnreleased(context, same), expected)
  })

  it("not if a declined release is declined again", () => {
    const ended = request({ action: "void", progress: "declined" })
    const context = { order: preauth(), request: ended }
    assert.isFalse(Unexpected.contradicts("declined", context, [ended], false))
  })

  it("if the bank approves a release that a return of the whole amount ended without", () => {
    const ended = request({ action: "void", progress: "approved" })
    const voided = preauth({ state: "voided" })
    const report = (verdict: "approved" | "declined", order: Order) =>
      Unexpected.contradicts(verdict, { order, request: ended }, [ended], false)
    assert.deepStrictEqual(
      [report("approved", preauth()), report("approved", voided), report("declined", voided)],
      [true, false, true]
    )
  })

  it("if the bank approves a declined attempt of an order that continues", () => {
    const same = [request({ progress: "processing" }), request({ requestId: "9", progress: "declined" })]
    const report = (verdict: "approved" | "declined") =>
      Unexpected.contradicts(verdict, { order: sale({ state: "registered" }), request: creation }, same, false)
    assert.deepStrictEqual([report("approved"), report("declined")], [true, false])
  })

  it("for a payout as for a card payment", () => {
    const report = (verdict: "approved" | "declined", state: Lifecycle.State) =>
      Unexpected.contradicts(verdict, { order: payoutOrder(state), request: pay }, [], false)
    assert.deepStrictEqual([report("approved", "declined"), report("declined", "declined")], [true, false])
    assert.deepStrictEqual([report("approved", "paid"), report("declined", "paid")], [false, true])
  })
})

describe("an answer is expected if the lifecycle has a transition for it", () => {
  it("ends a request only if it approves or declines it", () => {
    const tags = ["Approved", "Declined", "NotSent", "Lost", "CannotSay", "NotFound", "Unsendable"] as const
    const verdicts = { Approved: "approved", Declined: "declined" } as const
    const answerOf = (_tag: (typeof tags)[number]): Inquiry.Answer =>
      _tag === "Approved" ? answers.approved : _tag === "Declined" ? answers.declined : { _tag }
    for (const tag of tags)
      assert.strictEqual(Unexpected.verdictOf(answerOf(tag)), tag in verdicts ? tag.toLowerCase() : undefined, tag)
  })

  const verdicts = ["approved", "declined", "failed"] as const
  it.each([
    ["a creation under way", sale({ state: "authorizing" }), creation, "approved declined failed"],
    ["a creation with an unknown outcome", sale({ state: "unknown" }), creation, "approved declined failed"],
    ["a creation in 3-D Secure", sale({ state: "authenticating" }), creation, "declined"],
    ["a creation on a hosted page", sale({ state: "registered" }), creation, ""],
    ["a creation of a settled order", sale(), creation, ""],
    ["a creation of a payout", payoutOrder("paying"), creation, ""],
    ["a capture of a hold", preauth(), request(), "approved declined failed"],
    ["a capture of a voided hold", preauth({ state: "voided" }), request(), "declined failed"],
    ["a refund of a captured sale", sale(), request({ action: "refund" }), "approved declined failed"],
    ["a refund of a failed sale", sale({ state: "failed" }), request({ action: "refund" }), "declined failed"],
    ["a finished capture", preauth(), request({ progress: "approved" }), ""]
  ] as const)("of the bank: %s", (_, order, question, expected) =>
    assert.strictEqual(
      verdicts.filter((verdict) => Unexpected.bankFits({ order, request: question }, verdict)).join(" "),
      expected
    )
  )

  const check: RailRequest = { ...pay, action: "check" }
  it.each([
    ["a check", "checking", check, false, "approved declined failed"],
    ["a check of a checked payout", "checked", check, false, "failed"],
    ["a payment", "paying", pay, false, "approved declined failed"],
    ["a payment with an unknown outcome", "unknown", pay, false, "approved declined failed"],
    ["a payment of a paid payout", "paid", pay, false, ""],
    ["a finished payment", "paying", { ...pay, progress: "approved" }, false, ""],
    ["a finished check", "checking", { ...check, progress: "approved" }, false, ""],
    [
      "an inquiry for a late refusal of a paid payout",
      "paid",
      { ...pay, progress: "approved" },
      true,
      "approved declined failed"
    ],
    ["an inquiry for a late refusal of a bounced payout", "bounced", { ...pay, progress: "approved" }, true, "approved"]
  ] as const)("of the rail: %s", (_, state, question, posted, expected) => {
    const context = { order: payoutOrder(state), request: question }
    assert.strictEqual(verdicts.filter((verdict) => Unexpected.railFits(context, verdict, posted)).join(" "), expected)
  })
})

describe("money that the bank moved for an order that was not approved", () => {
  const output = { source: "bank", reference: "1-sale-0", verdict: "approved", amountMinor: 10_000 } as const
  const order = sale({ state: "declined" })

  it.each([
    ["is refunded for a sale", "bank", "approved", "1-sale-0", "refund"],
    ["is refunded for a capture", "bank", "approved", "1-capture-1", "refund"],
    ["is released for a hold", "bank", "approved", "1-authorize-0", "void"],
    ["stays for a refund", "bank", "approved", "1-refund-1", undefined],
    ["stays for a decline", "bank", "declined", "1-sale-0", undefined],
    ["stays for a request to the rail", "rail", "approved", "1-sale-0", undefined],
    ["stays for a reference that is not one of the gateway's", "bank", "approved", "?", undefined],
    ["stays for an answer that cannot be committed", "bank", "approved", "1-sale-0", undefined, "uncommitted"]
  ] as const)("%s", (_, source, answer, reference, reversal, suffix: string = answer) => {
    const taskId = `${reference}.${suffix}`
    assert.strictEqual(Unexpected.reversalOf({ source, answer, reference, taskId }), reversal)
  })

  it.each([
    [
      "is given back at once if the endpoint is configured so",
      output,
      true,
      "reversing",
      5,
      ["reversal:1-sale-0.approved"]
    ],
    ["is given back only by an operator otherwise", output, false, "open", null, []],
    ["is not given back at once for a decline", { ...output, verdict: "declined" }, true, "open", null, []]
  ] as const)("%s", (_, what, reverse, state, reversingAtMs, jobs) => {
    const task = Unexpected.taskOf(order, what, reverse, 5)
    assert.deepInclude(task, { state, reversingAtMs, orderState: "declined" })
    const decision = { guards: [], writes: Unexpected.writesOf(task, 5) }
    assert.deepStrictEqual(
      rowsOf(decision, "jobs").map(({ jobId }) => jobId),
      [...jobs]
    )
    assert.lengthOf(rowsOf(decision, "bankTasks"), 1)
  })
})
