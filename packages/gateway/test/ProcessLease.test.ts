/** Tests that processes on one store never give the same number to two orders, and that each knows when it has no number. */
import { assert, describe, it } from "@effect/vitest"
import { Clock, Context, Effect, Exit, Layer, Logger, Scope } from "effect"
import { AuthClock } from "../src/kernel/AuthClock.ts"
import * as Decision from "../src/kernel/Decision.ts"
import { Ids, NoProcessNumber } from "../src/kernel/Ids.ts"
import * as ProcessLease from "../src/kernel/ProcessLease.ts"
import { Process } from "../src/kernel/ProcessLease.ts"
import * as ProcessNumber from "../src/kernel/ProcessNumber.ts"
import { Store, StoreUnavailable } from "../src/kernel/Store.ts"
import * as StoreMemory from "../src/kernel/StoreMemory.ts"

const startMs = Date.UTC(2026, 10, 2)

/** A renewal happens only where a test asks for it. */
const still: Clock.Clock = { ...Clock.Clock.defaultValue(), sleep: () => Effect.never }

interface Wall {
  nowMs: number
}

type Commit = Store["Service"]["commit"]

/** A process on the store of the context, with a clock of its own. */
const started = Effect.fnUntraced(function* (wall: Wall, commit: (commit: Commit) => Commit = (same) => same) {
  const store = yield* Store
  const scope = yield* Scope.fork(yield* Effect.scope)
  const shared = { ...store, exclusive: false, commit: commit(store.commit) }
  const layer = Ids.layerNoDeps.pipe(
    Layer.provideMerge(ProcessLease.layer(Effect.succeed({ merchants: () => "merchants", lacking: () => [] }))),
    Layer.provide(Layer.succeed(Store, shared)),
    Layer.provide(Layer.succeed(AuthClock, { nowMs: () => wall.nowMs })),
    Layer.provide(Layer.succeed(ProcessLease.RenewalClock, still)),
    Layer.provide(Layer.succeed(ProcessLease.ProcessName, "host:1")),
    Layer.provide(Logger.layer([]))
  )
  const services = yield* Layer.buildWithScope(Layer.fresh(layer), scope)
  return {
    ids: Context.get(services, Ids),
    lease: Context.get(services, ProcessLease.ProcessLease),
    stop: Scope.close(scope, Exit.void)
  }
})

const numberOf = ({ lease }: Effect.Success<ReturnType<typeof started>>): number | undefined => lease.span()?.number

/** Every number but these has a live holder. */
const onlyFree = Effect.fnUntraced(function* (...free: ReadonlyArray<number>) {
  const store = yield* Store
  const writes = Array.from({ length: ProcessNumber.count }, (_, number) => number)
    .filter((number) => !free.includes(number))
    .map((number) =>
      Decision.put(Process, {
        number,
        version: 1,
        token: "another",
        fromMs: 0,
        leaseUntilMs: startMs + 1e9,
        name: "",
        startedAtMs: 0,
        merchants: ""
      })
    )
  yield* store.commit({ guards: [], writes })
})

const overMs = ProcessLease.leaseMs + ProcessLease.graceMs
const taken = (ids: Ids["Service"], count = 20): ReadonlyArray<string> => Array.from({ length: count }, ids.next)
const allDiffer = (...given: ReadonlyArray<ReadonlyArray<string>>): void =>
  assert.strictEqual(new Set(given.flat()).size, given.flat().length)

describe("processes on one store", () => {
  it.effect("have numbers of their own when ten start at once", () =>
    Effect.gen(function* () {
      const all = yield* Effect.all(
        Array.from({ length: 10 }, () => started({ nowMs: startMs })),
        { concurrency: "unbounded" }
      )
      assert.strictEqual(new Set(all.map(numberOf)).size, 10)
      allDiffer(...all.map(({ ids }) => taken(ids, 5000)))
      for (const { lease } of all) yield* lease.renew
      assert.deepStrictEqual(
        all.map(({ lease }) => lease.live()),
        all.map(() => 10)
      )
    }).pipe(Effect.provide(StoreMemory.layer))
  )

  it.effect(
    "take over the number of one that was stopped beyond its lease, which gives none until it has another",
    () =>
      Effect.gen(function* () {
        yield* onlyFree(7, 8)
        const wall = { nowMs: startMs }
        const stopped = yield* started(wall)
        const first = numberOf(stopped)
        const before = taken(stopped.ids)
        // The other number is taken, too.
        yield* started(wall)
        wall.nowMs += overMs - 1
        assert.isUndefined(numberOf(yield* started(wall)))
        wall.nowMs += 1
        const other = yield* started({ nowMs: wall.nowMs })
        const third = yield* started({ nowMs: wall.nowMs })
        assert.include([numberOf(other), numberOf(third)], first)
        assert.isFalse(stopped.ids.isReady())
        assert.throws(stopped.ids.next, NoProcessNumber)
        allDiffer(before, taken(other.ids), taken(third.ids))
        yield* other.stop
        wall.nowMs += overMs
        yield* stopped.lease.renew
        assert.isTrue(stopped.ids.isReady())
        allDiffer(before, taken(stopped.ids))
      }).pipe(Effect.provide(StoreMemory.layer))
  )

  it.effect("never give one number twice, however far a clock is behind or was set back", () =>
    Effect.gen(function* () {
      yield* onlyFree(7)
      const wall = { nowMs: startMs }
      const behind = yield* started(wall)
      const before = taken(behind.ids)
      // Its clock stands while all others go on.
      const other = yield* started({ nowMs: startMs + overMs })
      assert.strictEqual(numberOf(other), 7)
      const meanwhile = taken(behind.ids)
      const others = taken(other.ids)
      allDiffer(before, meanwhile, others)
      wall.nowMs = startMs - 3_600_000
      allDiffer(before, meanwhile, others, taken(behind.ids))
    }).pipe(Effect.provide(StoreMemory.layer))
  )

  it.effect("go on where the lease before ended, though the clock of the next holder is behind it", () =>
    Effect.gen(function* () {
      yield* onlyFree(7)
      const store = yield* Store
      const long = startMs + 3_600_000
      const fast = yield* started({ nowMs: long })
      const given = taken(fast.ids)
      yield* fast.stop
      const row = yield* store.load(Process, [7])
      assert.strictEqual(row?.leaseUntilMs, long + ProcessLease.leaseMs)
      const next = yield* started({ nowMs: long + overMs })
      const span = next.lease.span()
      assert.strictEqual(span?.fromMs, long + ProcessLease.leaseMs)
      allDiffer(given, taken(next.ids))
    }).pipe(Effect.provide(StoreMemory.layer))
  )

  it.effect("stop giving numbers when the store is gone for a lease, and take them up again by themselves", () =>
    Effect.gen(function* () {
      const wall = { nowMs: startMs }
      let isGone = false
      const gone = Effect.fail(new StoreUnavailable({ outcomeUnknown: false }))
      const { ids, lease } = yield* started(wall, (commit) => (decision) => (isGone ? gone : commit(decision)))
      isGone = true
      wall.nowMs += ProcessLease.leaseMs - 2
      assert.isTrue(ids.isReady())
      const before = taken(ids)
      wall.nowMs += 1
      assert.isFalse(ids.isReady())
      assert.isTrue(Exit.isFailure(yield* Effect.exit(lease.renew)))
      assert.isFalse(ids.isReady())
      assert.match(ids.nextOrRandom(), /^\d+$/)
      isGone = false
      yield* lease.renew
      allDiffer(before, taken(ids))
    }).pipe(Effect.provide(StoreMemory.layer))
  )

  it.effect("find the number again that they took when the store could not say so", () =>
    Effect.gen(function* () {
      const wall = { nowMs: startMs }
      let isFirst = true
      const unknown =
        (commit: Commit): Commit =>
        (decision) => {
          if (!isFirst) return commit(decision)
          isFirst = false
          return Effect.andThen(commit(decision), Effect.fail(new StoreUnavailable({ outcomeUnknown: true })))
        }
      const process = yield* started(wall, unknown)
      assert.isFalse(process.ids.isReady())
      yield* process.lease.renew
      assert.isTrue(process.ids.isReady())
      const store = yield* Store
      assert.lengthOf(yield* store.find(Process, "key", { limit: 10 }), 1)
    }).pipe(Effect.provide(StoreMemory.layer))
  )

  it.effect("are live until they stop or their lease is over", () =>
    Effect.gen(function* () {
      const wall = { nowMs: startMs }
      const one = yield* started(wall)
      const other = yield* started(wall)
      yield* started(wall)
      yield* one.lease.renew
      assert.strictEqual(one.lease.live(), 3)
      yield* other.stop
      yield* one.lease.renew
      assert.strictEqual(one.lease.live(), 2)
      wall.nowMs += ProcessLease.leaseMs
      yield* one.lease.renew
      assert.strictEqual(one.lease.live(), 1)
    }).pipe(Effect.provide(StoreMemory.layer))
  )
})
