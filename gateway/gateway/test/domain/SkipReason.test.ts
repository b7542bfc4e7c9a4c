/** The stored reason of an occurrence that was not charged, word by word: merchants may read it. */
import { assert, describe, it } from "@effect/vitest"
import * as SkipReason from "../../src/recurring/decide/SkipReason.ts"
import type { Occurrence, Subscription } from "../../src/recurring/decide/Subscription.ts"
import { occurrence, subscription } from "./Sample.ts"

const day = (text: string): number => Date.parse(`${text}T00:00:00Z`)

interface Case {
  readonly name: string
  /** Changes to a payment of 10.00 monthly from 2027-01-31. Its occurrence 1 was due on 2027-02-28. */
  readonly row?: Partial<Subscription>
  readonly lastCharge?: Partial<Occurrence>
  readonly isOver?: boolean
  readonly isSwitchedOff?: boolean
  readonly reason: string
}

const chargedOn = (text: string): Partial<Occurrence> => ({ n: 0, progress: "charged", endedAtMs: day(text) })
const paused = "The recurring payment is paused"
const suspended = "The recurring payment is suspended"
const missed = "Missed while the gateway was not running"
const awaited = "The outcome of the charge before it was not known yet"
const switchedOff = "The endpoint was switched off"
const over = "It could not be charged before the schedule was over"

const cases: ReadonlyArray<Case> = [
  { name: "an outage", reason: missed },
  { name: "an outage after a charge", lastCharge: chargedOn("2027-01-31"), reason: missed },
  {
    name: "a previous charge that ended after this occurrence was due",
    lastCharge: chargedOn("2027-03-01"),
    reason: awaited
  },
  { name: "a switched-off endpoint", isSwitchedOff: true, reason: switchedOff },
  { name: "the end of the schedule", isOver: true, isSwitchedOff: true, reason: over },
  { name: "a pause", row: { state: "paused" }, isSwitchedOff: true, reason: paused },
  {
    name: "a pause during a previous charge that took long",
    row: { state: "paused" },
    lastCharge: chargedOn("2027-03-01"),
    reason: paused
  },
  { name: "a suspension", row: { state: "suspended" }, isSwitchedOff: true, reason: suspended },
  {
    name: "a suspension after a failed charge",
    row: { state: "suspended" },
    lastCharge: { n: 0, progress: "failed", endedAtMs: day("2027-03-01") },
    reason: suspended
  }
]

describe("the reason of a skipped occurrence names its cause", () => {
  it.each(cases)("$name", ({ isOver = false, isSwitchedOff = false, lastCharge, reason, row }) => {
    const facts = {
      lastCharge: lastCharge === undefined ? undefined : occurrence(lastCharge),
      isSwitchedOff
    }
    assert.strictEqual(SkipReason.of(subscription(row), 1, isOver, facts), reason)
  })
})
