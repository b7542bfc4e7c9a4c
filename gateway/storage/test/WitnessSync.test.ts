/** The times at which the witness of a store is synced, and the effect of a failed sync on writers. */
import { assert, describe, it } from "@effect/vitest"
import { Store } from "@pay/gateway/Store"
import * as Durability from "@pay/sqlite/Durability"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import * as Image from "./Image.ts"
import * as Sale from "./Sale.ts"

/** Runs a program on a store whose witness syncs have the given results, then succeed. */
const withSyncs = <A, E>(
  answers: ReadonlyArray<Error>,
  program: (syncs: () => number) => Effect.Effect<A, E, Store>
): Effect.Effect<void, unknown> =>
  Effect.gen(function* () {
    let syncs = 0
    const sync = (_file: number, done: (error: Error | null) => void) => done(answers[syncs++] ?? null)
    const opened = Image.on(
      yield* Image.empty,
      program(() => syncs)
    )
    yield* Effect.provideService(opened, Durability.Sync, sync)
  }).pipe(Effect.scoped)

describe("the witness of an open store", () => {
  it.effect("is synced a second after the first write, and again only after further writes", () =>
    withSyncs([], (syncs) =>
      Effect.gen(function* () {
        yield* Image.sell("0", "1")
        yield* TestClock.adjust(999)
        yield* Image.sell("2")
        assert.strictEqual(syncs(), 0)
        yield* TestClock.adjust(1)
        assert.strictEqual(syncs(), 1)
        yield* TestClock.adjust(9_999)
        assert.strictEqual(syncs(), 1)
        yield* Image.sell("3")
        yield* TestClock.adjust(1_000)
        assert.strictEqual(syncs(), 2)
      })
    )
  )

  it.effect("fails the next commit after a failed sync", () =>
    withSyncs([new Error("the disk is gone")], () =>
      Effect.gen(function* () {
        const store = yield* Store
        yield* Image.sell("0")
        yield* TestClock.adjust(1_000)
        const refusal = yield* Effect.flip(store.commit(Sale.make("1")))
        assert.deepInclude(refusal, { _tag: "StoreUnavailable", outcomeUnknown: true })
        yield* Image.sell("2")
      })
    )
  )
})
