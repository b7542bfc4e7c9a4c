/** What the end of a charge makes of its recurring payment. */
import { assert, describe, it } from "@effect/vitest"
import { declines } from "@pay/schema/Decline"
import * as Billing from "../../src/recurring/Billing.ts"
import type { Billed } from "../../src/recurring/BillingPlan.ts"
import type { Subscription } from "../../src/recurring/Subscription.ts"
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

/** `state next progress: next turn: what is told`. */
const read = (billed: Billed, ending: Billing.Ending): string => {
  const decision = { guards: [], writes: Billing.concluded(billed, ending, firstMs + 1) }
  const [row] = rowsOf(decision, "subscriptions")
  const turn = rowsOf(decision, "agenda").find(({ kind }) => kind === "recurring")
  const messages = rowsOf(decision, "callbacks").map(({ query }) => /^status=(\w+)/.exec(String(query))?.[1])
  const [ended] = rowsOf(decision, "occurrences")
  const due = turn === undefined ? "none" : new Date(Number(turn.dueAtMs)).toISOString().slice(0, 10)
  return `${row?.state} ${row?.next} ${ended?.progress ?? "-"}: ${due}: ${messages.join(" ")}`
}

const approved: Billing.Ending = { approved: true }
const failed = (suspends: boolean): Billing.Ending => ({ approved: false, suspends, reason: poor })

const table: ReadonlyArray<readonly [string, Billed, Billing.Ending, string]> = [
  ["charged", charging(), approved, "active 2 charged: 2027-03-31: "],
  ["failed for good", charging(), failed(true), "suspended 2 failed: 2027-03-31: suspended"],
  ["stopped by a rule", charging(), failed(false), "active 2 failed: 2027-03-31: "],
  ["the last one, charged", charging({ occurrences: 2 }), approved, "finished 2 charged: none: finished"],
  ["the last one, failed", charging({ occurrences: 2 }), failed(true), "finished 2 failed: none: finished"],
  ["paused meanwhile, charged", charging({ state: "paused" }), approved, "paused 2 charged: 2027-03-31: "],
  [
    "paused meanwhile, failed",
    charging({ state: "paused" }),
    failed(true),
    "suspended 2 failed: 2027-03-31: suspended"
  ],
  ["cancelled meanwhile, charged", charging({ state: "cancelled" }), approved, "cancelled 2 charged: none: "],
  ["cancelled meanwhile, failed", charging({ state: "cancelled" }), failed(true), "cancelled 2 failed: none: "],
  ["the first one, charged", charging({ state: "starting" }), approved, "active 2 charged: 2027-03-31: "],
  ["the first one, failed", charging({ state: "starting" }), failed(true), "failed 2 failed: none: "],
  [
    "a card that will have expired",
    charging({ expireMonth: 2, expireYear: 2027 }),
    approved,
    "active 2 charged: 2027-03-31: card_expiring"
  ],
  ["verified", verifying, approved, "active 0 -: 2027-01-31: "],
  ["not verified", verifying, failed(true), "failed 0 -: none: "]
]

describe("the end of a charge", () => {
  it.each(table)("%s", (_, billed, ending, expected) => {
    assert.strictEqual(read(billed, ending), expected)
  })

  it("forgets the card once nothing is charged any more", () => {
    const of = (billed: Billed) => {
      const [row] = rowsOf({ guards: [], writes: Billing.concluded(billed, approved, firstMs) }, "subscriptions")
      const sealed = row?.sealedPan
      return sealed instanceof Uint8Array ? sealed.length : undefined
    }
    assert.deepStrictEqual([of(charging()), of(charging({ occurrences: 2 }))], [3, 0])
  })

  it("suspends for declines and for what never reached the bank, by a rule only where it means the card", () => {
    const suspends = (
      progress: "declined" | "error" | "filtered",
      { code, message }: { code: number; message: string }
    ) => {
      const ending = Billing.endingOf({ progress, errorCode: code, errorMessage: message })
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

/** Days after its first try | reason | state | when it is tried again, in days from the first try. */
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

describe("another try", () => {
  it.each(tries)("after %d days, reason %d, %o: %s", (days, code, row, expected) => {
    const atMs = Billing.retryAtMs(charging(row), code, firstMs + days * dayMs)
    assert.strictEqual(atMs === undefined ? undefined : (atMs - firstMs) / dayMs, expected)
  })
})
