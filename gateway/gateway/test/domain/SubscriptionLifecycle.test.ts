import { assert, describe, it } from "@effect/vitest"
import * as TextTable from "../../../../packages/schema/test/TextTable.ts"
import * as SubscriptionLifecycle from "../../src/recurring/decide/SubscriptionLifecycle.ts"

/** Every state × every event; a dot is refused. */
const table = `
from      | begin  | reject | pause  | resume | cancel    | suspend   | revive | finish
starting  | active | failed | .      | .      | cancelled | .         | .      | .
active    | .      | .      | paused | .      | cancelled | suspended | .      | finished
paused    | .      | .      | .      | active | cancelled | suspended | .      | finished
suspended | .      | .      | .      | .      | cancelled | .         | active | finished
finished  | .      | .      | .      | .      | .         | .         | .      | .
cancelled | .      | .      | .      | .      | .         | .         | .      | .
failed    | .      | .      | .      | .      | .         | .         | .      | .
`

const events = ["begin", "reject", "pause", "resume", "cancel", "suspend", "revive", "finish"] as const
const states: ReadonlyArray<SubscriptionLifecycle.State> = [
  "starting",
  "active",
  "paused",
  "suspended",
  "finished",
  "cancelled",
  "failed"
]

describe("the lifecycle of a recurring payment", () => {
  it("has the transitions of the table and no others", () => {
    const rows = states.map((state) => [
      state,
      ...events.map((event) => SubscriptionLifecycle.next(state, event) ?? ".")
    ])
    const values = [["from", ...events], ...rows].map((row) => row.join("|"))
    const expected = TextTable.rows(table).map((row) => row.join("|"))
    assert.deepStrictEqual(values, expected)
    assert.deepStrictEqual(Object.keys(SubscriptionLifecycle.states), [...states])
  })

  it("has its scheduled, charged, paused and final states from the table", () => {
    const of = (is: (state: SubscriptionLifecycle.State) => boolean) => states.filter(is)
    assert.deepStrictEqual(of(SubscriptionLifecycle.isScheduled), ["active", "paused", "suspended"])
    assert.deepStrictEqual(of(SubscriptionLifecycle.isCharged), ["active"])
    assert.deepStrictEqual(of(SubscriptionLifecycle.isPaused), ["paused"])
    assert.deepStrictEqual(of(SubscriptionLifecycle.hasCard), ["active", "paused"])
    assert.deepStrictEqual(of(SubscriptionLifecycle.isOver), ["finished", "cancelled", "failed"])
  })
})
