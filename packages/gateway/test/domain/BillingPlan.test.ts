import { assert, describe, it } from "@effect/vitest"
import * as BillingPlan from "../../src/recurring/BillingPlan.ts"
import type { Occurrence, Subscription } from "../../src/recurring/Subscription.ts"
import { occurrence, subscription } from "./Sample.ts"

const day = (text: string): number => Date.parse(`${text}T00:00:00Z`)
const retrying = (changes: Partial<Occurrence> = {}): Occurrence =>
  occurrence({ progress: "retrying", nextTryAtMs: day("2027-03-01"), ...changes })

const report = (plan: BillingPlan.Plan): string => {
  switch (plan._tag) {
    case "Skip":
      return `Skip ${plan.count}${plan.isOver ? ", over" : ""}`
    case "GiveUp":
      return plan.suspends ? "GiveUp, suspended" : "GiveUp"
    case "Wait":
      return `Wait ${new Date(plan.untilMs).toISOString().slice(0, 10)}`
    default:
      return plan._tag
  }
}

interface Case {
  readonly says: string
  /** Changes to a payment of 10.00 monthly from 2027-01-31. Its occurrence 1 is due on 2027-02-28. */
  readonly row?: Partial<Subscription>
  readonly occurrence?: Occurrence
  readonly on: string
  readonly catchUp?: number
  readonly plan: string
}

const cases: ReadonlyArray<Case> = [
  { says: "the day before", on: "2027-02-27", plan: "Wait 2027-02-28" },
  { says: "its day", on: "2027-02-28", plan: "Charge" },
  { says: "a clock that went back", on: "2020-01-01", plan: "Wait 2027-02-28" },
  { says: "some days late, the next not due", on: "2027-03-30", plan: "Charge" },
  { says: "one missed", on: "2027-04-01", plan: "Skip 1" },
  { says: "one missed, and two may be charged", on: "2027-04-01", catchUp: 2, plan: "Charge" },
  { says: "three missed, and two may be charged", on: "2027-05-31", catchUp: 2, plan: "Skip 2" },
  { says: "a setting of none still charges the latest", on: "2027-02-28", catchUp: 0, plan: "Charge" },
  { says: "very many missed", row: { period: "daily" }, on: "2029-01-01", plan: `Skip ${BillingPlan.mostSkipped}` },
  { says: "paused, before its day", row: { state: "paused" }, on: "2027-02-27", plan: "Wait 2027-02-28" },
  { says: "paused, on its day", row: { state: "paused" }, on: "2027-02-28", plan: "Skip 1" },
  { says: "suspended, some days on", row: { state: "suspended" }, on: "2027-04-01", plan: "Skip 2" },
  { says: "its finish-date", row: { finishDay: "2027-02-28" }, on: "2027-02-28", plan: "Charge" },
  { says: "late, after the finish-date", row: { finishDay: "2027-02-28" }, on: "2027-03-01", plan: "Skip 1, over" },
  { says: "late, before the finish-date is over", row: { finishDay: "2027-03-30" }, on: "2027-03-30", plan: "Charge" },
  {
    says: "the missed ones first, after the finish-date",
    row: { finishDay: "2027-05-01" },
    on: "2027-06-01",
    plan: "Skip 2"
  },
  {
    says: "and none is made up for",
    row: { finishDay: "2027-05-01", next: 3 },
    on: "2027-06-01",
    plan: "Skip 1, over"
  },
  {
    says: "nor are several",
    row: { finishDay: "2027-05-01" },
    on: "2027-06-01",
    catchUp: 5,
    plan: "Skip 3, over"
  },
  {
    says: "the finish-date is over where the zone's day is",
    row: { finishDay: "2027-02-28", timeZone: "Pacific/Chatham" },
    on: "2027-02-28",
    plan: "Charge"
  },
  {
    says: "and not later",
    row: { finishDay: "2027-02-27", anchorDay: "2027-01-27", timeZone: "Pacific/Chatham" },
    on: "2027-02-28",
    plan: "Skip 1, over"
  },
  {
    says: "paused, after the finish-date",
    row: { state: "paused", finishDay: "2027-02-28" },
    on: "2027-03-01",
    plan: "Skip 1"
  },
  { says: "skipped before its turn", occurrence: occurrence({ progress: "skipped" }), on: "2027-06-01", plan: "Pass" },
  { says: "cancelled", row: { state: "cancelled" }, on: "2027-02-28", plan: "Drop" },
  { says: "failed", row: { state: "failed" }, on: "2027-02-28", plan: "Drop" },
  { says: "not begun", row: { state: "starting" }, on: "2027-02-28", plan: "Drop" },
  { says: "no further occurrence", row: { occurrences: 1 }, on: "2027-02-28", plan: "Drop" },
  { says: "its charge is under way", occurrence: occurrence(), on: "2027-06-01", plan: "Drop" },
  { says: "its charge is over", occurrence: occurrence({ progress: "charged" }), on: "2027-06-01", plan: "Drop" },
  { says: "the last day of the card", row: { expireMonth: 2, expireYear: 2027 }, on: "2027-02-28", plan: "Charge" },
  { says: "an expired card", row: { expireMonth: 1, expireYear: 2027 }, on: "2027-02-28", plan: "Expired" },
  { says: "a try that is not due", occurrence: retrying(), on: "2027-02-28", plan: "Wait 2027-03-01" },
  { says: "a try that is due", occurrence: retrying(), on: "2027-03-01", plan: "Retry" },
  { says: "a try that is late", occurrence: retrying(), on: "2027-03-30", plan: "Retry" },
  { says: "a try when the next is due", occurrence: retrying(), on: "2027-03-31", plan: "GiveUp, suspended" },
  {
    says: "a try that a pause has ended, resumed since",
    occurrence: retrying({ nextTryAtMs: null }),
    on: "2027-02-28",
    plan: "GiveUp"
  },
  {
    says: "a try after the finish",
    row: { finishDay: "2027-02-28" },
    occurrence: retrying(),
    on: "2027-03-01",
    plan: "GiveUp, suspended"
  },
  { says: "a try while paused", row: { state: "paused" }, occurrence: retrying(), on: "2027-03-01", plan: "GiveUp" },
  {
    says: "a try after it was cancelled",
    row: { state: "cancelled" },
    occurrence: retrying(),
    on: "2027-02-28",
    plan: "GiveUp"
  },
  {
    says: "a try with a card that has expired since",
    row: { expireMonth: 2, expireYear: 2027 },
    occurrence: retrying(),
    on: "2027-03-01",
    plan: "Expired"
  }
]

describe("the turn of a recurring payment", () => {
  it.each(cases)("$says: $plan", ({ catchUp = 1, occurrence, on, plan, row }) => {
    const billed = { subscription: subscription(row), occurrence }
    assert.strictEqual(report(BillingPlan.make(billed, catchUp, day(on))), plan)
  })
})
