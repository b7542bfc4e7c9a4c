/** The time for which a request may be under way, measured without the wall clock. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { Store } from "../../src/kernel/Store.ts"
import * as StoreMemory from "../../src/kernel/StoreMemory.ts"
import * as SentTimes from "../../src/orders/outcomes/SentTimes.ts"

const made = (exclusive: boolean) =>
  Effect.flatMap(Store, (store) => Effect.provideService(SentTimes.make, Store, { ...store, exclusive })).pipe(
    Effect.provide(StoreMemory.layer)
  )

describe("the time since a request was sent", () => {
  it.effect("starts when it is sent, and again when its answer is given up", () =>
    Effect.gen(function* () {
      const times = yield* made(true)
      yield* TestClock.adjust(1_000)
      times.mark("1-sale-0")
      yield* TestClock.adjust(500)
      assert.strictEqual(times.elapsedMs("1-sale-0"), 500)
      times.mark("1-sale-0")
      assert.strictEqual(times.elapsedMs("1-sale-0"), 0)
      times.forget("1-sale-0")
      assert.strictEqual(times.elapsedMs("1-sale-0"), 1_500)
    })
  )

  it.effect.each([
    ["starts with the process if only one process has the store", true, 1_500],
    ["starts with the first question if other processes may have the store", false, 500]
  ] as const)("%s", ([, exclusive, expected]) =>
    Effect.gen(function* () {
      const times = yield* made(exclusive)
      yield* TestClock.adjust(1_000)
      times.elapsedMs("1-sale-0")
      yield* TestClock.adjust(500)
      assert.strictEqual(times.elapsedMs("1-sale-0"), expected)
    })
  )
})
