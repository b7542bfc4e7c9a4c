import { writeFileSync } from "node:fs"
import { assert, describe, it, vi } from "@effect/vitest"
import { Clock, Duration, Effect, Fiber, Layer } from "effect"
import { TestClock } from "effect/testing"
import { temporaryFile } from "../../../packages/sqlite/test/TemporaryFolder.ts"
import * as SandboxClock from "../src/SandboxClock.ts"

const day = 86_400_000

/** Business time over a wall clock that stands still. */
const clock = (options?: SandboxClock.Options) => SandboxClock.layer(options)

const nothingDue: SandboxClock.Scheduler = { nextDueMs: Effect.sync(() => undefined), settled: Effect.void }

const advance = (duration: Duration.Input, scheduler = nothingDue) =>
  Effect.flatMap(SandboxClock.SandboxClock, (sandbox) => sandbox.advance(duration, scheduler))

/** A scheduler with jobs at these times; a job may add others. `done` lists the time at which each ran. */
const schedulerOf = (times: ReadonlyArray<number>, more: (atMs: number) => ReadonlyArray<number> = () => []) => {
  const waiting = [...times]
  const done: Array<number> = []
  const scheduler: SandboxClock.Scheduler = {
    nextDueMs: Effect.tap(
      Effect.sync(() => (waiting.length === 0 ? undefined : Math.min(...waiting))),
      Effect.yieldNow
    ),
    settled: Effect.gen(function* () {
      const nowMs = yield* Clock.currentTimeMillis
      for (
        let due = waiting.findIndex((atMs) => atMs <= nowMs);
        due >= 0;
        due = waiting.findIndex((atMs) => atMs <= nowMs)
      ) {
        waiting.push(...more(waiting.splice(due, 1)[0] ?? 0))
        done.push(nowMs)
      }
    })
  }
  return { scheduler, done }
}

describe("an advance of the sandbox clock", () => {
  it.effect("moves business time, not wall time", () =>
    Effect.gen(function* () {
      yield* advance("45 days")
      assert.strictEqual(yield* Clock.currentTimeMillis, 45 * day)
      assert.strictEqual(yield* Clock.currentTimeNanos, BigInt(45 * day) * 1_000_000n)
    }).pipe(Effect.provide(clock()))
  )

  it.effect("adds to wall time, which continues", () =>
    Effect.gen(function* () {
      const wall = yield* TestClock.testClockWith(Effect.succeed)
      yield* Effect.gen(function* () {
        yield* advance("1 day")
        yield* wall.adjust("1 hour")
        assert.strictEqual(yield* Clock.currentTimeMillis, day + 3_600_000)
        assert.strictEqual(wall.currentTimeMillisUnsafe(), 3_600_000)
      }).pipe(Effect.provide(clock()))
    })
  )

  it.effect("stops at each due time in order, also at those added on the way", () =>
    Effect.gen(function* () {
      const { scheduler, done } = schedulerOf([5 * day, 2 * day, 50 * day], (atMs) =>
        atMs === 2 * day ? [3 * day] : []
      )
      yield* advance("45 days", scheduler)
      assert.deepStrictEqual(done, [2 * day, 3 * day, 5 * day])
      assert.strictEqual(yield* Clock.currentTimeMillis, 45 * day)
    }).pipe(Effect.provide(clock()))
  )

  it.effect("first runs the jobs that are already due", () =>
    Effect.gen(function* () {
      const { scheduler, done } = schedulerOf([0])
      yield* advance("1 day", scheduler)
      assert.deepStrictEqual(done, [0])
    }).pipe(Effect.provide(clock()))
  )

  it.effect("runs the jobs that are due at its end", () =>
    Effect.gen(function* () {
      const { scheduler, done } = schedulerOf([day])
      yield* advance("1 day", scheduler)
      assert.deepStrictEqual(done, [day])
    }).pipe(Effect.provide(clock()))
  )

  it.effect("ends although a job stays due", () =>
    Effect.gen(function* () {
      let settlings = 0
      const settled = Effect.sync(() => {
        settlings += 1
      })
      yield* advance("1 hour", { nextDueMs: Effect.succeed(-1), settled })
      assert.strictEqual(yield* Clock.currentTimeMillis, 3_600_000)
      assert.strictEqual(settlings, 61)
    }).pipe(Effect.provide(clock()))
  )

  it.effect("waits for the end of another advance", () =>
    Effect.gen(function* () {
      const { scheduler, done } = schedulerOf([day, 2 * day, 3 * day])
      yield* Effect.all([advance("36 hours", scheduler), advance("36 hours", scheduler)], { concurrency: "unbounded" })
      assert.deepStrictEqual(done, [day, 2 * day, 3 * day])
      assert.strictEqual(yield* Clock.currentTimeMillis, 3 * day)
    }).pipe(Effect.provide(clock()))
  )

  it.effect.each([-1, "-1 day", Number.POSITIVE_INFINITY, "3661 days"] as ReadonlyArray<Duration.Input>)(
    "refuses the duration %s",
    (duration) =>
      Effect.gen(function* () {
        assert.strictEqual((yield* Effect.flip(advance(duration)))._tag, "AdvanceRefused")
        assert.strictEqual(yield* Clock.currentTimeMillis, 0)
      }).pipe(Effect.provide(clock()))
  )
})

describe("a fiber that sleeps on the sandbox clock", () => {
  it.effect("wakes at its time, in order, and not before", () =>
    Effect.gen(function* () {
      const woken: Array<string> = []
      const sleeper = (name: string, duration: Duration.Input) =>
        Effect.forkChild(
          Effect.andThen(
            Effect.sleep(duration),
            Effect.sync(() => woken.push(name))
          ),
          {
            startImmediately: true
          }
        )
      yield* Effect.all([sleeper("week", "7 days"), sleeper("two days", "2 days"), sleeper("day", "1 day")])
      yield* advance("23 hours")
      assert.deepStrictEqual(woken, [])
      yield* advance("3 days")
      assert.deepStrictEqual(woken, ["day", "two days"])
      yield* advance("3 days")
      assert.deepStrictEqual(woken, ["day", "two days"])
      yield* advance("1 day")
      assert.deepStrictEqual(woken, ["day", "two days", "week"])
    }).pipe(Effect.provide(clock()))
  )

  it.effect("wakes at the first stop after its time, not at the end of the advance", () =>
    Effect.gen(function* () {
      const fiber = yield* Effect.forkChild(Effect.andThen(Effect.sleep("1 day"), Clock.currentTimeMillis), {
        startImmediately: true
      })
      yield* advance("45 days", schedulerOf([2 * day]).scheduler)
      assert.strictEqual(yield* Fiber.join(fiber), 2 * day)
    }).pipe(Effect.provide(clock()))
  )

  it.effect("measures its sleep by the same clock", () =>
    Effect.gen(function* () {
      const fiber = yield* Effect.forkChild(Effect.timed(Effect.sleep("1 day")), { startImmediately: true })
      yield* advance("1 day")
      const [slept] = yield* Fiber.join(fiber)
      assert.strictEqual(Duration.toMillis(slept), day)
    }).pipe(Effect.provide(clock()))
  )

  it.effect("leaves no timer behind after an interruption", () =>
    Effect.gen(function* () {
      yield* Effect.acquireRelease(
        Effect.sync(() => vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] })),
        () => Effect.sync(() => vi.useRealTimers())
      )
      const fiber = yield* Effect.forkChild(Effect.sleep("1 day"), { startImmediately: true })
      assert.strictEqual(vi.getTimerCount(), 1)
      yield* Fiber.interrupt(fiber)
      assert.strictEqual(vi.getTimerCount(), 0)
    }).pipe(Effect.provide(clock()))
  )

  it.effect("leaves no timer behind of a sleep that ends because another one is over", () =>
    Effect.gen(function* () {
      yield* Effect.acquireRelease(
        Effect.sync(() => vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] })),
        () => Effect.sync(() => vi.useRealTimers())
      )
      const limited = Effect.timeoutOption(Effect.sleep("1 day"), "1 hour")
      const fiber = yield* Effect.forkChild(limited, { startImmediately: true })
      assert.strictEqual(vi.getTimerCount(), 2)
      yield* advance("1 hour")
      yield* Fiber.join(fiber)
      assert.strictEqual(vi.getTimerCount(), 0)
    }).pipe(Effect.provide(clock()))
  )

  it.live("wakes by wall time without an advance", () => Effect.sleep(5).pipe(Effect.provide(clock())))
})

describe("a reset of the sandbox clock", () => {
  it.effect("returns business time to wall time", () =>
    Effect.gen(function* () {
      const sandbox = yield* SandboxClock.SandboxClock
      yield* advance("45 days")
      assert.strictEqual(yield* sandbox.offsetMs, 45 * day)
      yield* sandbox.reset
      assert.strictEqual(yield* sandbox.offsetMs, 0)
      assert.strictEqual(yield* Clock.currentTimeMillis, 0)
    }).pipe(Effect.provide(clock()))
  )

  it.effect("keeps the remaining sleep of fibers", () =>
    Effect.gen(function* () {
      const sandbox = yield* SandboxClock.SandboxClock
      yield* advance("45 days")
      const fiber = yield* Effect.forkChild(Effect.sleep("1 day"), { startImmediately: true })
      yield* sandbox.reset
      yield* advance("23 hours")
      assert.isUndefined(fiber.pollUnsafe())
      yield* advance("1 hour")
      assert.isDefined(fiber.pollUnsafe())
    }).pipe(Effect.provide(clock()))
  )
})

describe("the file of the clock's offset", () => {
  const offsetIn = (
    offsetPath: string,
    program: Effect.Effect<void, SandboxClock.AdvanceRefused, SandboxClock.SandboxClock>
  ) =>
    Effect.andThen(
      program,
      Effect.flatMap(SandboxClock.SandboxClock, ({ offsetMs }) => offsetMs)
    ).pipe(Effect.provide(Layer.fresh(clock({ offsetPath }))))

  it.effect("keeps business time over a restart", () =>
    Effect.gen(function* () {
      const path = yield* temporaryFile
      assert.strictEqual(yield* offsetIn(path, advance("45 days")), 45 * day)
      assert.strictEqual(yield* offsetIn(path, advance("1 day")), 46 * day)
      const reset = Effect.flatMap(SandboxClock.SandboxClock, (sandbox) => sandbox.reset)
      assert.strictEqual(yield* offsetIn(path, reset), 0)
      assert.strictEqual(yield* offsetIn(path, Effect.void), 0)
    })
  )

  it.effect.each(["", "-5\n", "5", "soon\n"])("prevents the start with the content %j", (text) =>
    Effect.gen(function* () {
      const path = yield* temporaryFile
      writeFileSync(path, text)
      assert.strictEqual((yield* Effect.flip(offsetIn(path, Effect.void)))._tag, "OffsetError")
    })
  )
})
