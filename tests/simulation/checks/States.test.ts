/** The check of states reports every change that the gateway must never make. */
import { Balance, LedgerEntry, Occurrence, Order, OrderRequest, Subscription } from "@pay/gateway/Entities"
import { assert, describe, it } from "vitest"
import { BankTask } from "../../../gateway/gateway/src/orders/record/BankTask.ts"
import type { Change, Row } from "../ShadowStore.ts"
import * as States from "./States.ts"

const amounts = {
  ...{ authorizedMinor: 10, capturedMinor: 5, capturingMinor: 0, refundedMinor: 1, refundingMinor: 0 },
  ...{ inFlightCount: 0, voiding: 0, sequence: 2, eventCount: 2 }
}
const order = (changes: Row): Row => ({ kind: "preauth", state: "authorized", merchantId: "m", ...amounts, ...changes })

const change = (entity: Change["entity"], before: Row | undefined, after: Row, rest: Partial<Change> = {}): Change => {
  const versions = "version" in entity.columns
  return {
    ...{ entity, key: "1", how: "Put", isSure: true },
    before: before === undefined ? undefined : { ...(versions ? { version: 1 } : {}), ...before },
    after: { ...(versions ? { version: before === undefined ? 1 : 2 } : {}), ...after },
    ...rest
  }
}

const wrong: ReadonlyArray<readonly [string, Change]> = [
  ["moves from declined to settled", change(Order, order({ state: "declined" }), order({ state: "settled" }))],
  ["moves from settled to unknown", change(Order, order({ state: "settled" }), order({ state: "unknown" }))],
  [
    "moves from paid to declined",
    change(Order, order({ kind: "payout", state: "paid" }), order({ kind: "payout", state: "declined" }))
  ],
  ["loses capturedMinor", change(Order, order({}), order({ capturedMinor: 4 }))],
  ["has impossible amounts", change(Order, order({}), order({ capturingMinor: 6 }))],
  ["has impossible amounts", change(Order, order({}), order({ refundedMinor: 6 }))],
  ["has impossible amounts", change(Order, order({}), order({ voiding: 1, state: "voided" }))],
  ["has impossible amounts", change(Order, order({}), order({ voiding: 1, capturingMinor: 1 }))],
  ["moves from unknown to authorizing", change(Order, order({ state: "unknown" }), order({ state: "authorizing" }))],
  [
    "has impossible amounts",
    change(Balance, { minor: 1 }, { account: "m/1/USD/payout_available", minor: -1 }, { how: "Post" })
  ],
  ["changes its merchantId", change(Order, order({}), order({ merchantId: "n" }))],
  ["has version 3 after 1", change(Order, order({}), order({ version: 3 }))],
  ["has version 7 after none", change(Order, undefined, order({ version: 7 }))],
  ["moves from approved to declined", change(OrderRequest, { progress: "approved" }, { progress: "declined" })],
  ["moves from cancelled to active", change(Subscription, { state: "cancelled" }, { state: "active" })],
  ["moves from charged to charging", change(Occurrence, { progress: "charged" }, { progress: "charging" })],
  ["moves from closed to open", change(BankTask, { state: "closed" }, { state: "open" })],
  ["may only be appended, but gets Put", change(LedgerEntry, { minor: 1 }, { minor: 2 })],
  ["may only be appended, but gets Remove", change(LedgerEntry, { minor: 1 }, {}, { how: "Remove", after: undefined })]
]

describe("the check of states", () => {
  it.each(wrong)("reports a row that %s", (problem, each) => {
    assert.include(States.problems(each).join("; "), problem)
  })

  it("accepts an allowed transition, and a change after an unknown row", () => {
    assert.deepStrictEqual(
      States.problems(change(Order, order({}), order({ state: "settled", capturedMinor: 10 }))),
      []
    )
    const ofList = (state: string) => order({ state, remainingAmounts: "5" })
    assert.deepStrictEqual(States.problems(change(Order, ofList("unknown"), ofList("authorizing"))), [])
    assert.deepStrictEqual(
      States.problems(change(Order, order({ state: "declined" }), order({ state: "settled" }), { isSure: false })),
      []
    )
  })
})
