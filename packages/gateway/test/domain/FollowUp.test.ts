import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import type * as Answer from "../../src/kernel/Answer.ts"
import * as FollowUp from "../../src/orders/FollowUp.ts"
import type { Order } from "../../src/orders/Order.ts"
import { eligibility, preauth, sale, transfer, verification } from "./Sample.ts"

/** What became of a wish: `action amount`, or the refusal's name. */
const verdict = (planned: Result.Result<FollowUp.Plan, Answer.Refusal>): string =>
  Result.match(planned, {
    onFailure: ({ error }) => error,
    onSuccess: ({ action, amountMinor }) => `${action} ${amountMinor}`
  })

const all = (order: Order) => [
  verdict(FollowUp.capture(order, undefined)),
  verdict(FollowUp.capture(order, 4_000)),
  verdict(FollowUp.cancel(order)),
  verdict(FollowUp.refund(order, undefined)),
  verdict(FollowUp.refund(order, 4_000))
]

const partly = { capturedMinor: 6_000 }

/** Orders × what a merchant may ask of them. */
const table: ReadonlyArray<
  readonly [string, Order, capture: string, capture40: string, cancel: string, refund: string, refund40: string]
> = [
  [
    "preauth under way",
    preauth({ state: "authorizing", authorizedMinor: 0 }),
    "orderState",
    "orderState",
    "orderState",
    "orderState",
    "orderState"
  ],
  [
    "preauth unknown",
    preauth({ state: "unknown", authorizedMinor: 0 }),
    "orderState",
    "orderState",
    "orderState",
    "orderState",
    "orderState"
  ],
  [
    "preauth declined",
    preauth({ state: "declined", authorizedMinor: 0 }),
    "orderState",
    "orderState",
    "orderState",
    "orderState",
    "orderState"
  ],
  ["preauth", preauth(), "capture 10000", "capture 4000", "cancel 10000", "cancel 10000", "amountNotAllowed"],
  [
    "capture of 60 under way",
    preauth({ capturingMinor: 6_000, movingCount: 1 }),
    "capture 4000",
    "capture 4000",
    "orderState",
    "orderState",
    "orderState"
  ],
  [
    "capture of 80 under way",
    preauth({ capturingMinor: 8_000, movingCount: 1 }),
    "capture 2000",
    "amountExceeds",
    "orderState",
    "orderState",
    "orderState"
  ],
  [
    "60 captured",
    preauth(partly),
    "capture 4000",
    "capture 4000",
    "cancel 4000",
    "refundThenCancel 6000",
    "refund 4000"
  ],
  [
    "60 captured, 40 more under way",
    preauth({ ...partly, capturingMinor: 4_000, movingCount: 1 }),
    "amountExceeds",
    "amountExceeds",
    "orderState",
    "orderState",
    "orderState"
  ],
  [
    "60 captured, void under way",
    preauth({ ...partly, releasing: 1, movingCount: 1 }),
    "orderState",
    "orderState",
    "orderState",
    "orderState",
    "refund 4000"
  ],
  [
    "60 captured, 30 returned",
    preauth({ ...partly, returnedMinor: 3_000 }),
    "capture 4000",
    "capture 4000",
    "cancel 4000",
    "refundThenCancel 3000",
    "amountExceeds"
  ],
  [
    "60 captured, 60 returned",
    preauth({ ...partly, returnedMinor: 6_000 }),
    "orderState",
    "orderState",
    "cancel 4000",
    "amountExceeds",
    "amountExceeds"
  ],
  [
    "60 captured, rest released",
    preauth({ ...partly, state: "settled", released: 1 }),
    "orderState",
    "orderState",
    "orderState",
    "refund 6000",
    "refund 4000"
  ],
  [
    "all captured",
    preauth({ state: "settled", capturedMinor: 10_000 }),
    "orderState",
    "orderState",
    "orderState",
    "refund 10000",
    "refund 4000"
  ],
  [
    "voided",
    preauth({ state: "voided", released: 1 }),
    "orderState",
    "orderState",
    "orderState",
    "orderState",
    "orderState"
  ],
  [
    "lapsed",
    preauth({ state: "lapsed", released: 1 }),
    "orderState",
    "orderState",
    "orderState",
    "orderState",
    "orderState"
  ],
  ["verification", verification(), "orderState", "orderState", "orderState", "orderState", "orderState"],
  ["transfer", transfer(), "orderState", "orderState", "orderState", "orderState", "orderState"],
  ["eligibility", eligibility(), "orderState", "orderState", "orderState", "orderState", "orderState"],
  [
    "payout",
    preauth({ kind: "payout", state: "paid", authorizedMinor: 0 }),
    "orderState",
    "orderState",
    "orderState",
    "orderState",
    "orderState"
  ],
  ["sale", sale(), "orderState", "orderState", "orderState", "refund 10000", "refund 4000"],
  [
    "sale, return of 70 under way",
    sale({ returningMinor: 7_000, movingCount: 1 }),
    "orderState",
    "orderState",
    "orderState",
    "refund 3000",
    "amountExceeds"
  ],
  [
    "sale, 70 returned",
    sale({ returnedMinor: 7_000 }),
    "orderState",
    "orderState",
    "orderState",
    "refund 3000",
    "amountExceeds"
  ],
  [
    "sale, all returned",
    sale({ returnedMinor: 10_000 }),
    "orderState",
    "orderState",
    "orderState",
    "amountExceeds",
    "amountExceeds"
  ]
]

describe("follow-ups of an order of 100.00", () => {
  for (const [name, order, ...expected] of table) it(name, () => assert.deepStrictEqual(all(order), expected))

  it.each([
    ["preauth", preauth(), "capture 4000", "amountNotAllowed", "cancel 10000"],
    ["60 captured", preauth(partly), "capture 4000", "refund 4000", "amountExceeds"],
    ["sale", sale(), "orderState", "refund 4000", "refund 10000"]
  ] as const)(
    "are taken with an amount only where the endpoint says so: %s",
    (_, order, capture40, return40, return100) => {
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
    }
  )

  const signs = { needsAmount: true, signsOrderAmount: true }
  it.each([
    ["a hold", preauth(), signs, "capture 10000"],
    ["a hold, partly captured", preauth(partly), signs, "parameterRequired"],
    ["a hold that is being captured", preauth({ capturingMinor: 1, movingCount: 1 }), signs, "parameterRequired"],
    ["a hold, with the control of no amount", preauth(), { ...signs, signsOrderAmount: false }, "parameterRequired"]
  ] as const)("are taken without an amount where control covers the order's: %s", (_, order, terms, expected) => {
    assert.deepStrictEqual(
      [verdict(FollowUp.capture(order, undefined, terms)), verdict(FollowUp.refund(order, undefined, terms))],
      [expected, "parameterRequired"]
    )
  })

  it("may name the whole amount of an uncaptured hold in the older dialect", () => {
    const older = { needsAmount: false, takesWholeAmount: true }
    assert.deepStrictEqual(
      [
        verdict(FollowUp.refund(preauth(), 10_000, older)),
        verdict(FollowUp.refund(preauth(), 9_999, older)),
        verdict(FollowUp.refund(preauth(), 10_000)),
        verdict(FollowUp.refund(preauth(), undefined, older))
      ],
      ["cancel 10000", "amountNotAllowed", "amountNotAllowed", "cancel 10000"]
    )
  })

  it("counts what it asks for as used, so that a second wish sees it", () => {
    const first = Result.getOrThrow(FollowUp.capture(preauth(), 7_000))
    assert.strictEqual(verdict(FollowUp.capture(first.order, 4_000)), "amountExceeds")
    assert.strictEqual(first.order.version, 4)
    assert.strictEqual(first.order.sequence, 1)
  })
})

/** An order in a state that no table leads to: each of its columns is enough by itself. */
const over = { state: preauth({ state: "voided" }), released: preauth({ released: 1 }) }

describe("what is left of an order of 100.00", () => {
  it.each([
    ["a hold", preauth(), 10_000, 0],
    ["a hold, partly captured and being captured", preauth({ ...partly, capturingMinor: 1_000 }), 3_000, 6_000],
    ["a hold that is no more", over.state, 0, 0],
    ["a hold that is released", over.released, 0, 0],
    ["a hold whose captures were all returned", preauth({ ...partly, returnedMinor: 6_000 }), 0, 0],
    ["a sale, partly returned and being returned", sale({ returnedMinor: 1_000, returningMinor: 2_000 }), 0, 7_000],
    ["a transfer", transfer(), 0, 0]
  ] as const)("%s", (_, order, capturable, returnable) =>
    assert.deepStrictEqual([FollowUp.capturableMinor(order), FollowUp.returnableMinor(order)], [capturable, returnable])
  )
})

describe("a plan says", () => {
  const moving = preauth({ ...partly, releasing: 1, movingCount: 1 })
  it.each([
    ["a capture of what is left", FollowUp.capture(preauth(), undefined), 0, 0],
    ["a capture of an amount", FollowUp.capture(preauth(), 10_000), 1, 0],
    ["a void", FollowUp.cancel(preauth()), 0, 1],
    ["a return of everything, with the rest of the hold", FollowUp.refund(preauth(partly), undefined), 0, 1],
    ["a return of an amount", FollowUp.refund(preauth(partly), 6_000), 1, 0],
    ["a return of an amount while the hold is being released", FollowUp.refund(moving, 6_000), 1, 1]
  ] as const)("whether the amount was named and the hold is released: %s", (_, planned, amountGiven, releasing) => {
    assert(Result.isSuccess(planned))
    const { order, ...plan } = planned.success
    assert.deepStrictEqual([plan.amountGiven, order.releasing], [amountGiven, releasing])
  })
})
