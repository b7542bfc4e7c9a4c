import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { AuthClock } from "../src/kernel/AuthClock.ts"
import * as Decision from "../src/kernel/Decision.ts"
import { Store } from "../src/kernel/Store.ts"
import * as StoreMemory from "../src/kernel/StoreMemory.ts"
import * as Housekeeping from "../src/retention/Housekeeping.ts"
import { VelocityEntry } from "../src/risk/Risk.ts"

const nowMs = 50_000_000

it.effect("a payment is forgotten once no velocity rule counts it", () =>
  Effect.gen(function* () {
    const store = yield* Store
    yield* TestClock.setTime(nowMs)
    const mark = (subject: string, expiresAtMs: number) =>
      Decision.append(VelocityEntry, { subject, atMs: 1, orderId: "1", currency: "USD", amountMinor: 1, expiresAtMs })
    yield* store.commit({ guards: [], writes: [mark("counts", nowMs + 1), mark("counts no more", nowMs)] })
    assert.strictEqual(yield* Housekeeping.tidy, 1)
    const left = yield* store.find(VelocityEntry, "key", { limit: 10 })
    assert.deepStrictEqual(
      left.map(({ subject }) => subject),
      ["counts"]
    )
  }).pipe(Effect.provide(Layer.mergeAll(StoreMemory.layer, Layer.succeed(AuthClock, { nowMs: () => nowMs }))))
)
