/** Tests that processes which have a store one after another give different identifiers, also where a clock was set back. */
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Exit, Layer, Logger, Random, Scope } from "effect"
import { AuthClock } from "../src/kernel/AuthClock.ts"
import { Ids, NoProcessNumber } from "../src/kernel/Ids.ts"
import * as ProcessLease from "../src/kernel/ProcessLease.ts"
import * as ProcessNumber from "../src/kernel/ProcessNumber.ts"
import { Store, StoreUnavailable } from "../src/kernel/Store.ts"
import * as StoreMemory from "../src/kernel/StoreMemory.ts"

const nowMs = Date.UTC(2026, 10, 2)

/** Gives every process the same random number. */
const random = { nextDoubleUnsafe: () => 0.5, nextIntUnsafe: () => 0 }

type Commit = Store["Service"]["commit"]

/** Starts a process alone on the store of the context; its clock shows the same time as for the earlier process. */
const startProcess = Effect.fnUntraced(function* (commit: (commit: Commit) => Commit = (same) => same) {
  const store = yield* Store
  const scope = yield* Scope.fork(yield* Effect.scope)
  const layer = Ids.layerNoDeps.pipe(
    Layer.provideMerge(ProcessLease.layer(Effect.succeed({ merchants: () => "", lacking: () => [] }))),
    Layer.provide(Layer.succeed(Store, { ...store, exclusive: true, commit: commit(store.commit) })),
    Layer.provide(Layer.succeed(AuthClock, { nowMs: () => nowMs })),
    Layer.provide(Logger.layer([]))
  )
  const services = yield* Layer.buildWithScope(Layer.fresh(layer), scope).pipe(
    Effect.provideService(Random.Random, random)
  )
  return {
    ids: Context.get(services, Ids),
    lease: Context.get(services, ProcessLease.ProcessLease),
    stop: Scope.close(scope, Exit.void)
  }
})

describe("a process alone on its store", () => {
  it.effect("gives other identifiers than earlier processes in the same millisecond", () =>
    Effect.gen(function* () {
      const issued = new Set<string>()
      for (let start = 0; start < ProcessNumber.count; start += 1) {
        const { ids, stop } = yield* startProcess()
        issued.add(ids.next())
        yield* stop
      }
      assert.strictEqual(issued.size, ProcessNumber.count)
    }).pipe(Effect.provide(StoreMemory.layer))
  )

  it.effect("has no process number while the store accepts no commit, and takes one when it is needed", () =>
    Effect.gen(function* () {
      let isFull = true
      const full = new StoreUnavailable({ outcomeUnknown: false, cause: new Error("The disk is full.") })
      const { ids, lease } = yield* startProcess(
        (commit) => (decision) => Effect.suspend(() => (isFull ? Effect.fail(full) : commit(decision)))
      )
      assert.isFalse(ids.isReady())
      yield* Effect.yieldNow
      assert.throws(() => ids.next(), NoProcessNumber)
      isFull = false
      assert.isFalse(ids.isReady())
      while (lease.span() === undefined) yield* Effect.yieldNow
      assert.isTrue(ids.isReady())
      const first = ids.next()
      yield* lease.renew
      assert.isAbove(Number(BigInt(ids.next()) - BigInt(first)), 0)
    }).pipe(Effect.provide(StoreMemory.layer))
  )
})
