/** How the outcome of a request ends whose answer is lost. */
import { assert, describe, it } from "@effect/vitest"
import type { Way } from "../../src/orders/bank/UnknownOutcome.ts"
import * as UnknownWay from "../../src/orders/decide/UnknownWay.ts"

const minuteMs = 60_000
const resend: Way = { by: "resend", windowMs: 10 * minuteMs }
const [inquiry, reversal, person]: ReadonlyArray<Way> = [{ by: "inquiry" }, { by: "reversal" }, { by: "person" }]

const now: UnknownWay.Circumstances = {
  nowMs: 0,
  ageMs: 0,
  resubmitWithinMs: 15 * minuteMs,
  mayBeOfAnother: false,
  isComplete: true,
  canReverse: true
}
const sale = { action: "sale", acceptedAtMs: 0, processorTxId: null } as const
const refund = { ...sale, action: "refund" } as const
const accepted = { ...sale, processorTxId: "tx-1" }

type Row = readonly [
  what: string,
  request: typeof sale | typeof refund | typeof accepted,
  ways: ReadonlyArray<Way | undefined>,
  changes: Partial<UnknownWay.Circumstances>,
  way: string
]
const rows: ReadonlyArray<Row> = [
  ["an inquiry comes first where it is declared first", sale, [inquiry, resend], {}, "inquiry"],
  [
    "the identical request at the window's end less a minute",
    sale,
    [resend, person],
    { nowMs: 9 * minuteMs },
    "resend"
  ],
  ["the next way a moment later", sale, [resend, reversal], { nowMs: 9 * minuteMs + 1 }, "reversal"],
  [
    "the window less its declared margin",
    sale,
    [{ ...resend, marginMs: 2 * minuteMs }, reversal],
    { nowMs: 8 * minuteMs + 1 },
    "reversal"
  ],
  ["the next way where the clock was set back", sale, [resend, reversal], { ageMs: 9 * minuteMs + 1 }, "reversal"],
  ["the next way where the clock is before the acceptance", sale, [resend, reversal], { nowMs: -1 }, "reversal"],
  ["a payment is not sent again after resubmitWithinMs", sale, [resend], { nowMs: 6, resubmitWithinMs: 5 }, "person"],
  ["a refund is", refund, [resend], { nowMs: 6, resubmitWithinMs: 5 }, "resend"],
  ["with the security code gone, the next way", sale, [resend, reversal], { isComplete: false }, "reversal"],
  [
    "from before a restore nothing is sent again or reversed",
    sale,
    [resend, reversal],
    { mayBeOfAnother: true },
    "person"
  ],
  ["from before a restore it is inquired about", sale, [resend, inquiry], { mayBeOfAnother: true }, "inquiry"],
  ["without a method that reverses, a person", sale, [reversal], { canReverse: false }, "person"],
  ["what the bank has taken is neither sent again nor reversed", accepted, [resend, reversal], {}, "person"],
  ["what the bank has taken may be inquired about", accepted, [resend, inquiry], {}, "inquiry"],
  ["without a way, a person", sale, [], {}, "person"]
]

describe("a lost answer", () => {
  it.each(rows)("%s", (_, request, ways, changes, way) =>
    assert.strictEqual(
      UnknownWay.of(
        request,
        ways.filter((each) => each !== undefined),
        { ...now, ...changes }
      ),
      way
    )
  )
})
