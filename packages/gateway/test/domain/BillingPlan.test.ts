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
  readonly name: string
  /** Changes to a payment of 10.00 monthly from 2027-01-31. Its occurrence 1 is due on 2027-02-28. */
  readonly row?: Partial<Subscription>
  readonly occurrence?: Occurrence
  readonly on: string
  readonly catchUp?: number
  readonly plan: string
}

const cases: ReadonlyArray<Case> = [
  { name: "the day before", on: "2027-02-27", plan: "Wait 2027-02-28" },
  { name: "its day", on: "2027-02-28", plan: "Charge" },
  { name: "long before its day, after the clock was set back", on: "2020-01-01", plan: "Wait 2027-02-28" },
  { name: "some days late, the next not due", on: "2027-03-30", plan: "Charge" },
  { name: "one occurrence missed", on: "2027-04-01", plan: "Skip 1" },
  { name: "one occurrence missed, and two may be charged", on: "2027-04-01", catchUp: 2, plan: "Charge" },
  { name: "three occurrences missed, and two may be charged", on: "2027-05-31", catchUp: 2, plan: "Skip 2" },
  { name: "on its day, and no missed occurrence may be charged", on: "2027-02-28", catchUp: 0, plan: "Charge" },
  {
    name: "more occurrences missed than one commit skips",
    row: { period: "daily" },
    on: "2029-01-01",
    plan: `Skip ${BillingPlan.mostSkipped}`
  },
  { name: "paused, before its day", row: { state: "paused" }, on: "2027-02-27", plan: "Wait 2027-02-28" },
  { name: "paused, on its day", row: { state: "paused" }, on: "2027-02-28", plan: "Skip 1" },
  { name: "suspended, some days later", row: { state: "suspended" }, on: "2027-04-01", plan: "Skip 2" },
  { name: "on its finish-date", row: { finishDay: "2027-02-28" }, on: "2027-02-28", plan: "Charge" },
  { name: "late, after the finish-date", row: { finishDay: "2027-02-28" }, on: "2027-03-01", plan: "Skip 1, over" },
  { name: "late, before the finish-date is over", row: { finishDay: "2027-03-30" }, on: "2027-03-30", plan: "Charge" },
  {
    name: "after the finish-date, two occurrences missed before the last",
    row: { finishDay: "2027-05-01" },
    on: "2027-06-01",
    plan: "Skip 2"
  },
  {
    name: "after the finish-date, only the last occurrence missed",
    row: { finishDay: "2027-05-01", next: 3 },
    on: "2027-06-01",
    plan: "Skip 1, over"
  },
  {
    name: "after the finish-date, three occurrences missed that might be charged",
    row: { finishDay: "2027-05-01" },
    on: "2027-06-01",
    catchUp: 5,
    plan: "Skip 3, over"
  },
  {
    name: "the day of the finish-date in the time zone of the payment",
    row: { finishDay: "2027-02-28", timeZone: "Pacific/Chatham" },
    on: "2027-02-28",
    plan: "Charge"
  },
  {
    name: "the day after the finish-date in the time zone of the payment",
    row: { finishDay: "2027-02-27", anchorDay: "2027-01-27", timeZone: "Pacific/Chatham" },
    on: "2027-02-28",
    plan: "Skip 1, over"
  },
  {
    name: "paused, after the finish-date",
    row: { state: "paused", finishDay: "2027-02-28" },
    on: "2027-03-01",
    plan: "Skip 1"
  },
  { name: "skipped before its day", occurrence: occurrence({ progress: "skipped" }), on: "2027-06-01", plan: "Pass" },
  { name: "cancelled", row: { state: "cancelled" }, on: "2027-02-28", plan: "Drop" },
  { name: "failed", row: { state: "failed" }, on: "2027-02-28", plan: "Drop" },
  { name: "not active yet", row: { state: "starting" }, on: "2027-02-28", plan: "Drop" },
  { name: "no further occurrence", row: { occurrences: 1 }, on: "2027-02-28", plan: "Drop" },
  { name: "its charge is under way", occurrence: occurrence(), on: "2027-06-01", plan: "Drop" },
  { name: "its charge is over", occurrence: occurrence({ progress: "charged" }), on: "2027-06-01", plan: "Drop" },
  { name: "the last day of the card", row: { expireMonth: 2, expireYear: 2027 }, on: "2027-02-28", plan: "Charge" },
  { name: "an expired card", row: { expireMonth: 1, expireYear: 2027 }, on: "2027-02-28", plan: "Expired" },
  { name: "an attempt that is not due", occurrence: retrying(), on: "2027-02-28", plan: "Wait 2027-03-01" },
  { name: "an attempt that is due", occurrence: retrying(), on: "2027-03-01", plan: "Retry" },
  { name: "an attempt that is late", occurrence: retrying(), on: "2027-03-30", plan: "Retry" },
  {
    name: "an attempt when the next occurrence is due",
    occurrence: retrying(),
    on: "2027-03-31",
    plan: "GiveUp, suspended"
  },
  {
    name: "an attempt that a pause ended, after the payment was resumed",
    occurrence: retrying({ nextTryAtMs: null }),
    on: "2027-02-28",
    plan: "GiveUp"
  },
  {
    name: "an attempt after the finish-date",
    row: { finishDay: "2027-02-28" },
    occurrence: retrying(),
    on: "2027-03-01",
    plan: "GiveUp, suspended"
  },
  {
    name: "an attempt while paused",
    row: { state: "paused" },
    occurrence: retrying(),
    on: "2027-03-01",
    plan: "GiveUp"
  },
  {
    name: "an attempt after the payment was cancelled",
    row: { state: "cancelled" },
    occurrence: retrying(),
    on: "2027-02-28",
    plan: "GiveUp"
  },
  {
    name: "an attempt with a card that expired since the last one",
    row: { expireMonth: 2, expireYear: 2027 },
    occurrence: retrying(),
    on: "2027-03-01",
    plan: "Expired"
  }
]

describe("the plan for a recurring payment", () => {
  it.each(cases)("$name: $plan", ({ catchUp = 1, occurrence, on, plan, row }) => {
    const billed = { subscription: subscription(row), occurrence }
    assert.strictEqual(report(BillingPlan.make(billed, catchUp, day(on))), plan)
  })
})
