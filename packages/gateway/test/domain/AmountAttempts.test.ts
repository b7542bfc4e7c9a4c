import { assert, describe, it } from "@effect/vitest"
import * as AmountAttempts from "../../src/orders/outcomes/AmountAttempts.ts"
import { request, sale } from "./Sample.ts"

const soft = 116
const hard = 209
const goesOn = (code: number, amountsLeft: string | null, nowMs = 2_000) =>
  AmountAttempts.mayGoOn({ order: sale({ amountsLeft }), request: request() }, code, {
    nowMs,
    resubmitWithinMs: 1_000
  })

describe("a list of amounts", () => {
  it.each([
    ["a charge of one amount", null, []],
    ["the last one", "", []],
    ["two more", "900,400", [900, 400]]
  ] as const)("holds what is left: %s", (_, amountsLeft, left) =>
    assert.deepStrictEqual(AmountAttempts.left({ amountsLeft }), [...left])
  )

  it("goes on after a decline that another amount may turn, soon enough, while one is left", () => {
    assert.isTrue(goesOn(soft, "900"))
    assert.isFalse(goesOn(hard, "900"))
    assert.isFalse(goesOn(soft, ""))
    assert.isFalse(goesOn(soft, null))
    assert.deepStrictEqual([goesOn(soft, "900", 2_000), goesOn(soft, "900", 2_001)], [true, false])
  })

  it.each([
    ["authorizing", "send", "authorizing"],
    ["unknown", "filter", "filtered"],
    ["authorizing", "filter", "filtered"],
    ["unknown", "send", "authorizing"]
  ] as const)("opens an order again that is %s: %s", (state, event, next) =>
    assert.strictEqual(AmountAttempts.reopened(state, event), next)
  )

  it("opens no order again that has ended", () =>
    assert.throws(() => AmountAttempts.reopened("settled", "send"), /settled/))
})
