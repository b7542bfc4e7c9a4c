import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { AuthClock } from "../src/kernel/AuthClock.ts"
import * as Decision from "../src/kernel/Decision.ts"
import { Store } from "../src/kernel/Store.ts"
import * as StoreMemory from "../src/kernel/StoreMemory.ts"
import * as Housekeeping from "../src/retention/Housekeeping.ts"
import { VelocityEntry, VelocityTurn } from "../src/risk/Risk.ts"

const nowMs = 50_000_000

it.effect("a payment is forgotten once no velocity rule counts it", () =>
  Effect.gen(function* () {
    const store = yield* Store
    yield* TestClock.setTime(nowMs)
    const mark = (subject: string, expiresAtMs: number) =>
      Decision.append(VelocityEntry, { subject, atMs: 1, orderId: "1", currency: "USD", amountMinor: 1, expiresAtMs })
    const turn = (subject: string, expiresAtMs: number) =>
      Decision.put(VelocityTurn, { subject, version: 1, expiresAtMs })
    const entries = [mark("counts", nowMs + 1), mark("counts no more", nowMs)]
    const turns = [turn("counts", nowMs + 1), turn("counts no more", nowMs)]
    yield* store.commit({ guards: [], writes: [...entries, ...turns] })
    assert.strictEqual(yield* Housekeeping.tidy, 2)
    assert.lengthOf(yield* store.find(VelocityTurn, "key", { limit: 10 }), 1)
    const left = yield* store.find(VelocityEntry, "key", { limit: 10 })
    assert.deepStrictEqual(
      left.map(({ subject }) => subject),
      ["counts"]
    )
  }).pipe(Effect.provide(Layer.mergeAll(StoreMemory.layer, Layer.succeed(AuthClock, { nowMs: () => nowMs }))))
)
