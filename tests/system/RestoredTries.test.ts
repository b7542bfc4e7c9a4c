/** A restored copy knows only the first, declined try of a charge: only the bank knows the later tries. */
import { assert, describe, it } from "@effect/vitest"
import { decline, type Scenario } from "@pay/sandbox/Outcome"
import { SandboxControl } from "@pay/sandbox/SandboxControl"
import { declines } from "@pay/schema/Decline"
import { type Duration, Effect } from "effect"
import * as Recurring from "../harness/Recurring.ts"
import * as TestMerchant from "../harness/TestMerchant.ts"
import * as Copies from "./Copies.ts"

const poor: Scenario = { verdict: decline(declines.notSufficientFunds) }
const threeDaysMs = 3 * 86_400_000
/** It was approved, which the bank finds out an hour after the copy was put back. */
const undecided: Scenario = { delivery: { _tag: "Undecided", forMs: threeDaysMs + 3_600_000 } }
const plans = { declined: poor, undecided }

interface Case {
  readonly when: string
  /** The copy is made while the answer to the first try is lost, not after its decline. */
  readonly firstIsLost?: true
  readonly tries: ReadonlyArray<"declined" | "undecided" | "approved">
  readonly afterCopy: Duration.Input
  readonly expected: string
}

const cases: ReadonlyArray<Case> = [
  {
    when: "if the first try was unknown in the copy",
    firstIsLost: true,
    tries: ["declined", "declined", "approved"],
    afterCopy: "6 days",
    expected: "active: charged charged*4"
  },
  {
    when: "if there was no later try: the last try counts",
    tries: ["declined", "declined", "declined"],
    afterCopy: "6 days",
    expected: "suspended: charged failed*2"
  }
]

describe("a scheduled charge that was tried again after the copy ends with the bank's outcome", () => {
  it.live.each(cases)("$when", ({ expected, firstIsLost, afterCopy: formerLife, tries }) =>
    Copies.restored(
      Effect.fnUntraced(function* (backup) {
        const { next } = yield* SandboxControl
        const subscription = yield* Recurring.created({ expire_year: "2099", period: "weekly" })
        yield* next("authorize", firstIsLost === true ? { ...poor, delivery: { _tag: "AnswerLost" } } : poor)
        yield* Recurring.until(yield* Recurring.dayFromNow(7))
        yield* backup
        for (const outcome of tries) if (outcome !== "approved") yield* next("authorize", plans[outcome])
        yield* TestMerchant.pass(formerLife)
        return { id: subscription.id, ...(yield* Recurring.chargeOf(subscription.id, 1)) }
      }),
      Effect.fnUntraced(function* ({ id, orderId }) {
        yield* TestMerchant.settled
        yield* TestMerchant.pass("2 hours")
        assert.strictEqual(yield* Recurring.summary(id), expected)
        const order = yield* Recurring.chargeOf(id, 1)
        const { books, violations } = yield* SandboxControl
        assert.strictEqual(order.capturedMinor, (yield* books.totals(orderId)).capturedMinor)
        assert.deepStrictEqual(yield* violations, [])
        // The next occurrence is days away: the merchant need not wait for it.
        yield* Recurring.updated(id, { change: "cancel" })
      })
    )
  )
})
