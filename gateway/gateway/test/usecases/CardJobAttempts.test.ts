/** The attempts of one charge: a list of amounts, and the attempts that a restored copy lacks. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { HostedSession } from "../../src/hosted/HostedSession.ts"
import * as Decision from "../../src/kernel/Decision.ts"
import type { Order } from "../../src/orders/Order.ts"
import { Restoration } from "../../src/orders/restored/Restoration.ts"
import { Occurrence, Subscription } from "../../src/recurring/Subscription.ts"
import { occurrence, preauth, request, sale, session, subscription } from "../domain/Sample.ts"
import { approved, authorizing, card, creation, declined, runJob, type Setup, work } from "./Bank.ts"
import * as ScriptedServices from "./ScriptedServices.ts"

const { nowMs } = ScriptedServices

describe("a charge with a list of amounts after a decline", () => {
  const listed = (changes: Partial<Order> = {}) => ({
    order: sale({ ...authorizing, hasCvv: 0, remainingAmounts: "900,400", ...changes }),
    request: creation("sale"),
    rows: [card()],
    answer: declined
  })
  const disabled = ScriptedServices.endpoint({ enabled: false })
  const inquiry = { job: { ...work, openAttempts: 2 }, existing: { "1-sale-0": declined } }
  const unknown = { ...creation("sale"), progress: "unknown" as const }
  const cases: ReadonlyArray<
    readonly [
      what: string,
      setup: Setup,
      outcome: string,
      screened: ReadonlyArray<number>,
      records: ReadonlyArray<string>
    ]
  > = [
    ["tries the next amount", listed(), "authorizing 900", [900], ["10000 declined"]],
    [
      "skips an amount that a risk rule stops",
      { ...listed(), filtered: { 900: "limit:amount" } },
      "authorizing 400",
      [900, 400],
      ["10000 declined", "900 filtered"]
    ],
    [
      "ends if risk rules stop all amounts",
      { ...listed(), filtered: { 900: "limit:amount", 400: "limit:amount" } },
      "filtered 400",
      [900, 400],
      ["10000 declined", "400 filtered", "900 filtered"]
    ],
    [
      "ends after a risk rule that stops any amount",
      { ...listed(), filtered: { 900: "block:card" } },
      "filtered 900",
      [900],
      ["10000 declined", "900 filtered"]
    ],
    [
      "ends if the card is tried too often",
      { ...listed(), tooOften: true },
      "filtered 900",
      [],
      ["10000 declined", "900 filtered"]
    ],
    ["ends if the endpoint is missing", { ...listed(), endpoint: undefined }, "declined 10000", [], ["10000 declined"]],
    [
      "ends if the endpoint is switched off",
      { ...listed(), endpoint: disabled },
      "declined 10000",
      [],
      ["10000 declined"]
    ],
    [
      "ends if the card is erased",
      { ...listed(), ...inquiry, request: unknown, rows: [] },
      "declined 10000",
      [],
      ["10000 declined"]
    ],
    [
      "ends if the card cannot be decrypted",
      { ...listed(), ...inquiry, request: unknown, rows: [card("gone")] },
      "declined 10000",
      [],
      ["10000 declined"]
    ],
    ["ends if no amount is left", listed({ remainingAmounts: "" }), "declined 10000", [], ["10000 declined"]],
    [
      "ends after a hard decline",
      { ...listed(), answer: { _tag: "Declined", code: 209, message: "Stolen card" } },
      "declined 10000",
      [],
      ["10000 declined"]
    ],
    ["ends with an approval", { ...listed(), answer: approved }, "settled 10000", [], ["10000 approved"]],
    ["records no attempt if there is only one amount", listed({ remainingAmounts: null }), "declined 10000", [], []]
  ]
  it.effect.each(cases)("%s", ([, setup, outcome, screened, records]) =>
    Effect.gen(function* () {
      const done = yield* runJob(setup)
      assert.strictEqual(`${done.state} ${done.amountMinor}`, outcome)
      assert.deepStrictEqual(done.screened, [...screened])
      assert.sameMembers([...done.records], [...records])
    })
  )

  it.effect("tries no amount after a declined follow-up", () =>
    Effect.gen(function* () {
      const order = preauth({ remainingAmounts: "900", capturingMinor: 4_000, inFlightCount: 1 })
      const { records, screened, state } = yield* runJob({ order, request: request(), answer: declined })
      assert.deepStrictEqual([records, screened, state], [[], [], "authorized"])
    })
  )
})

describe("a charge whose later attempts may have been made before a restore", () => {
  const startedAtMs = nowMs - 1_000
  const copy = Decision.put(Restoration, {
    name: "latest",
    version: 1,
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
    order: sale({ ...authorizing, hasCvv: 0, createdAtMs: 1, subscriptionId: "9" }),
    request: creation("sale")
  }
  const page = Decision.put(HostedSession, session({ attemptId: null, attempts: 0, maxAttempts: 2 }))
  const later = { "1-sale-2": approved }
  const inquired = (count: number) => Array.from({ length: count }, (_, n) => `inquire 1-sale-${n}`)
  const cases: ReadonlyArray<
    readonly [what: string, setup: Setup, requests: ReadonlyArray<string>, state: Order["state"], sequence: number]
  > = [
    [
      "has the outcome of the attempt that was approved, and sends nothing",
      { ...charge, rows: [copy, card(), ...billed], existing: later },
      [...inquired(3), "inquire 1-sale-1", "inquire 1-sale-2"],
      "settled",
      2
    ],
    [
      "causes no inquiry for later attempts if the first one was approved",
      { ...charge, rows: [copy, card(), ...billed], existing: { "1-sale-0": approved, ...later } },
      ["inquire 1-sale-0"],
      "settled",
      0
    ],
    [
      "has no later attempts if the payment does not recur",
      { ...charge, order: { ...charge.order, subscriptionId: null }, rows: [copy, card()], existing: later },
      ["inquire 1-sale-0", "1-sale-0 10000 USD captured from 4444333322221111"],
      "settled",
      0
    ],
    [
      "has as many attempts as its hosted page allows",
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
  it.effect.each(cases)("%s", ([, setup, requests, state, sequence]) =>
    Effect.gen(function* () {
      const done = yield* runJob(setup)
      assert.deepStrictEqual([done.requests, done.state, done.sequence], [[...requests], state, sequence])
    })
  )
})
