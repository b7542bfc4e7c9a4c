/**
 * Business time that can be moved forward: wall time plus an offset. Holds, expiries, callbacks and subscriptions follow it.
 * OAuth and webhook timestamps follow the gateway's `AuthClock` instead. Business time goes back only by `reset`.
 */
import { Clock, Context, Data, Duration, Effect, Layer, Option, type Scope, Semaphore } from "effect"
import * as Offset from "./Offset.ts"

/**
 * The duration is negative, longer than {@link longestAdvance}, or not a duration; or the process that keeps the time is not
 * reachable.
 */
export class AdvanceRefused extends Data.TaggedError("AdvanceRefused")<{ readonly message: string }> {}

/** The part of the gateway's scheduler that the clock needs. */
export interface Scheduler {
  /** Time at which the earliest job is due, in milliseconds since 1970. Undefined if no job waits. */
  readonly nextDueMs: Effect.Effect<number | undefined>
  /** Completes when everything that is due now is done. */
  readonly settled: Effect.Effect<void>
}

/** The options of the movable clock. */
export interface Options {
  /** The file that keeps the offset over restarts. Absent: the offset starts at 0. */
  readonly offsetPath?: string
}

/** The longest duration by which one call moves the time. */
const longestAdvance = Duration.days(3660)

/**
 * Length of a step, in milliseconds, while a job stays due although the scheduler has settled, because the holder of the job is
 * gone.
 */
const strideMs = 60_000

/** The controls of business time. */
export class SandboxClock extends Context.Service<
  SandboxClock,
  {
    /** How far business time is ahead of wall time, in milliseconds. */
    readonly offsetMs: Effect.Effect<number>
    /**
     * Moves business time forward. It stops at each time at which a job is due until the job is done, so that 45 days pass as
     * real days do. Effects whose sleep is over wake at each stop, in their order.
     */
    readonly advance: (duration: Duration.Input, scheduler: Scheduler) => Effect.Effect<void, AdvanceRefused>
    /** Sets business time back to wall time. Effects that sleep continue for the rest of their time. */
    readonly reset: Effect.Effect<void, AdvanceRefused>
  }
>()("@pay/sandbox/SandboxClock") {}

interface Sleeper {
  /** Time of the wake-up, in milliseconds on the scale of `runMs`. */
  readonly wakeAtMs: number
  readonly wake: () => void
  timer: NodeJS.Timeout | undefined
}

const longestTimerMs = 2 ** 31 - 1
const nanosPerMilli = 1_000_000n

/** The place where the offset is kept. `onMove` is called after each step forward, when the offset includes the step. */
export type Keeper<E, R> = (onMove: (byMs: number) => void) => Effect.Effect<KeptOffset, E, R>

/** An offset that is kept, with the ways to change it. */
export interface KeptOffset {
  readonly ms: () => number
  readonly move: (byMs: number) => Effect.Effect<void, AdvanceRefused>
  readonly reset: Effect.Effect<void, AdvanceRefused>
}

const make = Effect.fnUntraced(function* <E, R>(keeper: Keeper<E, R>) {
  const wall = yield* Clock.Clock
  const sleepers = new Set<Sleeper>()
  const moving = yield* Semaphore.make(1)
  /**
   * Sum of all steps forward, in milliseconds. A reset does not change it, so that the scale on which effects sleep never goes
   * back.
   */
  let advancedMs = 0

  const runNanos = () => wall.monotonicTimeNanosUnsafe() + BigInt(advancedMs) * nanosPerMilli
  const runMs = () => Number(runNanos()) / 1e6
  const arm = (sleeper: Sleeper): void => {
    clearTimeout(sleeper.timer)
    const leftMs = Math.max(0, Math.min(longestTimerMs, sleeper.wakeAtMs - runMs()))
    sleeper.timer = setTimeout(() => (runMs() < sleeper.wakeAtMs ? arm(sleeper) : sleeper.wake()), leftMs)
  }
  const sleep = (duration: Duration.Duration): Effect.Effect<void> => {
    const ms = Duration.toMillis(duration)
    if (ms <= 0) return Effect.yieldNow
    if (!Number.isFinite(ms)) return Effect.never
    return Effect.callback((resume) => {
      const leave = () => {
        clearTimeout(sleeper.timer)
        sleepers.delete(sleeper)
      }
      const wake = () => {
        leave()
        resume(Effect.void)
      }
      const sleeper: Sleeper = { wakeAtMs: runMs() + ms, wake, timer: undefined }
      sleepers.add(sleeper)
      arm(sleeper)
      return Effect.sync(leave)
    })
  }

  const passed = (ms: number): void => {
    advancedMs += ms
    const now = runMs()
    const waiting = [...sleepers].sort((one, other) => one.wakeAtMs - other.wakeAtMs)
    for (const sleeper of waiting) {
      // One that wakes may have ended the sleep of another, whose timer nobody would clear again.
      if (!sleepers.has(sleeper)) continue
      if (sleeper.wakeAtMs <= now) sleeper.wake()
      else arm(sleeper)
    }
  }

  const offset = yield* keeper(passed)
  const nowMs = () => wall.currentTimeMillisUnsafe() + offset.ms()
  const nowNanos = () => wall.currentTimeNanosUnsafe() + BigInt(offset.ms()) * nanosPerMilli

  const walk = Effect.fnUntraced(function* (durationMs: number, scheduler: Scheduler) {
    yield* scheduler.settled
    for (let leftMs = durationMs; leftMs > 0; ) {
      const dueMs = yield* scheduler.nextDueMs
      const toDueMs = dueMs === undefined ? leftMs : Math.ceil(dueMs - nowMs())
      const stepMs = Math.min(leftMs, toDueMs > 0 ? toDueMs : strideMs)
      yield* offset.move(stepMs)
      leftMs -= stepMs
      yield* Effect.yieldNow
      yield* scheduler.settled
    }
  })

  const clock: Clock.Clock = {
    currentTimeMillisUnsafe: nowMs,
    currentTimeMillis: Effect.sync(nowMs),
    currentTimeNanosUnsafe: nowNanos,
    currentTimeNanos: Effect.sync(nowNanos),
    monotonicTimeNanosUnsafe: runNanos,
    monotonicTimeNanos: Effect.sync(runNanos),
    sleep
  }
  const sandboxClock = SandboxClock.of({
    offsetMs: Effect.sync(offset.ms),
    advance: (duration, scheduler) => {
      const ms = Math.round(
        Option.match(Duration.fromInput(duration), { onNone: () => Number.NaN, onSome: Duration.toMillis })
      )
      if (!(ms >= 0 && ms <= Duration.toMillis(longestAdvance))) {
        const most = Duration.format(longestAdvance)
        return Effect.fail(
          new AdvanceRefused({ message: `business time goes forward only, by ${most} at most at once` })
        )
      }
      return moving.withPermit(walk(ms, scheduler))
    },
    reset: moving.withPermit(offset.reset)
  })
  return Context.make(SandboxClock, sandboxClock).pipe(Context.add(Clock.Clock, clock))
})

/** Keeps the offset in a file, or in memory. */
const own =
  (path: string | undefined): Keeper<Offset.OffsetError, never> =>
  (onMove) =>
    Effect.map(Offset.open(path), (offset) => ({
      ms: offset.ms,
      move: (byMs) =>
        Effect.sync(() => {
          offset.set(offset.ms() + byMs)
          onMove(byMs)
        }),
      reset: Effect.sync(() => offset.set(0))
    }))

/** Provides the service that moves the time, and the `Clock` that all layers above read. */
export const layer = (options: Options = {}): Layer.Layer<SandboxClock, Offset.OffsetError> =>
  layerOf(own(options.offsetPath))

/** Makes {@link layer} with an offset that is kept elsewhere. */
export const layerOf = <E, R>(keeper: Keeper<E, R>): Layer.Layer<SandboxClock, E, Exclude<R, Scope.Scope>> =>
  Layer.effectContext(make(keeper))
