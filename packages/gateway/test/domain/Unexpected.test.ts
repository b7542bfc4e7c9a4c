import { assert, describe, it } from "@effect/vitest"
import type * as Lifecycle from "../../src/orders/Lifecycle.ts"
import type { Order } from "../../src/orders/Order.ts"
import type { BankRequest, RailRequest } from "../../src/orders/OrderRequest.ts"
import * as CardAnswer from "../../src/orders/outcomes/CardAnswer.ts"
import type * as Inquiry from "../../src/orders/outcomes/Inquiry.ts"
import * as Unexpected from "../../src/orders/outcomes/Unexpected.ts"
import * as PayoutAnswer from "../../src/payouts/PayoutAnswer.ts"
import { item, payout, preauth, request, sale, verification } from "./Sample.ts"
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

/** Only the item goes: no order, no request, no money, no news. */
const changesNothing = ({ decision, resend, started, unexpected }: Inquiry.Next): void => {
  assert.isTrue(unexpected)
  assert.deepStrictEqual([started, resend], [[], false])
  assert.deepStrictEqual(
    decision.writes.map(({ _tag }) => _tag),
    ["Remove"]
  )
}

const over = ["settled", "voided", "lapsed", "verified", "declined", "filtered", "failed"] as const

describe("an answer for which the lifecycle has no transition changes nothing", () => {
  for (const state of over)
    for (const verdict of ["approved", "declined"] as const)
      it(`a sale is ${verdict} when it is ${state}`, () =>
        changesNothing(
          CardAnswer.decide({ order: sale({ state }), request: creation, item: item() }, answers[verdict], terms)
        ))

  const followUps: ReadonlyArray<readonly [what: string, order: Order, request: BankRequest]> = [
    ["a capture of a hold that was released", preauth({ state: "voided" }), request()],
    ["a capture that has ended", preauth(), request({ progress: "declined" })],
    ["a release of a hold that lapsed", preauth({ state: "lapsed" }), request({ action: "cancel", operation: "VOID" })],
    ["a refund of a payment that failed", sale({ state: "failed" }), request({ action: "refund", operation: "RETURN" })]
  ]
  for (const [what, order, question] of followUps)
    it(`${what} is approved`, () =>
      changesNothing(CardAnswer.decide({ order, request: question, item: item() }, answers.approved, terms)))

  for (const state of ["declined", "filtered", "failed", "bounced", "waiting"] as const)
    it(`a payout is approved when it is ${state}`, () =>
      changesNothing(
        PayoutAnswer.decide(
          { order: payoutOrder(state), request: pay, item: item(), payout: payout() },
          answers.approved,
          terms
        )
      ))
})

describe("such an answer is a task", () => {
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
    ["an approval of what was declined", "approved", sale({ state: "declined" }), [ended("declined")], true],
    ["a decline of what was approved", "declined", sale({ state: "settled" }), [ended("approved")], true],
    ["a decline of what was declined", "declined", sale({ state: "declined" }), [ended("declined")], false],
    ["an approval of what was approved", "approved", sale({ state: "settled" }), [ended("approved")], false],
    ["an approval of what another process asks for", "approved", sale({ state: "unknown" }), [ended("unknown")], false],
    [
      "an approval of what is open, its order over",
      "approved",
      sale({ state: "declined" }),
      [ended("moving")],
      true,
      true
    ],
    [
      "a decline of what is open, its order over",
      "declined",
      sale({ state: "declined" }),
      [ended("moving")],
      false,
      true
    ],
    ["a decline of what nobody knows, its order paid", "declined", sale({ state: "settled" }), [], true],
    [
      "a decline of what one record says was approved",
      "declined",
      sale({ state: "declined" }),
      [ended("declined"), ended("approved")],
      true
    ],
    [
      "an approval of what a record says was approved, another one open",
      "approved",
      sale({ state: "declined" }),
      [ended("unknown"), ended("approved")],
      false,
      true
    ]
  ]
  for (const [what, verdict, order, same, expected, isOver = false] of cases)
    it(what, () =>
      assert.strictEqual(Unexpected.contradicts(verdict, { order, request: creation }, same, isOver), expected)
    )

  it("of what moves money only", () => {
    const report = (verdict: "approved" | "declined", changes: Partial<BankRequest>) =>
      Unexpected.contradicts(verdict, { order: preauth({ state: "voided" }), request: request(changes) }, [], false)
    assert.isTrue(report("approved", { action: "capture" }))
    assert.isFalse(report("declined", { action: "capture" }))
    const verified = { order: verification({ state: "declined" }), request: request({ action: "verify" }) }
    assert.isFalse(Unexpected.contradicts("approved", verified, [], false))
  })

  it.each([
    ["no record of it", [], false],
    ["a record that is open", [request({ action: "cancel", progress: "moving" })], false],
    ["records that have ended", [request({ action: "cancel", progress: "approved" })], true],
    [
      "one that is open beside them",
      [request({ action: "cancel", progress: "approved" }), request({ action: "cancel", progress: "unknown" })],
      false
    ]
  ] as const)("a hold counts as unreleased where there is %s", (_, same, expected) => {
    const context = { order: preauth({ released: 0 }), request: request({ action: "cancel" }) }
    assert.strictEqual(Unexpected.isUnreleased(context, same), expected)
  })

  it("not of a release that is declined once more", () => {
    const ended = request({ action: "cancel", progress: "declined" })
    const context = { order: preauth({ released: 0 }), request: ended }
    assert.isFalse(Unexpected.contradicts("declined", context, [ended], false))
  })

  it("of a release that its whole return ended without", () => {
    const ended = request({ action: "cancel", progress: "approved" })
    const report = (verdict: "approved" | "declined", released: 0 | 1) =>
      Unexpected.contradicts(verdict, { order: preauth({ released }), request: ended }, [ended], false)
    assert.deepStrictEqual([report("approved", 0), report("approved", 1), report("declined", 1)], [true, false, true])
  })

  it("of an attempt that has ended, though its order goes on", () => {
    const same = [request({ progress: "moving" }), request({ requestId: "9", progress: "declined" })]
    const report = (verdict: "approved" | "declined") =>
      Unexpected.contradicts(verdict, { order: sale({ state: "registered" }), request: creation }, same, false)
    assert.deepStrictEqual([report("approved"), report("declined")], [true, false])
  })

  it("of a payout as of a payment", () => {
    const report = (verdict: "approved" | "declined", state: Lifecycle.State) =>
      Unexpected.contradicts(verdict, { order: payoutOrder(state), request: pay }, [], false)
    assert.deepStrictEqual([report("approved", "declined"), report("declined", "declined")], [true, false])
    assert.deepStrictEqual([report("approved", "paid"), report("declined", "paid")], [false, true])
  })
})

describe("an answer fits where the table has a transition", () => {
  it("ends a request only when it approves or declines", () => {
    const tags = ["Approved", "Declined", "NotSent", "Lost", "CannotSay", "NotFound", "Unsendable"] as const
    const verdicts = { Approved: "approved", Declined: "declined" } as const
    const answerOf = (_tag: (typeof tags)[number]): Inquiry.Answer =>
      _tag === "Approved" ? answers.approved : _tag === "Declined" ? answers.declined : { _tag }
    for (const tag of tags)
      assert.strictEqual(Unexpected.verdictOf(answerOf(tag)), tag in verdicts ? tag.toLowerCase() : undefined, tag)
  })

  const verdicts = ["approved", "declined", "failed"] as const
  it.each([
    ["a creation that is sent", sale({ state: "authorizing" }), creation, "approved declined failed"],
    ["a creation that nobody knows of", sale({ state: "unknown" }), creation, "approved declined failed"],
    ["a creation before 3-D Secure is done", sale({ state: "authenticating" }), creation, "declined"],
    ["a creation that waits for its customer", sale({ state: "registered" }), creation, ""],
    ["a creation that is over", sale(), creation, ""],
    ["a payout's creation", payoutOrder("paying"), creation, ""],
    ["a capture of a hold", preauth(), request(), "approved declined failed"],
    ["a capture of what is over", preauth({ state: "voided" }), request(), "declined failed"],
    ["a refund of what is captured", sale(), request({ action: "refund" }), "approved declined failed"],
    ["a refund of what failed", sale({ state: "failed" }), request({ action: "refund" }), "declined failed"],
    ["a capture that has ended", preauth(), request({ progress: "approved" }), ""]
  ] as const)("%s", (_, order, question, expected) =>
    assert.strictEqual(
      verdicts.filter((verdict) => Unexpected.bankFits({ order, request: question }, verdict)).join(" "),
      expected
    )
  )

  const check: RailRequest = { ...pay, action: "check" }
  it.each([
    ["a check", "checking", check, false, "approved declined failed"],
    ["a check of what is checked: only that it never happened", "checked", check, false, "failed"],
    ["a payment", "paying", pay, false, "approved declined failed"],
    ["a payment that nobody knows of", "uncertain", pay, false, "approved declined failed"],
    ["a payment that is over", "paid", pay, false, ""],
    ["a payment that has ended", "paying", { ...pay, progress: "approved" }, false, ""],
    ["a check that has ended", "checking", { ...check, progress: "approved" }, false, ""],
    [
      "a confirmed payment, asked about again",
      "paid",
      { ...pay, progress: "approved" },
      true,
      "approved declined failed"
    ],
    ["a bounced payment, asked about again", "bounced", { ...pay, progress: "approved" }, true, "approved"]
  ] as const)("%s", (_, state, question, posted, expected) => {
    const context = { order: payoutOrder(state), request: question }
    assert.strictEqual(verdicts.filter((verdict) => Unexpected.railFits(context, verdict, posted)).join(" "), expected)
  })
})

describe("what the bank took for nothing", () => {
  const output = { source: "bank", reference: "1-sale-0", verdict: "approved", amountMinor: 10_000 } as const
  const order = sale({ state: "declined" })

  it.each([
    ["a sale is refunded", "bank", "approved", "1-sale-0", "refund"],
    ["a capture is refunded", "bank", "approved", "1-capture-1", "refund"],
    ["a hold is cancelled", "bank", "approved", "1-authorize-0", "cancel"],
    ["a refund stays", "bank", "approved", "1-refund-1", undefined],
    ["a decline stays", "bank", "declined", "1-sale-0", undefined],
    ["what the rail did stays", "rail", "approved", "1-sale-0", undefined],
    ["what has no number of ours stays", "bank", "approved", "?", undefined]
  ] as const)("%s", (_, source, answer, reference, reversal) =>
    assert.strictEqual(Unexpected.reversalOf({ source, answer, reference }), reversal)
  )

  it.each([
    ["at once", output, true, "reversing", 5, ["reversal:1-sale-0.approved"]],
    ["when an operator says so", output, false, "open", null, []],
    ["never, of a decline", { ...output, verdict: "declined" }, true, "open", null, []]
  ] as const)("is given back %s", (_, what, reverse, state, reversingAtMs, items) => {
    const task = Unexpected.taskOf(order, what, reverse, 5)
    assert.deepInclude(task, { state, reversingAtMs, orderState: "declined" })
    const decision = { guards: [], writes: Unexpected.writesOf(task, 5) }
    assert.deepStrictEqual(
      rowsOf(decision, "agenda").map(({ itemId }) => itemId),
      [...items]
    )
    assert.lengthOf(rowsOf(decision, "banktasks"), 1)
  })
})
