import { assert, describe, it } from "@effect/vitest"
import * as AmountAttempts from "../../src/orders/decide/AmountAttempts.ts"
import { request, sale } from "./Sample.ts"

const soft = 116
const hard = 209
const continues = (code: number, remainingAmounts: string | null, nowMs = 2_000) =>
  AmountAttempts.mayContinue(
    { order: sale({ remainingAmounts }), request: request() },
    { _tag: "Declined", code, message: "" },
    { nowMs, resubmitWithinMs: 1_000 }
  )

describe("a list of amounts", () => {
  it.each([
    ["none, of a charge with one amount", null, []],
    ["none, at the last amount", "", []],
    ["two", "900,400", [900, 400]]
  ] as const)("gives the amounts that were not tried yet: %s", (_, remainingAmounts, left) =>
    assert.deepStrictEqual(AmountAttempts.remainingAmounts({ remainingAmounts }), [...left])
  )

  it("continues after a soft decline, in time, while an amount is left", () => {
    assert.isTrue(continues(soft, "900"))
    assert.isFalse(continues(hard, "900"))
    assert.isFalse(continues(soft, ""))
    assert.isFalse(continues(soft, null))
    assert.deepStrictEqual([continues(soft, "900", 2_000), continues(soft, "900", 2_001)], [true, false])
  })

  it.each([
    ["authorizing", "send", "authorizing"],
    ["unknown", "filter", "filtered"],
    ["authorizing", "filter", "filtered"],
    ["unknown", "send", "authorizing"]
  ] as const)("reopens an order in the state %s when its next attempt begins with %s", (state, event, next) =>
    assert.strictEqual(AmountAttempts.reopened(state, event), next)
  )

  it("reopens no order that has a final status", () =>
    assert.throws(() => AmountAttempts.reopened("settled", "send"), /settled/))
})
