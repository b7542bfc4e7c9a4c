/** What the outcome of a charge changes in its recurring payment. */
import { assert, describe, it } from "@effect/vitest"
import { declines } from "@pay/schema/Decline"
import * as TextTable from "../../../../packages/schema/test/TextTable.ts"
import * as DeclineReason from "../../src/orders/decide/DeclineReason.ts"
import * as Billing from "../../src/recurring/decide/Billing.ts"
import type { Billed } from "../../src/recurring/decide/BillingPlan.ts"
import type { Subscription } from "../../src/recurring/decide/Subscription.ts"
import { occurrence, subscription } from "./Sample.ts"
import { rowsOf } from "./Written.ts"

const dayMs = 86_400_000
const firstMs = Date.UTC(2027, 1, 28)
const { notSufficientFunds: poor, stolenCard: stolen } = declines
const callbackUrl = "https://shop.example/callback"

const charging = (changes: Partial<Subscription> = {}): Billed => ({
  subscription: subscription({ callbackUrl, ...changes }),
  occurrence: occurrence()
})
const verifying: Billed = {
  subscription: subscription({ callbackUrl, state: "starting", next: 0 }),
  occurrence: undefined
}

/** Returns state, next, progress, day of the next job and statuses of the callbacks. */
const read = (billed: Billed, ending: Billing.ChargeOutcome): ReadonlyArray<string> => {
  const decision = { guards: [], writes: Billing.conclude(billed, ending, firstMs + 1) }
  const [row] = rowsOf(decision, "subscriptions")
  const turn = rowsOf(decision, "jobs").find(({ kind }) => kind === "recurring")
  const messages = rowsOf(decision, "callbacks").map(({ query }) => /^status=(\w+)/.exec(String(query))?.[1])
  const [ended] = rowsOf(decision, "occurrences")
  const due = turn === undefined ? "none" : new Date(Number(turn.dueAtMs)).toISOString().slice(0, 10)
  return [
    `${row?.state}`,
    `${row?.next}`,
    `${ended?.progress ?? "-"}`,
    due,
    messages.length === 0 ? "-" : messages.join(" ")
  ]
}

const approved: Billing.ChargeOutcome = { approved: true }
const failed = (suspends: boolean): Billing.ChargeOutcome => ({ approved: false, suspends, reason: poor })

const payments: Readonly<Record<string, Billed>> = {
  active: charging(),
  "last charge": charging({ occurrences: 2 }),
  paused: charging({ state: "paused" }),
  cancelled: charging({ state: "cancelled" }),
  starting: charging({ state: "starting" }),
  "card expires": charging({ expireMonth: 2, expireYear: 2027 }),
  verifying
}
const outcomes: Readonly<Record<string, Billing.ChargeOutcome>> = {
  approved,
  declined: failed(true),
  stopped: failed(false)
}

/** Payment × outcome: its state, its next occurrence, the progress of this one; the day of the next job; statuses of the callbacks. */
const table = `
case                                                              | payment      | charge   | state     | next | charged | job        | callbacks
continues the schedule after an approval                          | active       | approved | active    | 2    | charged | 2027-03-31 | -
suspends the recurring payment after a decline                    | active       | declined | suspended | 2    | failed  | 2027-03-31 | suspended
does not suspend the recurring payment when a risk rule stops it  | active       | stopped  | active    | 2    | failed  | 2027-03-31 | -
finishes the recurring payment when the last charge is approved   | last charge  | approved | finished  | 2    | charged | none       | finished
finishes the recurring payment when the last charge fails         | last charge  | declined | finished  | 2    | failed  | none       | finished
leaves a recurring payment paused after an approval               | paused       | approved | paused    | 2    | charged | 2027-03-31 | -
suspends a paused recurring payment after a decline               | paused       | declined | suspended | 2    | failed  | 2027-03-31 | suspended
leaves a recurring payment cancelled after an approval            | cancelled    | approved | cancelled | 2    | charged | none       | -
leaves a recurring payment cancelled after a decline              | cancelled    | declined | cancelled | 2    | failed  | none       | -
activates the recurring payment when the first charge is approved | starting     | approved | active    | 2    | charged | 2027-03-31 | -
fails the recurring payment when the first charge fails           | starting     | declined | failed    | 2    | failed  | none       | -
sends a callback if the card expires before the next charge       | card expires | approved | active    | 2    | charged | 2027-03-31 | card_expiring
activates the recurring payment when the card is verified         | verifying    | approved | active    | 0    | -       | 2027-01-31 | -
fails the recurring payment when the card is not verified         | verifying    | declined | failed    | 0    | -       | none       | -
`
const [, ...cases] = TextTable.rows(table)

describe("the outcome of a recurring charge", () => {
  for (const [name = "", payment = "", charge = "", ...expected] of cases)
    it(name, () =>
      assert.deepStrictEqual(read(TextTable.named(payments, payment), TextTable.named(outcomes, charge)), expected)
    )

  it("erases the card after the last charge", () => {
    const of = (billed: Billed) => {
      const [row] = rowsOf({ guards: [], writes: Billing.conclude(billed, approved, firstMs) }, "subscriptions")
      const encrypted = row?.encryptedPan
      return encrypted instanceof Uint8Array ? encrypted.length : undefined
    }
    assert.deepStrictEqual([of(charging()), of(charging({ occurrences: 2 }))], [3, 0])
  })

  it("suspends for a decline, for a charge that was never sent, and for a risk rule that blocks the card", () => {
    const suspends = (
      progress: "declined" | "error" | "filtered",
      { code, message }: { code: number; message: string }
    ) => {
      const ending = Billing.chargeOutcomeOf({ progress, errorCode: code, errorMessage: message })
      return !ending.approved && ending.suspends
    }
    assert.deepStrictEqual(
      [
        suspends("declined", poor),
        suspends("error", declines.neverSent),
        suspends("filtered", declines.limitExceeded),
        suspends("filtered", declines.blocked)
      ],
      [true, true, false, true]
    )
  })
})

/** Days after the first attempt | decline code | recurring payment | days from the first attempt to the next one. */
const tries: ReadonlyArray<readonly [number, number, Partial<Subscription>, number | undefined]> = [
  [0, poor.code, {}, 1],
  [0.5, poor.code, {}, 1],
  [1, poor.code, {}, 3],
  [3, poor.code, {}, 5],
  [5, poor.code, {}, undefined],
  [2.5, poor.code, {}, 3],
  [0, stolen.code, {}, undefined],
  [0, 9999, {}, 1],
  [0, poor.code, { state: "paused" }, undefined],
  [0, poor.code, { state: "starting" }, undefined],
  [0, poor.code, { state: "cancelled" }, undefined],
  [0, poor.code, { period: "daily", anchorDay: "2027-02-27" }, undefined],
  [0, poor.code, { period: "daily", anchorDay: "2027-02-26", interval: 2 }, 1],
  [1, poor.code, { period: "daily", anchorDay: "2027-02-26", interval: 2 }, undefined],
  [0, poor.code, { finishDay: "2027-02-28" }, undefined],
  [0, poor.code, { occurrences: 2 }, 1]
]

describe("the next attempt of a declined charge", () => {
  it.each(tries)("after %d days, code %d, %o: day %s", (days, code, row, expected) => {
    const atMs = Billing.retryAtMs(charging(row), DeclineReason.isHard({ code, message: "" }), firstMs + days * dayMs)
    assert.strictEqual(atMs === undefined ? undefined : (atMs - firstMs) / dayMs, expected)
  })
})
