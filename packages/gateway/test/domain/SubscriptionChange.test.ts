import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import type { Occurrence, Subscription } from "../../src/recurring/Subscription.ts"
import * as SubscriptionChange from "../../src/recurring/SubscriptionChange.ts"
import type { State } from "../../src/recurring/SubscriptionLife.ts"
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
  sealedPan: Uint8Array.of(9),
  panHash: "v1.other"
}

const asks = {
  pause: { change: "pause", amountMinor: undefined, card: undefined },
  resume: { change: "resume", amountMinor: undefined, card: undefined },
  cancel: { change: "cancel", amountMinor: undefined, card: undefined },
  amount: { change: undefined, amountMinor: 700, card: undefined },
  card: { change: undefined, amountMinor: undefined, card },
  "card, pause": { change: "pause", amountMinor: undefined, card }
} as const satisfies Record<string, SubscriptionChange.WantedChange>

/** The state after each change; a dot: refused. */
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
  ask: SubscriptionChange.WantedChange,
  nowMs = 5_000
) => SubscriptionChange.decide({ subscription: row, occurrence: present, last: present }, ask, nowMs)

const after = (state: State, ask: SubscriptionChange.WantedChange) => decide(subscription({ state }), undefined, ask)

describe("a change to a recurring payment", () => {
  it("leads where the table says", () => {
    const values = states.map((state) => {
      const cells = Object.values(asks).map((request) => {
        const changed = after(state, request)
        return Result.isFailure(changed) ? "." : changed.success.subscription.state
      })
      return [state, ...cells].join("|")
    })
    const [, ...expected] = table.trim().split("\n")
    assert.deepStrictEqual(
      values,
      expected.map((line) =>
        line
          .split("|")
          .map((cell) => cell.trim())
          .join("|")
      )
    )
  })

  it("sets what it names and nothing else", () => {
    const changed = Result.getOrThrow(after("active", { ...asks.card, amountMinor: 700 }))
    const before = subscription()
    assert.deepStrictEqual(changed.subscription, { ...before, ...card, amountMinor: 700, version: before.version + 1 })
  })

  it("a suspended one is told to bring another card", () => {
    const refused = after("suspended", asks.resume)
    assert(Result.isFailure(refused))
    assert.match(refused.failure.message, /give another card/)
  })

  it("another card clears why it was suspended", () => {
    const suspended = subscription({ state: "suspended", reasonCode: 116, reasonMessage: "Not sufficient funds" })
    const changed = Result.getOrThrow(decide(suspended, undefined, asks.card))
    assert.deepInclude(changed.subscription, { state: "active", reasonCode: null, reasonMessage: null })
  })

  it("another card leaves a pause that was made before the suspension, unless it comes with resume", () => {
    const suspended = subscription({ state: "suspended", paused: 1, reasonCode: 116, reasonMessage: "Poor" })
    const after = (ask: SubscriptionChange.WantedChange) => {
      const changed = Result.getOrThrow(decide(suspended, undefined, ask))
      const { paused, reasonCode, state } = changed.subscription
      return [state, paused, reasonCode]
    }
    assert.deepStrictEqual(after(asks.card), ["paused", null, null])
    assert.deepStrictEqual(after({ ...asks.card, change: "resume" }), ["active", null, null])
  })

  const turns = [
    ["nothing under way: none", undefined, 0, 1],
    ["a charge under way: its outcome ends it", occurrence(), 0, 1],
    ["a try waited for: now, to end its order", occurrence({ progress: "retrying" }), 1, 0]
  ] as const
  it.each(turns)("cancelled, its turn with %s", (_, present, put, removed) => {
    const changed = Result.getOrThrow(decide(subscription(), present, asks.cancel))
    const turns = rowsOf(changed.decision, "agenda")
    assert.strictEqual(turns.length, put)
    assert.strictEqual(changed.decision.writes.filter(({ _tag }) => _tag === "Remove").length, removed)
    assert.strictEqual(changed.subscription.sealedPan.length, 0)
    for (const { dueAtMs } of turns) assert.strictEqual(dueAtMs, 5_000)
  })

  it("holds only for the row that was read", () => {
    const changed = Result.getOrThrow(after("active", asks.pause))
    assert.deepStrictEqual(
      changed.decision.guards.map((guard) => (guard._tag === "VersionIs" ? [guard.key, guard.version] : guard._tag)),
      [[["9"], 4]]
    )
  })
})
