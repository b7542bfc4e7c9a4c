import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Redacted, Result } from "effect"
import { AuthClock } from "../src/kernel/AuthClock.ts"
import * as Decision from "../src/kernel/Decision.ts"
import { KeyedLock } from "../src/kernel/KeyedLock.ts"
import { Store } from "../src/kernel/Store.ts"
import * as StoreMemory from "../src/kernel/StoreMemory.ts"
import * as CustomerAddress from "../src/network/CustomerAddress.ts"
import { Card } from "../src/orders/record/Card.ts"
import { Order } from "../src/orders/record/Order.ts"
import { StoppedCard } from "../src/orders/record/StoppedCard.ts"
import type { ScreenedPayment } from "../src/orders/requests/JudgeRisk.ts"
import { RiskCheck } from "../src/orders/requests/RiskCheck.ts"
import * as RiskRules from "../src/risk/RiskRules.ts"
import * as KeyRing from "../src/vault/KeyRing.ts"
import * as KeyVaultLocal from "../src/vault/KeyVaultLocal.ts"
import { sale } from "./domain/Sample.ts"
import { row } from "./Row.ts"
import * as ScriptedServices from "./usecases/ScriptedServices.ts"

const keyVault = Layer.unwrap(Effect.map(KeyRing.generate, (keyRing) => KeyVaultLocal.layer({ keyRing })))

const live = RiskCheck.layer.pipe(
  Layer.provide(Layer.mergeAll(keyVault, KeyedLock.layer)),
  Layer.provideMerge(Layer.mergeAll(StoreMemory.layer, AuthClock.layer))
)

const once = { withinSeconds: 60, count: 1 }
const endpoint = ScriptedServices.endpoint({
  id: "1",
  risk: Result.getOrThrow(
    RiskRules.make(
      {},
      {
        velocity: [
          { per: "card", ...once },
          { per: "email", ...once },
          { per: "address", ...once }
        ]
      }
    )
  )
})

const payment = (orderId: string, changes: Partial<ScreenedPayment> = {}): ScreenedPayment => ({
  orderId,
  merchantId: "shop",
  endpoint,
  pan: Redacted.make(`444433332222000${orderId}`),
  amountMinor: 1_000,
  currency: "USD",
  bin: "444433",
  email: `${orderId}@shop.example`,
  address: CustomerAddress.of(`203.0.113.${orderId}`),
  country: undefined,
  storedCard: undefined,
  ...changes
})

/** Checks payments concurrently; each commits some time after its check. */
const checkAll = Effect.fnUntraced(function* (payments: ReadonlyArray<ScreenedPayment>) {
  const riskCheck = yield* RiskCheck
  const store = yield* Store
  return yield* Effect.forEach(
    payments,
    (each) =>
      riskCheck.screen(each, ({ filteredBy, velocityEntries }) =>
        Effect.yieldNow.pipe(
          Effect.andThen(Effect.yieldNow),
          Effect.andThen(store.commit(velocityEntries)),
          Effect.as(filteredBy ?? "passed")
        )
      ),
    { concurrency: "unbounded" }
  )
})

const pan = Redacted.make("4111111111111111")
const shared: ReadonlyArray<readonly [string, Partial<ScreenedPayment>, string]> = [
  ["card", { pan }, "velocity:card:60s"],
  ["e-mail", { email: "one@shop.example" }, "velocity:email:60s"],
  ["address", { address: CustomerAddress.of("2001:db8::1") }, "velocity:address:60s"]
]
describe("the check of velocity rules", () => {
  for (const [name, changes, rule] of shared) {
    it.effect(`counts concurrent payments with the same ${name} one after the other`, () =>
      Effect.gen(function* () {
        const verdicts = yield* checkAll(["1", "2", "3"].map((id) => payment(id, changes)))
        assert.deepStrictEqual(verdicts, ["passed", rule, rule])
      }).pipe(Effect.provide(live))
    )
  }

  it.effect("does not count payments of different customers together", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* checkAll([payment("1"), payment("2")]), ["passed", "passed"])
    }).pipe(Effect.provide(live))
  )

  it.effect("does not count payments of another merchant or another endpoint", () =>
    Effect.gen(function* () {
      const same = { pan, email: "one@shop.example", address: CustomerAddress.of("203.0.113.9") }
      const verdicts = yield* checkAll([
        payment("1", same),
        payment("2", { ...same, merchantId: "other" }),
        payment("3", { ...same, endpoint: { ...endpoint, id: "2" } })
      ])
      assert.deepStrictEqual(verdicts, ["passed", "passed", "passed"])
    }).pipe(Effect.provide(live))
  )

  it.effect("does not count payments without an e-mail as one customer", () =>
    Effect.gen(function* () {
      const verdicts = yield* checkAll(["1", "2"].map((id) => payment(id, { email: "" })))
      assert.deepStrictEqual(verdicts, ["passed", "passed"])
    }).pipe(Effect.provide(live))
  )
})

describe("the charge of a stored card whose holder has ended the charges", () => {
  const panHash = "v1.card"
  const stop = Decision.append(StoppedCard, { merchantId: "shop", panHash, orderId: "1", atMs: 1_000 })
  const paid = (changes: Partial<Order>) => [
    Decision.append(Order, sale({ orderId: "8", createdAtMs: 1_001, ...changes })),
    Decision.append(Card, { ...row(Card, {}), cardId: "8", merchantId: "shop", panHash })
  ]
  const blocked = "block:cardholder"
  it.effect.each([
    ["is stopped", [stop], panHash, blocked],
    ["of another card is not", [stop], "v1.other", "passed"],
    ["of a card without such a decline is not", [], panHash, "passed"],
    ["is no matter of a payment by its holder", [stop], undefined, "passed"],
    ["may begin again once the holder has paid with it", [stop, ...paid({})], panHash, "passed"],
    ["is stopped if the holder's payment was declined", [stop, ...paid({ state: "declined" })], panHash, blocked],
    ["is stopped if the holder's payment was before", [stop, ...paid({ createdAtMs: 1_000 })], panHash, blocked],
    ["is stopped if that payment was a charge, too", [stop, ...paid({ initiator: "merchant" })], panHash, blocked]
  ] as const)("%s", ([, rows, storedCard, verdict]) =>
    Effect.gen(function* () {
      const store = yield* Store
      yield* store.commit({ guards: [], writes: [...rows] })
      assert.deepStrictEqual(yield* checkAll([payment("1", { storedCard })]), [verdict])
    }).pipe(Effect.provide(live))
  )
})
