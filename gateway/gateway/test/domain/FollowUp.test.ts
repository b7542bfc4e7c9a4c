import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import * as TextTable from "../../../../packages/schema/test/TextTable.ts"
import type * as Answer from "../../src/kernel/Answer.ts"
import * as FollowUp from "../../src/orders/decide/FollowUp.ts"
import type { Order } from "../../src/orders/record/Order.ts"
import { eligibility, preauth, sale, transfer, verification } from "./Sample.ts"

/** Returns the outcome of a follow-up: `action amount`, or the name of the refusal. */
const verdict = (planned: Result.Result<FollowUp.Plan, Answer.Refusal>): string =>
  Result.match(planned, {
    onFailure: ({ error }) => error,
    onSuccess: ({ action, amountMinor }) => `${action} ${amountMinor}`
  })

const all = (order: Order) => [
  verdict(FollowUp.capture(order, undefined)),
  verdict(FollowUp.capture(order, 4_000)),
  verdict(FollowUp.voidHold(order)),
  verdict(FollowUp.refund(order, undefined)),
  verdict(FollowUp.refund(order, 4_000))
]

const partly = { capturedMinor: 6_000 }

const orders: Readonly<Record<string, Order>> = {
  "preauth under way": preauth({ state: "authorizing", authorizedMinor: 0 }),
  "preauth unknown": preauth({ state: "unknown", authorizedMinor: 0 }),
  "preauth declined": preauth({ state: "declined", authorizedMinor: 0 }),
  preauth: preauth(),
  "capture of 60 under way": preauth({ capturingMinor: 6_000, inFlightCount: 1 }),
  "capture of 80 under way": preauth({ capturingMinor: 8_000, inFlightCount: 1 }),
  "60 captured": preauth(partly),
  "60 captured, 40 more under way": preauth({ ...partly, capturingMinor: 4_000, inFlightCount: 1 }),
  "60 captured, void under way": preauth({ ...partly, voiding: 1, inFlightCount: 1 }),
  "60 captured, 30 returned": preauth({ ...partly, refundedMinor: 3_000 }),
  "60 captured, 60 returned": preauth({ ...partly, refundedMinor: 6_000 }),
  "60 captured, rest released": preauth({ ...partly, state: "settled" }),
  "all captured": preauth({ state: "settled", capturedMinor: 10_000 }),
  voided: preauth({ state: "voided" }),
  lapsed: preauth({ state: "lapsed" }),
  verification: verification(),
  transfer: transfer(),
  eligibility: eligibility(),
  payout: preauth({ kind: "payout", state: "paid", authorizedMinor: 0 }),
  sale: sale(),
  "sale, return of 70 under way": sale({ refundingMinor: 7_000, inFlightCount: 1 }),
  "sale, 70 returned": sale({ refundedMinor: 7_000 }),
  "sale, all returned": sale({ refundedMinor: 10_000 }),
  "sale, 70 charged back": sale({ chargedBackMinor: 7_000 }),
  "70 returned and charged back": sale({ refundedMinor: 7_000, chargedBackMinor: 7_000 })
}

/** Every order × every follow-up: action and amount at the bank, or the refusal. */
const table = `
order                          | capture       | capture 40    | void         | return                | return 40
preauth under way              | orderState    | orderState    | orderState   | orderState            | orderState
preauth unknown                | orderState    | orderState    | orderState   | orderState            | orderState
preauth declined               | orderState    | orderState    | orderState   | orderState            | orderState
preauth                        | capture 10000 | capture 4000  | void 10000   | void 10000            | amountNotAllowed
capture of 60 under way        | capture 4000  | capture 4000  | orderState   | orderState            | orderState
capture of 80 under way        | capture 2000  | amountExceeds | orderState   | orderState            | orderState
60 captured                    | capture 4000  | capture 4000  | void 4000    | refundThenVoid 6000   | refund 4000
60 captured, 40 more under way | amountExceeds | amountExceeds | orderState   | orderState            | orderState
60 captured, void under way    | orderState    | orderState    | orderState   | orderState            | refund 4000
60 captured, 30 returned       | capture 4000  | capture 4000  | void 4000    | refundThenVoid 3000   | amountExceeds
60 captured, 60 returned       | orderState    | orderState    | void 4000    | amountExceeds         | amountExceeds
60 captured, rest released     | orderState    | orderState    | orderState   | refund 6000           | refund 4000
all captured                   | orderState    | orderState    | orderState   | refund 10000          | refund 4000
voided                         | orderState    | orderState    | orderState   | orderState            | orderState
lapsed                         | orderState    | orderState    | orderState   | orderState            | orderState
verification                   | orderState    | orderState    | orderState   | orderState            | orderState
transfer                       | orderState    | orderState    | orderState   | orderState            | orderState
eligibility                    | orderState    | orderState    | orderState   | orderState            | orderState
payout                         | orderState    | orderState    | orderState   | orderState            | orderState
sale                           | orderState    | orderState    | orderState   | refund 10000          | refund 4000
sale, return of 70 under way   | orderState    | orderState    | orderState   | refund 3000           | amountExceeds
sale, 70 returned              | orderState    | orderState    | orderState   | refund 3000           | amountExceeds
sale, all returned             | orderState    | orderState    | orderState   | amountExceeds         | amountExceeds
sale, 70 charged back          | orderState    | orderState    | orderState   | refund 3000           | amountExceeds
70 returned and charged back   | orderState    | orderState    | orderState   | amountExceeds         | amountExceeds
`
const [, ...cases] = TextTable.rows(table)

describe("follow-ups of an order of 100.00", () => {
  it("have a row in the table for each order", () =>
    assert.deepStrictEqual(
      cases.map(([name]) => name),
      Object.keys(orders)
    ))

  it.each(cases)("are accepted or refused as in the table: %s", (name, ...expected) => {
    const order = orders[name ?? ""]
    assert(order !== undefined)
    assert.deepStrictEqual(all(order), expected)
  })

  it.each([
    ["preauth", preauth(), "capture 4000", "amountNotAllowed", "void 10000"],
    ["60 captured", preauth(partly), "capture 4000", "refund 4000", "amountExceeds"],
    ["sale", sale(), "orderState", "refund 4000", "refund 10000"]
  ] as const)("need an amount if the endpoint requires one: %s", (_, order, capture40, return40, return100) => {
    const terms = { needsAmount: true }
    assert.deepStrictEqual(
      [
        verdict(FollowUp.capture(order, undefined, terms)),
        verdict(FollowUp.refund(order, undefined, terms)),
        verdict(FollowUp.capture(order, 4_000, terms)),
        verdict(FollowUp.refund(order, 4_000, terms)),
        verdict(FollowUp.refund(order, 10_000, terms))
      ],
      ["parameterRequired", "parameterRequired", capture40, return40, return100]
    )
  })

  const signs = { needsAmount: true, signsOrderAmount: true }
  it.each([
    ["a hold", preauth(), signs, "capture 10000"],
    ["a hold, partly captured", preauth(partly), signs, "parameterRequired"],
    ["a hold that is being captured", preauth({ capturingMinor: 1, inFlightCount: 1 }), signs, "parameterRequired"],
    ["a hold, signed without an amount", preauth(), { ...signs, signsOrderAmount: false }, "parameterRequired"]
  ] as const)(
    "need no amount if the signature covers the amount of an untouched hold: %s",
    (_, order, terms, expected) => {
      assert.deepStrictEqual(
        [verdict(FollowUp.capture(order, undefined, terms)), verdict(FollowUp.refund(order, undefined, terms))],
        [expected, "parameterRequired"]
      )
    }
  )

  it("may name the whole amount of an uncaptured hold in the older dialect", () => {
    const older = { needsAmount: false, takesWholeAmount: true }
    assert.deepStrictEqual(
      [
        verdict(FollowUp.refund(preauth(), 10_000, older)),
        verdict(FollowUp.refund(preauth(), 9_999, older)),
        verdict(FollowUp.refund(preauth(), 10_000)),
        verdict(FollowUp.refund(preauth(), undefined, older))
      ],
      ["void 10000", "amountNotAllowed", "amountNotAllowed", "void 10000"]
    )
  })

  it("reserve their amount, so that a second capture cannot exceed the hold", () => {
    const first = Result.getOrThrow(FollowUp.capture(preauth(), 7_000))
    assert.strictEqual(verdict(FollowUp.capture(first.order, 4_000)), "amountExceeds")
    assert.strictEqual(first.order.version, 4)
    assert.strictEqual(first.order.sequence, 1)
  })
})

describe("the amounts left to capture and to return, and the voided amount, of an order of 100.00", () => {
  it.each([
    ["a hold", preauth(), 10_000, 0, 0],
    ["a hold, partly captured and being captured", preauth({ ...partly, capturingMinor: 1_000 }), 3_000, 6_000, 0],
    ["a hold that was voided", preauth({ state: "voided" }), 0, 0, 10_000],
    ["a hold, partly captured, whose rest was voided", preauth({ ...partly, state: "settled" }), 0, 6_000, 4_000],
    ["a hold whose captures were all returned", preauth({ ...partly, refundedMinor: 6_000 }), 0, 0, 0],
    ["a sale, partly returned and being returned", sale({ refundedMinor: 1_000, refundingMinor: 2_000 }), 0, 7_000, 0],
    ["a transfer, which has no hold", transfer({ authorizedMinor: 0 }), 0, 0, 0]
  ] as const)("%s", (_, order, capturable, refundable, voided) =>
    assert.deepStrictEqual(
      [FollowUp.capturableMinor(order), FollowUp.refundableMinor(order), FollowUp.voidedMinor(order)],
      [capturable, refundable, voided]
    )
  )
})

describe("the plan of a follow-up", () => {
  const moving = preauth({ ...partly, voiding: 1, inFlightCount: 1 })
  it.each([
    ["a capture of what is left", FollowUp.capture(preauth(), undefined), 0, 0],
    ["a capture of an amount", FollowUp.capture(preauth(), 10_000), 1, 0],
    ["a void", FollowUp.voidHold(preauth()), 0, 1],
    ["a return of everything, with the rest of the hold", FollowUp.refund(preauth(partly), undefined), 0, 1],
    ["a return of an amount", FollowUp.refund(preauth(partly), 6_000), 1, 0],
    ["a return of an amount while the hold is being released", FollowUp.refund(moving, 6_000), 1, 1]
  ] as const)(
    "states whether the request named the amount, and whether it releases the hold: %s",
    (_, planned, hasAmount, voiding) => {
      assert(Result.isSuccess(planned))
      const { order, ...plan } = planned.success
      assert.deepStrictEqual([plan.hasAmount, order.voiding], [hasAmount, voiding])
    }
  )
})
