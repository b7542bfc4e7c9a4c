import { assert, describe, it } from "@effect/vitest"
import { Clock, Deferred, Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { AuthClock } from "../src/kernel/AuthClock.ts"
import * as Decision from "../src/kernel/Decision.ts"
import { Ids } from "../src/kernel/Ids.ts"
import { Job, kinds } from "../src/kernel/Job.ts"
import * as Jobs from "../src/kernel/Jobs.ts"
import { layer, Scheduler } from "../src/kernel/Scheduler.ts"
import { defaults, Settings } from "../src/kernel/Settings.ts"
import * as SteadyClock from "../src/kernel/SteadyClock.ts"
import { Store } from "../src/kernel/Store.ts"
import * as StoreMemory from "../src/kernel/StoreMemory.ts"
import * as OpenGate from "./OpenGate.ts"

const hourMs = 3_600_000

/** The test clock as a machine whose wall clock can be set. */
const machine = Effect.map(Clock.Clock, (test) => {
  let setByMs = 0
  const clock: Clock.Clock = {
    ...test,
    currentTimeMillisUnsafe: () => test.currentTimeMillisUnsafe() + setByMs,
    currentTimeMillis: Effect.sync(() => test.currentTimeMillisUnsafe() + setByMs),
    currentTimeNanosUnsafe: () => BigInt(test.currentTimeMillisUnsafe() + setByMs) * 1_000_000n,
    monotonicTimeNanosUnsafe: () => BigInt(test.currentTimeMillisUnsafe()) * 1_000_000n,
    sleep: (duration) => test.sleep(duration)
  }
  return {
    clock,
    set: (byMs: number) => {
      setByMs += byMs
    }
  }
})

describe("the steady clock", () => {
  /** By how much the clock is set and how much time passes; then the time of the machine and of the steady clock. */
  const rows: ReadonlyArray<
    readonly [string, ReadonlyArray<readonly [setBy: number, pass: number, machine: number, business: number]>]
  > = [
    ["follows the clock of the machine", [[0, hourMs, hourMs, hourMs]]],
    [
      "follows a clock that is set forward",
      [
        [hourMs, 0, hourMs, hourMs],
        [0, 5, hourMs + 5, hourMs + 5]
      ]
    ],
    [
      "runs at half speed after a step back, until the machine has caught up",
      [
        [0, 2 * hourMs, 2 * hourMs, 2 * hourMs],
        [-hourMs, 0, hourMs, 2 * hourMs],
        [0, hourMs, 2 * hourMs, 2.5 * hourMs],
        [0, hourMs, 3 * hourMs, 3 * hourMs],
        [0, hourMs, 4 * hourMs, 4 * hourMs]
      ]
    ],
    [
      "runs at half speed after a second step back, too",
      [
        [0, 2 * hourMs, 2 * hourMs, 2 * hourMs],
        [-hourMs, hourMs, 2 * hourMs, 2.5 * hourMs],
        [-hourMs, hourMs, 2 * hourMs, 3 * hourMs]
      ]
    ],
    [
      "follows a step back of more than a day",
      [
        [48 * hourMs, 0, 48 * hourMs, 48 * hourMs],
        [-48 * hourMs, hourMs, hourMs, hourMs]
      ]
    ]
  ]
  for (const [name, steps] of rows) {
    it.effect(`never goes back, and is right in the end: ${name}`, () =>
      Effect.gen(function* () {
        const { clock, set } = yield* machine
        const steady = SteadyClock.make(clock)
        assert.strictEqual(steady.currentTimeMillisUnsafe(), 0)
        for (const [setBy, pass, byMachine, business] of steps) {
          set(setBy)
          steady.currentTimeMillisUnsafe()
          yield* TestClock.adjust(pass)
          const now = steady.currentTimeMillisUnsafe()
          assert.deepStrictEqual([clock.currentTimeMillisUnsafe(), now], [byMachine, business])
          assert.strictEqual(steady.currentTimeNanosUnsafe() / 1_000_000n, BigInt(business))
          assert.strictEqual(steady.aheadMs(), business - byMachine)
        }
      })
    )
  }
})

it.effect("a step back of the machine's clock delays no inquiry", () =>
  Effect.gen(function* () {
    const test = yield* Clock.Clock
    const pass = (minutes: number) => Effect.provideService(TestClock.adjust(minutes * 60_000), Clock.Clock, test)
    const { clock, set } = yield* machine
    const done = yield* Deferred.make<string>()
    const ends = (job: Job) => Effect.asVoid(Deferred.succeed(done, job.jobId))
    const handlers = {
      bank: ends,
      lapse: ends,
      callback: ends,
      threeds: ends,
      session: ends,
      rail: ends,
      recurring: ends,
      enumerate: ends,
      reversal: ends
    }
    assert.sameMembers([...kinds], Object.keys(handlers))
    const scheduler = layer({ leaseMs: 60_000, handlers: Effect.succeed(handlers) }).pipe(
      Layer.provideMerge(StoreMemory.layer),
      Layer.provide(Layer.provide(Ids.layer, AuthClock.layer)),
      Layer.provide(OpenGate.layer),
      Layer.provide(Layer.succeed(Settings, defaults)),
      Layer.provideMerge(SteadyClock.layer),
      Layer.provide(Layer.succeed(Clock.Clock, clock))
    )
    yield* Effect.gen(function* () {
      const store = yield* Store
      yield* Scheduler
      const inquiry = Jobs.make({
        kind: "bank",
        subject: "inquiry",
        merchantId: "",
        nowMs: 0,
        dueAtMs: (yield* Clock.currentTimeMillis) + 300_000
      })
      yield* store.commit({ guards: [], writes: [Decision.put(Job, inquiry)] })
      yield* pass(1)
      set(-hourMs)
      yield* pass(9)
      assert.isTrue(yield* Deferred.isDone(done))
    }).pipe(Effect.provide(scheduler))
  })
)
