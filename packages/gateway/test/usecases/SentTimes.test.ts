/** For how long a request may be under way, whatever the wall clock says. */
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

describe("a request may be under way", () => {
  it.effect("since it was sent, or its answer was given up", () =>
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
    ["since the start, where another process had the store before", true, 1_500],
    ["since it was first asked about, where another process may have the store as well", false, 500]
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
