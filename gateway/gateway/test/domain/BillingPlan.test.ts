import { assert, describe, it } from "@effect/vitest"
import * as TextTable from "../../../../packages/schema/test/TextTable.ts"
import * as BillingPlan from "../../src/recurring/decide/BillingPlan.ts"
import type { Occurrence, Subscription } from "../../src/recurring/decide/Subscription.ts"
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

/** Changes to a payment of 10.00 monthly from 2027-01-31. Its occurrence 1 is due on 2027-02-28. */
const payments: Readonly<Record<string, Partial<Subscription>>> = {
  daily: { period: "daily" },
  paused: { state: "paused" },
  suspended: { state: "suspended" },
  "until 02-28": { finishDay: "2027-02-28" },
  "until 03-30": { finishDay: "2027-03-30" },
  "until 05-01": { finishDay: "2027-05-01" },
  "next is 3": { next: 3 },
  Chatham: { timeZone: "Pacific/Chatham" },
  "until 02-27": { finishDay: "2027-02-27" },
  "from 01-27": { anchorDay: "2027-01-27" },
  cancelled: { state: "cancelled" },
  failed: { state: "failed" },
  starting: { state: "starting" },
  "one in all": { occurrences: 1 },
  "card until 02": { expireMonth: 2, expireYear: 2027 },
  "card until 01": { expireMonth: 1, expireYear: 2027 }
}

/** The occurrence, if it is stored already. */
const occurrences: Readonly<Record<string, Occurrence>> = {
  skipped: occurrence({ progress: "skipped" }),
  charging: occurrence(),
  charged: occurrence({ progress: "charged" }),
  retrying: retrying(),
  "no further try": retrying({ nextTryAtMs: null })
}

/** Payment × occurrence × day × how many missed occurrences may be charged: what is done next. */
const table = `
case                                                                  | payment                          | occurrence     | on         | catch up | plan
the day before                                                        |                                  |                | 2027-02-27 | 1        | Wait 2027-02-28
its day                                                               |                                  |                | 2027-02-28 | 1        | Charge
long before its day, after the clock was set back                     |                                  |                | 2020-01-01 | 1        | Wait 2027-02-28
some days late, the next not due                                      |                                  |                | 2027-03-30 | 1        | Charge
one occurrence missed                                                 |                                  |                | 2027-04-01 | 1        | Skip 1
one occurrence missed, and two may be charged                         |                                  |                | 2027-04-01 | 2        | Charge
three occurrences missed, and two may be charged                      |                                  |                | 2027-05-31 | 2        | Skip 2
on its day, and no missed occurrence may be charged                   |                                  |                | 2027-02-28 | 0        | Charge
more occurrences missed than one commit skips                         | daily                            |                | 2029-01-01 | 1        | Skip ${BillingPlan.mostSkipped}
paused, before its day                                                | paused                           |                | 2027-02-27 | 1        | Wait 2027-02-28
paused, on its day                                                    | paused                           |                | 2027-02-28 | 1        | Skip 1
suspended, some days later                                            | suspended                        |                | 2027-04-01 | 1        | Skip 2
on its finish-date                                                    | until 02-28                      |                | 2027-02-28 | 1        | Charge
late, after the finish-date                                           | until 02-28                      |                | 2027-03-01 | 1        | Skip 1, over
late, before the finish-date is over                                  | until 03-30                      |                | 2027-03-30 | 1        | Charge
after the finish-date, two occurrences missed before the last         | until 05-01                      |                | 2027-06-01 | 1        | Skip 2
after the finish-date, only the last occurrence missed                | until 05-01, next is 3           |                | 2027-06-01 | 1        | Skip 1, over
after the finish-date, three occurrences missed that might be charged | until 05-01                      |                | 2027-06-01 | 5        | Skip 3, over
the day of the finish-date in the time zone of the payment            | until 02-28, Chatham             |                | 2027-02-28 | 1        | Charge
the day after the finish-date in the time zone of the payment         | until 02-27, from 01-27, Chatham |                | 2027-02-28 | 1        | Skip 1, over
paused, after the finish-date                                         | paused, until 02-28              |                | 2027-03-01 | 1        | Skip 1
skipped before its day                                                |                                  | skipped        | 2027-06-01 | 1        | Pass
cancelled                                                             | cancelled                        |                | 2027-02-28 | 1        | Drop
failed                                                                | failed                           |                | 2027-02-28 | 1        | Drop
not active yet                                                        | starting                         |                | 2027-02-28 | 1        | Drop
no further occurrence                                                 | one in all                       |                | 2027-02-28 | 1        | Drop
its charge is under way                                               |                                  | charging       | 2027-06-01 | 1        | Drop
its charge is over                                                    |                                  | charged        | 2027-06-01 | 1        | Drop
the last day of the card                                              | card until 02                    |                | 2027-02-28 | 1        | Charge
an expired card                                                       | card until 01                    |                | 2027-02-28 | 1        | Expired
an attempt that is not due                                            |                                  | retrying       | 2027-02-28 | 1        | Wait 2027-03-01
an attempt that is due                                                |                                  | retrying       | 2027-03-01 | 1        | Retry
an attempt that is late                                               |                                  | retrying       | 2027-03-30 | 1        | Retry
an attempt when the next occurrence is due                            |                                  | retrying       | 2027-03-31 | 1        | GiveUp, suspended
an attempt that a pause ended, after the payment was resumed          |                                  | no further try | 2027-02-28 | 1        | GiveUp
an attempt after the finish-date                                      | until 02-28                      | retrying       | 2027-03-01 | 1        | GiveUp, suspended
an attempt while paused                                               | paused                           | retrying       | 2027-03-01 | 1        | GiveUp
an attempt after the payment was cancelled                            | cancelled                        | retrying       | 2027-02-28 | 1        | GiveUp
an attempt with a card whose month ended less than 14 hours ago       | card until 02                    | retrying       | 2027-03-01 | 1        | Retry
an attempt with a card that expired since the last one                | card until 02                    | retrying       | 2027-03-02 | 1        | Expired
`
const [, ...cases] = TextTable.rows(table)

describe("the plan for a recurring payment", () => {
  for (const [name, payment = "", stored = "", on = "", catchUp, plan] of cases)
    it(`${name}: ${plan}`, () => {
      const billed = {
        subscription: subscription(TextTable.changes(payments, payment)),
        occurrence: stored === "" ? undefined : TextTable.named(occurrences, stored)
      }
      assert.strictEqual(report(BillingPlan.make(billed, Number(catchUp), day(on))), plan)
    })
})
