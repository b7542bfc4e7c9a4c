import { assert, describe, it } from "@effect/vitest"
import * as BillingDays from "../../src/recurring/decide/BillingDays.ts"
import type { Subscription } from "../../src/recurring/decide/Subscription.ts"
import { subscription } from "./Sample.ts"

const iso = (ms: number | undefined): string =>
  ms === undefined ? "never" : Number.isFinite(ms) ? new Date(ms).toISOString().replace(":00.000Z", "Z") : "always"

/** Name | schedule | when its occurrences 0, 1, 2 are due. */
const table: ReadonlyArray<readonly [string, Partial<Subscription>, string]> = [
  ["monthly from the 31st", {}, "2027-01-31T00:00Z 2027-02-28T00:00Z 2027-03-31T00:00Z"],
  [
    "yearly from a leap day",
    { period: "yearly", anchorDay: "2028-02-29" },
    "2028-02-29T00:00Z 2029-02-28T00:00Z 2030-02-28T00:00Z"
  ],
  ["every second week", { period: "weekly", interval: 2 }, "2027-01-31T00:00Z 2027-02-14T00:00Z 2027-02-28T00:00Z"],
  [
    "daily, when summer time begins in Berlin",
    { period: "daily", anchorDay: "2027-03-27", timeZone: "Europe/Berlin" },
    "2027-03-26T23:00Z 2027-03-27T23:00Z 2027-03-28T22:00Z"
  ],
  [
    "daily, in a zone where summer time begins at midnight",
    { period: "daily", anchorDay: "2027-03-27", timeZone: "Asia/Beirut" },
    "2027-03-26T22:00Z 2027-03-27T22:00Z 2027-03-28T21:00Z"
  ],
  [
    "daily, when summer time ends in New York",
    { period: "daily", anchorDay: "2027-11-06", timeZone: "America/New_York" },
    "2027-11-06T04:00Z 2027-11-07T04:00Z 2027-11-08T05:00Z"
  ],
  ["until its finish-date", { finishDay: "2027-02-28" }, "2027-01-31T00:00Z 2027-02-28T00:00Z never"],
  ["twice in all", { occurrences: 2 }, "2027-01-31T00:00Z 2027-02-28T00:00Z never"]
]

describe("the due times of a schedule", () => {
  it.each(table)("%s", (_, schedule, expected) => {
    const row = subscription(schedule)
    assert.strictEqual([0, 1, 2].map((n) => iso(BillingDays.dueAtMs(row, n))).join(" "), expected)
  })

  it("are the first moment of an occurrence's day", () => {
    const row = subscription({ timeZone: "America/New_York", period: "daily" })
    const thirdMs = BillingDays.dueAtMs(row, 3) ?? 0
    assert.strictEqual(BillingDays.dueFrom(row, 1, thirdMs - 1), 2)
    assert.strictEqual(BillingDays.dueFrom(row, 1, thirdMs), 3)
  })

  it("allow attempts until the next occurrence is due or the finish-date is over", () => {
    assert.strictEqual(iso(BillingDays.triedUntilMs(subscription(), 1)), "2027-03-31T00:00Z")
    assert.strictEqual(iso(BillingDays.triedUntilMs(subscription({ finishDay: "2027-03-02" }), 1)), "2027-03-03T00:00Z")
    assert.strictEqual(iso(BillingDays.triedUntilMs(subscription({ occurrences: 2 }), 1)), "always")
  })
})
