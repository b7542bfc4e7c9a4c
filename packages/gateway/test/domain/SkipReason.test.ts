/** The reason that is kept and told of an occurrence that was not charged: exact words, for merchants may read them. */
import { assert, describe, it } from "@effect/vitest"
import * as SkipReason from "../../src/recurring/SkipReason.ts"
import type { Occurrence, Subscription } from "../../src/recurring/Subscription.ts"
import { occurrence, subscription } from "./Sample.ts"

const day = (text: string): number => Date.parse(`${text}T00:00:00Z`)

interface Case {
  readonly says: string
  /** Changes to a payment of 10.00 monthly from 2027-01-31. Its occurrence 1 was due on 2027-02-28. */
  readonly row?: Partial<Subscription>
  readonly lastCharge?: Partial<Occurrence>
  readonly isOver?: boolean
  readonly isSwitchedOff?: boolean
  readonly restoredOn?: string
  readonly reason: string
}

const chargedOn = (text: string): Partial<Occurrence> => ({ n: 0, progress: "charged", endedAtMs: day(text) })
const paused = "The recurring payment is paused"
const suspended = "The recurring payment is suspended"
const missed = "Missed while the gateway was not running"
const awaited = "The outcome of the charge before it was not known yet"
const switchedOff = "The endpoint was switched off"
const over = "It could not be charged before the schedule was over"
const restored = "It may have been charged before the gateway was restored"

const cases: ReadonlyArray<Case> = [
  { says: "an outage", reason: missed },
  { says: "an outage after a charge", lastCharge: chargedOn("2027-01-31"), reason: missed },
  { says: "a charge before it that was over after its day", lastCharge: chargedOn("2027-03-01"), reason: awaited },
  { says: "the endpoint is off", isSwitchedOff: true, reason: switchedOff },
  { says: "the schedule is over", isOver: true, isSwitchedOff: true, reason: over },
  { says: "a copy that was restored later", restoredOn: "2027-03-01", isOver: true, reason: restored },
  { says: "a copy that was restored before its day", restoredOn: "2027-02-01", reason: missed },
  { says: "paused", row: { state: "paused" }, restoredOn: "2027-03-01", isSwitchedOff: true, reason: paused },
  {
    says: "paused behind a long charge",
    row: { state: "paused" },
    lastCharge: chargedOn("2027-03-01"),
    reason: paused
  },
  { says: "suspended", row: { state: "suspended" }, isSwitchedOff: true, reason: suspended },
  {
    says: "suspended when a try failed for good",
    row: { state: "suspended" },
    lastCharge: { n: 0, progress: "failed", endedAtMs: day("2027-03-01") },
    reason: suspended
  }
]

describe("the reason of a skipped occurrence is the true one", () => {
  it.each(cases)("$says", ({ isOver = false, isSwitchedOff = false, lastCharge, reason, restoredOn, row }) => {
    const facts = {
      lastCharge: lastCharge === undefined ? undefined : occurrence(lastCharge),
      isSwitchedOff,
      restoredAtMs: restoredOn === undefined ? undefined : day(restoredOn)
    }
    assert.strictEqual(SkipReason.of(subscription(row), 1, isOver, facts), reason)
  })
})
