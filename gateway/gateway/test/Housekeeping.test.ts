import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { CallbackAttempt } from "../src/callbacks/decide/CallbackEvent.ts"
import { AuthClock } from "../src/kernel/AuthClock.ts"
import * as Decision from "../src/kernel/Decision.ts"
import { graceMs } from "../src/kernel/Process.ts"
import { defaults } from "../src/kernel/Settings.ts"
import { Store } from "../src/kernel/Store.ts"
import * as StoreMemory from "../src/kernel/StoreMemory.ts"
import { Nonce } from "../src/merchants/Call.ts"
import { Cvv } from "../src/orders/record/Card.ts"
import * as Housekeeping from "../src/retention/Housekeeping.ts"
import { VelocityCounter, VelocityEntry } from "../src/risk/Risk.ts"

const wallMs = 1_790_000_000_000
const businessMs = 50_000_000
const encryptedCvv = new Uint8Array([1])
const skewMs = defaults.clockSkewMs
const resubmitMs = defaults.resubmitWithinMs

const live = Layer.mergeAll(StoreMemory.layer, Layer.succeed(AuthClock, { nowMs: () => wallMs }))

it.effect("housekeeping deletes the log of callback attempts after 30 days", () =>
  Effect.gen(function* () {
    const store = yield* Store
    const days = 86_400_000
    yield* TestClock.setTime(40 * days)
    const line = (number: number, atMs: number) =>
      Decision.append(CallbackAttempt, { eventId: "1-1", number, what: "attempt", atMs, result: "503" })
    yield* store.commit({ guards: [], writes: [line(1, 10 * days), line(2, 10 * days + 1)] })
    assert.strictEqual(yield* Housekeeping.tidy, 1)
    const left = yield* store.find(CallbackAttempt, "key", { limit: 10 })
    assert.deepStrictEqual(
      left.map(({ number }) => number),
      [2]
    )
  }).pipe(Effect.provide(live))
)

it.effect("housekeeping deletes nonces and CVVs only once no request can use them", () =>
  Effect.gen(function* () {
    const store = yield* Store
    yield* TestClock.setTime(businessMs)
    const nonce = (name: string, usedAtMs: number) =>
      Decision.append(Nonce, { consumerKey: "shop", nonce: name, usedAtMs })
    const cvv = (cardId: string, createdAtMs: number) => Decision.append(Cvv, { cardId, encryptedCvv, createdAtMs })
    yield* store.commit({
      guards: [],
      writes: [
        nonce("could be sent again to a process whose clock is behind", wallMs - 2 * skewMs - graceMs - 999),
        nonce("too old to be sent", wallMs - 2 * skewMs - graceMs - 1000),
        cvv("may be sent", businessMs - 2 * resubmitMs + 1),
        cvv("too late", businessMs - 2 * resubmitMs)
      ]
    })
    assert.strictEqual(yield* Housekeeping.tidy, 2)
    const nonces = yield* store.find(Nonce, "key", { limit: 10 })
    const cvvs = yield* store.find(Cvv, "key", { limit: 10 })
    assert.deepStrictEqual(
      [...nonces.map((row) => row.nonce), ...cvvs.map((row) => row.cardId)],
      ["could be sent again to a process whose clock is behind", "may be sent"]
    )
    assert.strictEqual(yield* Housekeeping.tidy, 0)
  }).pipe(Effect.provide(live))
)

it.effect("housekeeping deletes velocity entries once no rule counts them", () =>
  Effect.gen(function* () {
    const store = yield* Store
    yield* TestClock.setTime(businessMs)
    const entry = (subject: string, expiresAtMs: number) =>
      Decision.append(VelocityEntry, { subject, atMs: 1, orderId: "1", currency: "USD", amountMinor: 1, expiresAtMs })
    const turn = (subject: string, expiresAtMs: number) =>
      Decision.put(VelocityCounter, { subject, version: 1, expiresAtMs })
    const entries = [entry("counts", businessMs + 1), entry("counts no more", businessMs)]
    const turns = [turn("counts", businessMs + 1), turn("counts no more", businessMs)]
    yield* store.commit({ guards: [], writes: [...entries, ...turns] })
    assert.strictEqual(yield* Housekeeping.tidy, 2)
    assert.lengthOf(yield* store.find(VelocityCounter, "key", { limit: 10 }), 1)
    const left = yield* store.find(VelocityEntry, "key", { limit: 10 })
    assert.deepStrictEqual(
      left.map(({ subject }) => subject),
      ["counts"]
    )
  }).pipe(Effect.provide(live))
)

it.effect("housekeeping continues after a round that failed with a defect", () => {
  let rounds = 0
  const spoiled = Layer.effect(
    Store,
    Effect.map(Store, (store) => ({
      ...store,
      commit: (decision) => {
        const isRound = decision.writes.every(({ _tag }) => _tag === "Remove")
        if (isRound) rounds += 1
        return isRound && rounds === 1 ? Effect.die("a defect") : store.commit(decision)
      }
    }))
  )
  return Effect.gen(function* () {
    const store = yield* Store
    const row = { cardId: "too late", encryptedCvv, createdAtMs: -2 * resubmitMs }
    yield* store.commit({ guards: [], writes: [Decision.append(Cvv, row)] })
    yield* TestClock.adjust("1 minute")
    assert.lengthOf(yield* store.find(Cvv, "key", { limit: 10 }), 1)
    yield* TestClock.adjust("1 minute")
    assert.lengthOf(yield* store.find(Cvv, "key", { limit: 10 }), 0)
  }).pipe(Effect.provide(Housekeeping.layer.pipe(Layer.provideMerge(spoiled), Layer.provide(live))))
})
