/** The decisions of a billing job: each commits only under its lease and to the rows that were read. */
import { assert, describe, it } from "@effect/vitest"
import { declines } from "@pay/schema/Decline"
import * as Change from "../../src/kernel/Change.ts"
import type { Decision } from "../../src/kernel/Decision.ts"
import * as BillingDecisions from "../../src/recurring/decide/BillingDecisions.ts"
import { job, occurrence, request, sale, subscription } from "./Sample.ts"
import { rowsOf } from "./Written.ts"

const turn: BillingDecisions.BillingContext = {
  subscription: subscription(),
  occurrence: undefined,
  job: job({ jobId: "recurring:9", kind: "recurring", subject: "9" }),
  nowMs: Date.UTC(2027, 1, 28)
}
const order = sale({ state: "registered", authorizedMinor: 0, capturedMinor: 0, errorCode: 116, errorMessage: "Poor" })
const waiting: BillingDecisions.DeclinedCharge = {
  ...turn,
  occurrence: occurrence({ progress: "retrying" }),
  order,
  request: request({ operation: "RECURRING_CHARGE", action: "sale", sequence: 0 })
}
const facts = {
  bin: "444433",
  lastFour: "1111",
  cardType: "VISA",
  cardholder: "",
  expireMonth: 12,
  expireYear: 2030
}
const card = { facts, encryptedPan: Uint8Array.of(1), panHash: "v1.pan" }
const retry = { sequence: 1, attemptId: "77", card, velocityEntries: Change.none, claim: undefined }
const registered = { order, decision: { guards: [], writes: [] } }

const guardsOf = ({ guards }: Decision): ReadonlyArray<string> =>
  guards.map((guard) =>
    guard._tag === "LeaseIs"
      ? `lease ${guard.jobId} ${guard.token}`
      : guard._tag === "VersionIs"
        ? `${guard.entity.name} ${guard.key} ${guard.version}`
        : guard._tag
  )

const own = ["lease recurring:9 mine", "subscriptions 9 4"]
const withOrder = [...own, "orders 1 3"]

const decisions: ReadonlyArray<readonly [string, Decision, ReadonlyArray<string>]> = [
  ["drop", BillingDecisions.drop(turn), own],
  ["wait", BillingDecisions.wait(turn, 1), own],
  ["skip", BillingDecisions.skip(turn, ["Missed", "Paused"]), own],
  ["pass", BillingDecisions.pass(turn, 3), own],
  ["expire", BillingDecisions.expire(turn), own],
  ["charge", BillingDecisions.charge(turn, registered), own],
  ["retry", BillingDecisions.retry(waiting, retry), withOrder],
  ["follow", BillingDecisions.follow(waiting), withOrder],
  ["give up", BillingDecisions.giveUp(waiting, { suspends: false }, undefined), withOrder]
]

describe("a billing job", () => {
  it.each(decisions)("commits only under its lease and to the rows that were read: %s", (_, next, expected) => {
    assert.deepStrictEqual(guardsOf(next), expected)
  })

  it("charges under the client_orderid that is reserved for the occurrence", () => {
    assert.strictEqual(BillingDecisions.clientOrderIdOf(subscription({ next: 12 })), "9:12")
  })

  it("retries with the present card under another reference, and records the earlier attempt", () => {
    const decision = BillingDecisions.retry(waiting, {
      ...retry,
      card: { ...card, facts: { ...facts, lastFour: "2222" } }
    })
    const [tried] = rowsOf(decision, "orders")
    assert.deepInclude(tried, { lastFour: "2222", sequence: 1, state: "authorizing", errorCode: null })
    assert.deepStrictEqual(
      rowsOf(decision, "requests").map(({ errorCode, operation, progress, sequence }) =>
        [operation, sequence, progress, errorCode].join(" ")
      ),
      ["RECURRING_CHARGE 1 processing ", "RECURRING_ATTEMPT 0 declined 116"]
    )
  })

  it("gives up with the last decline or with its own reason", () => {
    const reasonOf = (stopped: BillingDecisions.StopReason) => {
      const decision = BillingDecisions.giveUp(waiting, stopped, undefined)
      const [ended] = rowsOf(decision, "orders")
      const [row] = rowsOf(decision, "subscriptions")
      return [ended?.state, ended?.errorCode, row?.state].join(" ")
    }
    assert.deepStrictEqual(
      [
        reasonOf({ suspends: false }),
        reasonOf({ suspends: true }),
        reasonOf({ ...declines.expiredCard, suspends: true }),
        reasonOf({ ...declines.limitExceeded, suspends: false, filteredBy: "max-amount" })
      ],
      ["declined 116 active", "declined 116 suspended", "declined 101 suspended", "filtered 92 active"]
    )
  })
})
