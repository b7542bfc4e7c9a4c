import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import * as TextTable from "../../../../packages/schema/test/TextTable.ts"
import type { Occurrence, Subscription } from "../../src/recurring/decide/Subscription.ts"
import * as SubscriptionChange from "../../src/recurring/decide/SubscriptionChange.ts"
import type { State } from "../../src/recurring/decide/SubscriptionLifecycle.ts"
import { occurrence, subscription } from "./Sample.ts"
import { rowsOf } from "./Written.ts"

const states = ["starting", "active", "paused", "suspended", "finished", "cancelled", "failed"] as const
const card = {
  bin: "555544",
  lastFour: "2222",
  cardType: "MASTERCARD",
  cardholder: "JOHN SMITH",
  expireMonth: 1,
  expireYear: 2040,
  encryptedPan: Uint8Array.of(9),
  panHash: "v1.other"
}

const asks = {
  pause: { change: "pause", amountMinor: undefined, card: undefined },
  resume: { change: "resume", amountMinor: undefined, card: undefined },
  cancel: { change: "cancel", amountMinor: undefined, card: undefined },
  amount: { change: undefined, amountMinor: 700, card: undefined },
  card: { change: undefined, amountMinor: undefined, card },
  "card, pause": { change: "pause", amountMinor: undefined, card }
} as const satisfies Record<string, SubscriptionChange.RequestedChange>

/** Every state × every change: the state afterwards; a dot is refused. */
const table = `
from      | pause  | resume | cancel    | amount    | card   | card, pause
starting  | .      | .      | cancelled | .         | .      | .
active    | paused | active | cancelled | active    | active | paused
paused    | paused | active | cancelled | paused    | paused | paused
suspended | .      | .      | cancelled | suspended | active | paused
finished  | .      | .      | .         | .         | .      | .
cancelled | .      | .      | cancelled | .         | .      | .
failed    | .      | .      | .         | .         | .      | .
`

const decide = (
  row: Subscription,
  present: Occurrence | undefined,
  ask: SubscriptionChange.RequestedChange,
  nowMs = 5_000
) => SubscriptionChange.decide({ subscription: row, occurrence: present, last: present }, ask, nowMs)

const after = (state: State, ask: SubscriptionChange.RequestedChange) => decide(subscription({ state }), undefined, ask)

describe("a change to a recurring payment", () => {
  it("leads to the states of the table", () => {
    const values = states.map((state) => {
      const cells = Object.values(asks).map((request) => {
        const changed = after(state, request)
        return Result.isFailure(changed) ? "." : changed.success.subscription.state
      })
      return [state, ...cells].join("|")
    })
    const [, ...expected] = TextTable.rows(table)
    assert.deepStrictEqual(
      values,
      expected.map((row) => row.join("|"))
    )
  })

  it("sets only the values that it names", () => {
    const changed = Result.getOrThrow(after("active", { ...asks.card, amountMinor: 700 }))
    const before = subscription()
    assert.deepStrictEqual(changed.subscription, { ...before, ...card, amountMinor: 700, version: before.version + 1 })
  })

  it("is refused with the advice to give another card if the payment is suspended", () => {
    const refused = after("suspended", asks.resume)
    assert(Result.isFailure(refused))
    assert.match(refused.failure.message, /give another card/)
  })

  it("clears the reason of a suspension when it gives another card", () => {
    const suspended = subscription({ state: "suspended", reasonCode: 116, reasonMessage: "Not sufficient funds" })
    const changed = Result.getOrThrow(decide(suspended, undefined, asks.card))
    assert.deepInclude(changed.subscription, { state: "active", reasonCode: null, reasonMessage: null })
  })

  it("keeps an earlier pause when it gives another card without resume", () => {
    const suspended = subscription({ state: "suspended", paused: 1, reasonCode: 116, reasonMessage: "Poor" })
    const after = (ask: SubscriptionChange.RequestedChange) => {
      const changed = Result.getOrThrow(decide(suspended, undefined, ask))
      const { paused, reasonCode, state } = changed.subscription
      return [state, paused, reasonCode]
    }
    assert.deepStrictEqual(after(asks.card), ["paused", 0, null])
    assert.deepStrictEqual(after({ ...asks.card, change: "resume" }), ["active", 0, null])
  })

  const jobs = [
    ["no charge under way: no job", undefined, 0, 1],
    ["a charge under way: no job", occurrence(), 0, 1],
    ["a scheduled retry: a job now, which ends the order", occurrence({ progress: "retrying" }), 1, 0]
  ] as const
  it.each(jobs)(
    "leaves no billing job after a cancellation except to end an order: %s",
    (_, existing, put, removed) => {
      const changed = Result.getOrThrow(decide(subscription(), existing, asks.cancel))
      const jobs = rowsOf(changed.decision, "jobs")
      assert.strictEqual(jobs.length, put)
      assert.strictEqual(changed.decision.writes.filter(({ _tag }) => _tag === "Remove").length, removed)
      assert.strictEqual(changed.subscription.encryptedPan.length, 0)
      for (const { dueAtMs } of jobs) assert.strictEqual(dueAtMs, 5_000)
    }
  )

  it("commits only to the recurring payment that was read", () => {
    const changed = Result.getOrThrow(after("active", asks.pause))
    assert.deepStrictEqual(
      changed.decision.guards.map((guard) => (guard._tag === "VersionIs" ? [guard.key, guard.version] : guard._tag)),
      [[["9"], 4]]
    )
  })
})
