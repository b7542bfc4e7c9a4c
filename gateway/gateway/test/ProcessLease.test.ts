/** Tests that processes on one store never give the same number to two orders, and that each knows when it has no number. */
import { assert, describe, it } from "@effect/vitest"
import { Clock, Context, Effect, Exit, Layer, Logger, Scope } from "effect"
import { AuthClock } from "../src/kernel/AuthClock.ts"
import * as Decision from "../src/kernel/Decision.ts"
import { Ids, NoProcessNumber } from "../src/kernel/Ids.ts"
import { graceMs, leaseMs, Process } from "../src/kernel/Process.ts"
import * as ProcessLease from "../src/kernel/ProcessLease.ts"
import * as ProcessNumber from "../src/kernel/ProcessNumber.ts"
import { Store, StoreUnavailable } from "../src/kernel/Store.ts"
import * as StoreMemory from "../src/kernel/StoreMemory.ts"

const startMs = Date.UTC(2026, 10, 2)

/** A clock on which a renewal happens only when a test calls it. */
const still: Clock.Clock = { ...Clock.Clock.defaultValue(), sleep: () => Effect.never }

interface Wall {
  nowMs: number
}

type Commit = Store["Service"]["commit"]

/** Starts a process on the store of the context, with a clock of its own. */
const startProcess = Effect.fnUntraced(function* (wall: Wall, commit: (commit: Commit) => Commit = (same) => same) {
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

const numberOf = ({ lease }: Effect.Success<ReturnType<typeof startProcess>>): number | undefined =>
  lease.span()?.number

/** Writes a live holder for every number except the given ones. */
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

const overMs = leaseMs + graceMs
const takeIds = (ids: Ids["Service"], count = 20): ReadonlyArray<string> => Array.from({ length: count }, ids.next)
const allDiffer = (...groups: ReadonlyArray<ReadonlyArray<string>>): void =>
  assert.strictEqual(new Set(groups.flat()).size, groups.flat().length)

describe("processes on one store", () => {
  it.effect("have different process numbers when ten start at once", () =>
    Effect.gen(function* () {
      const all = yield* Effect.all(
        Array.from({ length: 10 }, () => startProcess({ nowMs: startMs })),
        { concurrency: "unbounded" }
      )
      assert.strictEqual(new Set(all.map(numberOf)).size, 10)
      allDiffer(...all.map(({ ids }) => takeIds(ids, 5000)))
      for (const { lease } of all) yield* lease.renew
      assert.deepStrictEqual(
        all.map(({ lease }) => lease.live()),
        all.map(() => 10)
      )
    }).pipe(Effect.provide(StoreMemory.layer))
  )

  it.effect(
    "take over the number of a process beyond its lease, which gives no identifiers until it has another number",
    () =>
      Effect.gen(function* () {
        yield* onlyFree(7, 8)
        const wall = { nowMs: startMs }
        const stopped = yield* startProcess(wall)
        const first = numberOf(stopped)
        const before = takeIds(stopped.ids)
        // The second free number is used, too.
        yield* startProcess(wall)
        wall.nowMs += overMs - 1
        assert.isUndefined(numberOf(yield* startProcess(wall)))
        wall.nowMs += 1
        const other = yield* startProcess({ nowMs: wall.nowMs })
        const third = yield* startProcess({ nowMs: wall.nowMs })
        assert.include([numberOf(other), numberOf(third)], first)
        assert.isFalse(stopped.ids.isReady())
        assert.throws(stopped.ids.next, NoProcessNumber)
        allDiffer(before, takeIds(other.ids), takeIds(third.ids))
        yield* other.stop
        wall.nowMs += overMs
        yield* stopped.lease.renew
        assert.isTrue(stopped.ids.isReady())
        allDiffer(before, takeIds(stopped.ids))
      }).pipe(Effect.provide(StoreMemory.layer))
  )

  it.effect("never give one identifier twice, however far a clock is behind or was set back", () =>
    Effect.gen(function* () {
      yield* onlyFree(7)
      const wall = { nowMs: startMs }
      const behind = yield* startProcess(wall)
      const before = takeIds(behind.ids)
      // The clock of this process stands still while all others continue.
      const other = yield* startProcess({ nowMs: startMs + overMs })
      assert.strictEqual(numberOf(other), 7)
      const meanwhile = takeIds(behind.ids)
      const others = takeIds(other.ids)
      allDiffer(before, meanwhile, others)
      wall.nowMs = startMs - 3_600_000
      allDiffer(before, meanwhile, others, takeIds(behind.ids))
    }).pipe(Effect.provide(StoreMemory.layer))
  )

  it.effect("continue at the end of the earlier lease, although the clock of the next holder is behind it", () =>
    Effect.gen(function* () {
      yield* onlyFree(7)
      const store = yield* Store
      const laterMs = startMs + 3_600_000
      const fast = yield* startProcess({ nowMs: laterMs })
      const issued = takeIds(fast.ids)
      yield* fast.stop
      const row = yield* store.load(Process, [7])
      assert.strictEqual(row?.leaseUntilMs, laterMs + leaseMs)
      const next = yield* startProcess({ nowMs: laterMs + overMs })
      const span = next.lease.span()
      assert.strictEqual(span?.fromMs, laterMs + leaseMs)
      allDiffer(issued, takeIds(next.ids))
    }).pipe(Effect.provide(StoreMemory.layer))
  )

  it.effect("stop giving identifiers when the store is unavailable for a lease, and resume by themselves", () =>
    Effect.gen(function* () {
      const wall = { nowMs: startMs }
      let isGone = false
      const gone = Effect.fail(new StoreUnavailable({ outcomeUnknown: false }))
      const { ids, lease } = yield* startProcess(wall, (commit) => (decision) => (isGone ? gone : commit(decision)))
      isGone = true
      wall.nowMs += leaseMs - 2
      assert.isTrue(ids.isReady())
      const before = takeIds(ids)
      wall.nowMs += 1
      assert.isFalse(ids.isReady())
      assert.isTrue(Exit.isFailure(yield* Effect.exit(lease.renew)))
      assert.isFalse(ids.isReady())
      assert.match(ids.nextOrRandom(), /^\d+$/)
      isGone = false
      yield* lease.renew
      allDiffer(before, takeIds(ids))
    }).pipe(Effect.provide(StoreMemory.layer))
  )

  it.effect("keep a process number whose commit had an unknown outcome", () =>
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
      const process = yield* startProcess(wall, unknown)
      assert.isFalse(process.ids.isReady())
      yield* process.lease.renew
      assert.isTrue(process.ids.isReady())
      const store = yield* Store
      assert.lengthOf(yield* store.find(Process, "key", { limit: 10 }), 1)
    }).pipe(Effect.provide(StoreMemory.layer))
  )

  it.effect("count as live until they stop or their lease is over", () =>
    Effect.gen(function* () {
      const wall = { nowMs: startMs }
      const one = yield* startProcess(wall)
      const other = yield* startProcess(wall)
      yield* startProcess(wall)
      yield* one.lease.renew
      assert.strictEqual(one.lease.live(), 3)
      yield* other.stop
      yield* one.lease.renew
      assert.strictEqual(one.lease.live(), 2)
      wall.nowMs += leaseMs
      yield* one.lease.renew
      assert.strictEqual(one.lease.live(), 1)
    }).pipe(Effect.provide(StoreMemory.layer))
  )
})
