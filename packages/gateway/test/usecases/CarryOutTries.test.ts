/** The tries of one charge: a list of amounts, and those that a restored copy does not know. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { HostedSession } from "../../src/hosted/HostedSession.ts"
import * as Decision from "../../src/kernel/Decision.ts"
import type { Order } from "../../src/orders/Order.ts"
import { Restoration } from "../../src/orders/restored/Restoration.ts"
import { Occurrence, Subscription } from "../../src/recurring/Subscription.ts"
import { occurrence, preauth, request, sale, session, subscription } from "../domain/Sample.ts"
import { approved, begun, card, carryOut, creation, declined, type Given, work } from "./Bank.ts"
import * as World from "./World.ts"

const { nowMs } = World

describe("after a decline, of a list of amounts", () => {
  const listed = (changes: Partial<Order> = {}) => ({
    order: sale({ ...begun, cvvGiven: 0, amountsLeft: "900,400", ...changes }),
    request: creation("sale"),
    rows: [card()],
    answer: declined
  })
  const disabled = World.endpoint({ enabled: false })
  const inquiry = { item: { ...work, openAttempts: 2 }, existing: { "1-sale-0": declined } }
  const unknown = { ...creation("sale"), progress: "unknown" as const }
  const cases: ReadonlyArray<
    readonly [
      what: string,
      given: Given,
      outcome: string,
      screened: ReadonlyArray<number>,
      records: ReadonlyArray<string>
    ]
  > = [
    ["the next one is tried", listed(), "authorizing 900", [900], ["10000 declined"]],
    [
      "one that a rule stops is passed over",
      { ...listed(), filtered: { 900: "limit:amount" } },
      "authorizing 400",
      [900, 400],
      ["10000 declined", "900 filtered"]
    ],
    [
      "none is tried where all are stopped",
      { ...listed(), filtered: { 900: "limit:amount", 400: "limit:amount" } },
      "filtered 400",
      [900, 400],
      ["10000 declined", "400 filtered", "900 filtered"]
    ],
    [
      "none is tried after a rule that no amount can mend",
      { ...listed(), filtered: { 900: "block:card" } },
      "filtered 900",
      [900],
      ["10000 declined", "900 filtered"]
    ],
    [
      "none is tried with a card that is tried too often",
      { ...listed(), tooOften: true },
      "filtered 900",
      [],
      ["10000 declined", "900 filtered"]
    ],
    [
      "none is tried where the endpoint is gone",
      { ...listed(), endpoint: undefined },
      "declined 10000",
      [],
      ["10000 declined"]
    ],
    [
      "none is tried where the endpoint is switched off",
      { ...listed(), endpoint: disabled },
      "declined 10000",
      [],
      ["10000 declined"]
    ],
    [
      "none is tried where the card is erased",
      { ...listed(), ...inquiry, request: unknown, rows: [] },
      "declined 10000",
      [],
      ["10000 declined"]
    ],
    [
      "none is tried where the card's key is gone",
      { ...listed(), ...inquiry, request: unknown, rows: [card("gone")] },
      "declined 10000",
      [],
      ["10000 declined"]
    ],
    ["none is tried where none is left", listed({ amountsLeft: "" }), "declined 10000", [], ["10000 declined"]],
    [
      "none is tried after a decline that no amount can mend",
      { ...listed(), answer: { _tag: "Declined", code: 209, message: "Stolen card" } },
      "declined 10000",
      [],
      ["10000 declined"]
    ],
    ["an approval ends it", { ...listed(), answer: approved }, "settled 10000", [], ["10000 approved"]],
    ["a charge of one amount is none", listed({ amountsLeft: null }), "declined 10000", [], []]
  ]
  it.effect.each(cases)("%s", ([, given, outcome, screened, records]) =>
    Effect.gen(function* () {
      const done = yield* carryOut(given)
      assert.strictEqual(`${done.state} ${done.amountMinor}`, outcome)
      assert.deepStrictEqual(done.screened, [...screened])
      assert.sameMembers([...done.records], [...records])
    })
  )

  it.effect("its follow-ups are none of the amounts", () =>
    Effect.gen(function* () {
      const order = preauth({ amountsLeft: "900", capturingMinor: 4_000, movingCount: 1 })
      const { records, screened, state } = yield* carryOut({ order, request: request(), answer: declined })
      assert.deepStrictEqual([records, screened, state], [[], [], "authorized"])
    })
  )
})

describe("on a restored copy, of a charge whose later tries the former life may have made", () => {
  const startedAtMs = nowMs - 1_000
  const copy = Decision.put(Restoration, {
    name: "latest",
    restoredAtMs: 1,
    startedAtMs,
    lastCommitAtMs: 1,
    enumeratedAtMs: 1
  })
  const billed = [
    Decision.put(Subscription, subscription()),
    Decision.put(Occurrence, occurrence({ day: "1970-01-01", firstAtMs: 1 }))
  ]
  const charge = {
    order: sale({ ...begun, cvvGiven: 0, createdAtMs: 1, subscriptionId: "9" }),
    request: creation("sale")
  }
  const page = Decision.put(HostedSession, session({ attemptId: null, attempts: 0, attemptsAllowed: 2 }))
  const later = { "1-sale-2": approved }
  const inquired = (count: number) => Array.from({ length: count }, (_, n) => `inquire 1-sale-${n}`)
  const cases: ReadonlyArray<
    readonly [what: string, given: Given, requests: ReadonlyArray<string>, state: Order["state"], sequence: number]
  > = [
    [
      "nothing is sent where one of them was approved: that is its outcome",
      { ...charge, rows: [copy, card(), ...billed], existing: later },
      [...inquired(3), "inquire 1-sale-1", "inquire 1-sale-2"],
      "settled",
      2
    ],
    [
      "none is asked about where the first was approved",
      { ...charge, rows: [copy, card(), ...billed], existing: { "1-sale-0": approved, ...later } },
      ["inquire 1-sale-0"],
      "settled",
      0
    ],
    [
      "a payment that does not recur has none",
      { ...charge, order: { ...charge.order, subscriptionId: null }, rows: [copy, card()], existing: later },
      ["inquire 1-sale-0", "1-sale-0 10000 USD captured from 4444333322221111"],
      "settled",
      0
    ],
    [
      "one with a page has as many as the page allows",
      {
        order: { ...charge.order, subscriptionId: null },
        request: { ...charge.request, operation: "SALEFORM" },
        rows: [copy, card(), page],
        existing: later
      },
      [...inquired(3), "inquire 1-sale-1", "inquire 1-sale-2"],
      "settled",
      2
    ]
  ]
  it.effect.each(cases)("%s", ([, given, requests, state, sequence]) =>
    Effect.gen(function* () {
      const done = yield* carryOut(given)
      assert.deepStrictEqual([done.requests, done.state, done.sequence], [[...requests], state, sequence])
    })
  )
})
