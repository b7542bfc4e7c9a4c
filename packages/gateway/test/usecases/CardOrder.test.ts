/** What every card order has in common, whoever asks for it. */
import { assert, describe, it } from "@effect/vitest"
import * as PayApi from "@pay/schema/PayApi"
import { Effect, Layer, Redacted } from "effect"
import type { Write } from "../../src/kernel/Decision.ts"
import { SecureRandom } from "../../src/kernel/SecureRandom.ts"
import * as CardOrder from "../../src/orders/CardOrder.ts"
import * as Creation from "../../src/orders/Creation.ts"
import * as BrowserFacts from "../../src/threeds/BrowserFacts.ts"
import { payment } from "../domain/Opening.ts"
import { keysOf, rowsOf } from "../domain/Written.ts"
import * as Calls from "./Calls.ts"
import { booked } from "./Creating.ts"
import * as Rail from "./Rail.ts"
import * as World from "./World.ts"

const threeds = {
  mode: "gateway",
  browser: BrowserFacts.nothing
} as const

const register = (changes: Partial<CardOrder.CardOrder>, given: World.Script = {}, rows: ReadonlyArray<Write> = []) => {
  const did = World.nothing()
  return Effect.gen(function* () {
    yield* World.given(rows, did)
    const creation = yield* Creation.make(PayApi.operations.SALE)
    const order = yield* CardOrder.make(creation)
    yield* order(Calls.call("SALE", { client_orderid: "INV-8" }), {
      kind: "sale",
      initiator: "cardholder",
      endpoint: World.endpoint(),
      payment: { ...payment, clientOrderId: "INV-8", amountMinor: 1_000, callbackUrl: null },
      pan: Redacted.make("4444333322221111"),
      panHash: "v1.p",
      cvv: undefined,
      country: undefined,
      threeds: undefined,
      ...changes
    })
    return { did, decision: did.decisions.at(-1) ?? { guards: [], writes: [] } }
  }).pipe(Effect.provide(Layer.provideMerge(SecureRandom.layer, World.layer(given, did))))
}

/** Without their numbers, which nobody knows before. */
const namesOf = (rows: ReadonlyArray<string>) =>
  rows.map((row) =>
    row
      .split(/[ ,:]/)
      .slice(0, row.startsWith("agenda") ? 2 : 1)
      .join(" ")
  )

describe("a card order", () => {
  const plain = ["orders", "requests", "cards"]
  const cases: ReadonlyArray<
    readonly [what: string, changes: Partial<CardOrder.CardOrder>, rows: ReadonlyArray<string>]
  > = [
    ["goes to the bank", {}, [...plain, "agenda bank"]],
    ["has its CVV sealed for minutes", { cvv: Redacted.make("123") }, [...plain, "cvvs", "agenda bank"]],
    [
      "has the card sealed that receives",
      { recipient: Redacted.make("5555444433332222") },
      [...plain, "payouts", "agenda bank"]
    ],
    ["goes to 3-D Secure", { threeds }, [...plain, "authentications", "agenda threeds"]]
  ]
  it.effect.each(cases)("%s", ([, changes, rows]) =>
    Effect.gen(function* () {
      const { decision } = yield* register(changes)
      assert.deepStrictEqual(namesOf(keysOf(decision)), [...rows])
    })
  )

  it.effect.each([
    ["by its request", {}, false],
    ["by whoever made it", { fingerprint: "v1.own" }, true]
  ] as const)("is known again %s", ([, changes, isOwn]) =>
    Effect.gen(function* () {
      const { decision } = yield* register(changes)
      assert.strictEqual(rowsOf(decision, "requests")[0]?.fingerprint === "v1.own", isOwn)
    })
  )

  it.effect("brings what becomes true with it", () =>
    Effect.gen(function* () {
      const { decision } = yield* register({
        beside: (registered) => ({
          ...registered,
          decision: { ...registered.decision, writes: [...registered.decision.writes, Rail.copy] }
        })
      })
      assert.include(keysOf(decision), "restorations latest")
    })
  )

  it.effect.each([
    ["its question to the bank", {}, ["bank"]],
    ["its news, where a rule stops it", { filtered: { 1000: "max-amount" } }, ["callback"]]
  ] as const)("is begun at once as far as the process has room for %s", ([, given, claimed]) =>
    Effect.gen(function* () {
      assert.deepStrictEqual((yield* register({}, given)).did.claimed, [...claimed])
    })
  )
})

describe("on a restored copy, a card order that comes again", () => {
  it.effect("takes over its booking: no rule stops it, and it went through 3-D Secure before", () =>
    Effect.gen(function* () {
      const given = { filtered: { 1000: "max-amount" } }
      const { decision, did } = yield* register({ threeds }, given, [Rail.copy, booked("sale")])
      assert.deepInclude(rowsOf(decision, "orders")[0], { orderId: "8", state: "authorizing", createdAtMs: 500 })
      assert.strictEqual(rowsOf(decision, "bankbookings")[0]?.state, "adopted")
      assert.deepStrictEqual(did.screened, [])
    })
  )

  it.effect("is judged like the others where nothing was booked", () =>
    Effect.gen(function* () {
      const { decision, did } = yield* register({}, { filtered: { 1000: "max-amount" } }, [Rail.copy])
      assert.strictEqual(rowsOf(decision, "orders")[0]?.state, "filtered")
      assert.deepStrictEqual(did.screened, [1_000])
    })
  )
})
