/** What all card orders have in common. */
import { assert, describe, it } from "@effect/vitest"
import * as PayApi from "@pay/schema/PayApi"
import { Effect, Layer, Redacted } from "effect"
import type { Write } from "../../src/kernel/Decision.ts"
import { SecureRandom } from "../../src/kernel/SecureRandom.ts"
import { Store } from "../../src/kernel/Store.ts"
import * as CardOrder from "../../src/orders/requests/CardOrder.ts"
import * as Creation from "../../src/orders/requests/Creation.ts"
import * as BrowserFacts from "../../src/threeds/decide/BrowserFacts.ts"
import { payment } from "../domain/Opening.ts"
import { keysOf, rowsOf } from "../domain/Written.ts"
import * as Calls from "./Calls.ts"
import { booked } from "./Creating.ts"
import * as Rail from "./Rail.ts"
import * as ScriptedServices from "./ScriptedServices.ts"

const threeds = {
  mode: "gateway",
  browser: BrowserFacts.none
} as const

const register = (
  changes: Partial<CardOrder.CardOrder>,
  setup: ScriptedServices.Script = {},
  rows: ReadonlyArray<Write> = []
) => {
  const recording = ScriptedServices.newRecording()
  return Effect.gen(function* () {
    yield* ScriptedServices.seed(rows, recording)
    const creation = yield* Creation.make(PayApi.operations.SALE)
    const order = yield* CardOrder.make(creation)
    yield* order(
      { ...Calls.call("SALE", { client_orderid: "INV-8" }), rows: yield* Store },
      {
        kind: "sale",
        initiator: "cardholder",
        endpoint: ScriptedServices.endpoint(),
        payment: { ...payment, clientOrderId: "INV-8", amountMinor: 1_000, callbackUrl: null },
        pan: Redacted.make("4444333322221111"),
        panHash: "v1.p",
        cvv: undefined,
        country: undefined,
        threeds: undefined,
        ...changes
      }
    )
    return { recording, decision: recording.decisions.at(-1) ?? { guards: [], writes: [] } }
  }).pipe(Effect.provide(Layer.provideMerge(SecureRandom.layer, ScriptedServices.layer(setup, recording))))
}

/** Returns the rows without their generated numbers. */
const namesOf = (rows: ReadonlyArray<string>) =>
  rows.map((row) =>
    row
      .split(/[ ,:]/)
      .slice(0, row.startsWith("jobs") ? 2 : 1)
      .join(" ")
  )

describe("a card order", () => {
  const plain = ["orders", "requests", "cards"]
  const cases: ReadonlyArray<
    readonly [what: string, changes: Partial<CardOrder.CardOrder>, rows: ReadonlyArray<string>]
  > = [
    ["has a job for the bank", {}, [...plain, "jobs bank"]],
    ["stores its CVV, encrypted for minutes", { cvv: Redacted.make("123") }, [...plain, "cvvs", "jobs bank"]],
    [
      "stores the recipient's card, encrypted",
      { recipient: Redacted.make("5555444433332222") },
      [...plain, "payouts", "jobs bank"]
    ],
    ["has a job for 3-D Secure", { threeds }, [...plain, "authentications", "jobs threeds"]]
  ]
  it.effect.each(cases)("%s", ([, changes, rows]) =>
    Effect.gen(function* () {
      const { decision } = yield* register(changes)
      assert.deepStrictEqual(namesOf(keysOf(decision)), [...rows])
    })
  )

  it.effect.each([
    ["of its request", {}, false],
    ["of its caller", { fingerprint: "v1.own" }, true]
  ] as const)("has the fingerprint %s", ([, changes, isOwn]) =>
    Effect.gen(function* () {
      const { decision } = yield* register(changes)
      assert.strictEqual(rowsOf(decision, "requests")[0]?.fingerprint === "v1.own", isOwn)
    })
  )

  it.effect("commits the rows of its caller too", () =>
    Effect.gen(function* () {
      const { decision } = yield* register({
        complete: (registered) => ({
          ...registered,
          decision: { ...registered.decision, writes: [...registered.decision.writes, Rail.copy] }
        })
      })
      assert.include(keysOf(decision), "restorations latest")
    })
  )

  it.effect.each([
    ["its request to the bank", {}, ["bank"]],
    ["its callback if a risk rule stops it", { filtered: { 1000: "max-amount" } }, ["callback"]]
  ] as const)("claims a job at once for %s", ([, setup, claimed]) =>
    Effect.gen(function* () {
      assert.deepStrictEqual((yield* register({}, setup)).recording.claimed, [...claimed])
    })
  )
})

describe("a repeated card order after a restore", () => {
  it.effect("adopts its booking without risk rules and without 3-D Secure", () =>
    Effect.gen(function* () {
      const setup = { filtered: { 1000: "max-amount" } }
      const { decision, recording } = yield* register({ threeds }, setup, [Rail.copy, booked("sale")])
      assert.deepInclude(rowsOf(decision, "orders")[0], { orderId: "8", state: "authorizing", createdAtMs: 500 })
      assert.strictEqual(rowsOf(decision, "bankBookings")[0]?.state, "adopted")
      assert.deepStrictEqual(recording.screened, [])
    })
  )

  it.effect("is checked by the risk rules if the bank lists no booking", () =>
    Effect.gen(function* () {
      const { decision, recording } = yield* register({}, { filtered: { 1000: "max-amount" } }, [Rail.copy])
      assert.strictEqual(rowsOf(decision, "orders")[0]?.state, "filtered")
      assert.deepStrictEqual(recording.screened, [1_000])
    })
  )
})
