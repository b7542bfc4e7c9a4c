import { assert, describe, it } from "@effect/vitest"
import * as TextTable from "../../../../packages/schema/test/TextTable.ts"
import * as Lifecycle from "../../src/orders/record/Lifecycle.ts"
import * as PayoutLifecycle from "../../src/orders/record/PayoutLifecycle.ts"

const events: ReadonlyArray<PayoutLifecycle.Event> = [
  "filter",
  "abandon",
  "retry",
  "check",
  "accept",
  "wait",
  "pay",
  "reject",
  "lapse",
  "confirm",
  "decline",
  "lose",
  "fail",
  "bounce"
]

/** Every state × every event; a dot is refused. */
const table = `
from       | filter   | abandon  | retry      | check    | accept  | wait    | pay    | reject   | lapse    | confirm | decline  | lose      | fail   | bounce
registered | filtered | declined | .          | checking | .       | waiting | paying | .        | .        | .       | declined | .         | .      | .
checking   | .        | .        | registered | .        | checked | .       | .      | .        | declined | .       | declined | .         | .      | .
checked    | .        | .        | .          | .        | .       | waiting | paying | .        | declined | .       | .        | .         | .      | .
waiting    | .        | .        | .          | .        | .       | .       | paying | declined | declined | .       | .        | .         | .      | .
paying     | .        | .        | .          | .        | .       | .       | .      | .        | .        | paid    | declined | unknown   | failed | .
unknown    | .        | .        | .          | .        | .       | .       | .      | .        | .        | paid    | declined | unknown   | failed | .
paid       | .        | .        | .          | .        | .       | .       | .      | .        | .        | .       | .        | .         | .      | bounced
bounced    | .        | .        | .          | .        | .       | .       | .      | .        | .        | .       | .        | .         | .      | .
declined   | .        | .        | .          | .        | .       | .       | .      | .        | .        | .       | .        | .         | .      | .
filtered   | .        | .        | .          | .        | .       | .       | .      | .        | .        | .       | .        | .         | .      | .
failed     | .        | .        | .          | .        | .       | .       | .      | .        | .        | .       | .        | .         | .      | .
`
const [header = [], ...rows] = TextTable.rows(table)

describe("the lifecycle of a payout", () => {
  it("has a row for every state and a column for every event", () => {
    assert.deepStrictEqual(rows.map(([state]) => state).sort(), Object.keys(PayoutLifecycle.table).sort())
    assert.deepStrictEqual(header.slice(1), [...events])
    const used = new Set(Object.values(PayoutLifecycle.table).flatMap(({ on }) => Object.keys(on)))
    assert.deepStrictEqual([...used].sort(), [...events].sort())
  })

  for (const [state = "", ...targets] of rows) {
    it(`has the transitions of the table from the state ${state}`, () => {
      const matches = events.map((event) => PayoutLifecycle.next(state, event) ?? ".")
      assert.deepStrictEqual(matches, targets)
    })
  }

  it("has no transition for a state of a card order", () => assert.isUndefined(PayoutLifecycle.next("settled", "pay")))

  it("has three states that wait for a confirmation or lapse", () =>
    assert.deepStrictEqual(Object.keys(PayoutLifecycle.table).filter(PayoutLifecycle.isUnpaid), [
      "checking",
      "checked",
      "waiting"
    ]))

  it("shares a state's name with card orders only if its status and callback are the same", () => {
    for (const [state, { callback, wire }] of Object.entries(PayoutLifecycle.table)) {
      const facts = Object.entries(Lifecycle.states).find(([name]) => name === state)?.[1]
      assert.deepInclude(facts, { callback, wire }, state)
    }
  })

  it("holds the amount exactly while there is no final status", () => {
    const open = Object.entries(PayoutLifecycle.table).filter(
      ([, { wire }]) => wire === "processing" || wire === "unknown"
    )
    assert.sameMembers(
      [...PayoutLifecycle.holding],
      open.map(([state]) => state)
    )
  })

  it("has every transition in its diagram", () => {
    const drawn = PayoutLifecycle.toMermaid()
    for (const [state = "", ...targets] of rows) {
      targets.forEach((target, index) => {
        if (target !== ".") assert.include(drawn, `  ${state} --> ${target}: ${events[index]}\n`)
      })
    }
  })
})
