/**
 * The event loop of the simulation: one queue of tasks and one virtual clock, so that the same seed makes the same events happen in
 * the same order. Fibers run on it through Effect's `Scheduler`. Sleeping fibers wake when the simulation advances its time.
 * Nothing waits for real time.
 */
import { Clock, Context, Duration, Effect, Scheduler } from "effect"

interface Sleeper {
  readonly wakeAtMs: number
  /** Sleepers with the same wake time wake in the order in which they started to sleep. */
  readonly order: number
  readonly wake: () => void
  isGone: boolean
}

/** A process of the simulation. It can be paused, and its machine's clock can be wrong. */
export interface Process {
  /** The services of an effect that runs in this process. */
  readonly context: Context.Context<never>
  /** The clock of the process's machine. */
  readonly clock: Clock.Clock
  /** Stops the process until it is resumed. Time continues. */
  readonly pause: () => void
  readonly resume: () => void
  /** Lets the machine's clock jump by this time, forward or back. */
  readonly shift: (ms: number) => void
  /** Lets the machine's clock drift by this many parts per million from now on. */
  readonly drift: (ppm: number) => void
  /** Corrects the machine's clock. */
  readonly correct: () => void
}

export interface Loop {
  readonly nowMs: () => number
  /** Creates another process. */
  readonly process: () => Process
  /** Runs the task after those that are already waiting. */
  readonly schedule: (task: () => void) => void
  /** The services of an effect that runs on this loop. */
  readonly context: Context.Context<never>
  /** Runs tasks until none can run now, or this number has run. Returns the number of tasks that ran. */
  readonly drain: (most?: number) => Promise<number>
  /** Returns the number of sleepers. */
  readonly sleeping: () => number
  /** When the next sleeper wakes. */
  readonly nextWakeMs: () => number | undefined
  /** Advances time to this moment, which must not be after the next wake time, and wakes the sleepers that are due. */
  readonly moveTo: (ms: number) => void
}

/** Waits until pending promises, streams and module loads have run their callbacks. */
const nextMacrotask = () => new Promise<void>((resolve) => setImmediate(resolve))

export const make = (startMs: number): Loop => {
  let now = startMs
  let tasks: Array<() => void> = []
  let head = 0
  const sleepers: Array<Sleeper> = []
  let order = 0

  const schedule = (task: () => void): void => {
    tasks.push(task)
  }

  const isBefore = (one: Sleeper, other: Sleeper) =>
    one.wakeAtMs < other.wakeAtMs || (one.wakeAtMs === other.wakeAtMs && one.order < other.order)

  const push = (sleeper: Sleeper): void => {
    let at = sleepers.push(sleeper) - 1
    while (at > 0) {
      const parent = (at - 1) >> 1
      const above = sleepers[parent]
      if (above === undefined || isBefore(above, sleeper)) break
      sleepers[at] = above
      at = parent
    }
    sleepers[at] = sleeper
  }

  const pop = (): void => {
    const last = sleepers.pop()
    if (last === undefined || sleepers.length === 0) return
    let at = 0
    for (;;) {
      const left = 2 * at + 1
      const [one, other] = [sleepers[left], sleepers[left + 1]]
      if (one === undefined) break
      const [below, belowAt] = other !== undefined && isBefore(other, one) ? [other, left + 1] : [one, left]
      if (isBefore(last, below)) break
      sleepers[at] = below
      at = belowAt
    }
    sleepers[at] = last
  }

  const first = (): Sleeper | undefined => {
    while (sleepers[0]?.isGone === true) pop()
    return sleepers[0]
  }

  const sleep = (duration: Duration.Duration): Effect.Effect<void> => {
    // Clocks count whole milliseconds.
    const ms = Math.ceil(Duration.toMillis(duration))
    if (ms <= 0) return Effect.yieldNow
    if (!Number.isFinite(ms)) return Effect.never
    return Effect.callback((resume) => {
      order += 1
      const sleeper: Sleeper = { wakeAtMs: now + Math.ceil(ms), order, wake: () => resume(Effect.void), isGone: false }
      push(sleeper)
      return Effect.sync(() => {
        sleeper.isGone = true
      })
    })
  }

  const process = (): Process => {
    const own = { paused: false, aheadMs: 0, ppm: 0, sinceMs: now }
    let postponed: Array<() => void> = []
    const aheadMs = () => own.aheadMs + ((now - own.sinceMs) * own.ppm) / 1e6
    const ms = () => now + Math.floor(aheadMs())
    const settle = (next: { readonly aheadMs: number; readonly ppm: number }) => {
      own.aheadMs = next.aheadMs
      own.ppm = next.ppm
      own.sinceMs = now
    }
    const nanos = () => BigInt(Math.round(ms())) * 1_000_000n
    const steadyNanos = () => BigInt(Math.round(now)) * 1_000_000n
    const clock: Clock.Clock = {
      currentTimeMillisUnsafe: ms,
      currentTimeMillis: Effect.sync(ms),
      currentTimeNanosUnsafe: nanos,
      currentTimeNanos: Effect.sync(nanos),
      monotonicTimeNanosUnsafe: steadyNanos,
      monotonicTimeNanos: Effect.sync(steadyNanos),
      sleep
    }
    const scheduler = new Scheduler.MixedScheduler("async", (task) => {
      let isGone = false
      tasks.push(() => {
        if (isGone) return
        if (own.paused) postponed.push(() => !isGone && task())
        else task()
      })
      return () => {
        isGone = true
      }
    })
    return {
      clock,
      context: Context.make(Clock.Clock, clock).pipe(Context.add(Scheduler.Scheduler, scheduler)),
      pause: () => {
        own.paused = true
      },
      resume: () => {
        own.paused = false
        for (const task of postponed) tasks.push(task)
        postponed = []
      },
      shift: (by) => settle({ aheadMs: aheadMs() + by, ppm: own.ppm }),
      drift: (ppm) => settle({ aheadMs: aheadMs(), ppm }),
      correct: () => settle({ aheadMs: 0, ppm: 0 })
    }
  }

  const runReady = (most: number): number => {
    let count = 0
    while (head < tasks.length && count < most) {
      const task = tasks[head]
      head += 1
      if (task === undefined) break
      count += 1
      task()
    }
    if (head === tasks.length) {
      tasks = []
      head = 0
    }
    return count
  }

  return {
    nowMs: () => now,
    process,
    schedule,
    context: process().context,
    drain: async (most = Number.POSITIVE_INFINITY) => {
      let count = 0
      for (let isIdle = false; count < most; ) {
        const ran = runReady(most - count)
        count += ran
        if (ran === 0 && isIdle) break
        isIdle = ran === 0
        await (isIdle ? nextMacrotask() : undefined)
      }
      return count
    },
    sleeping: () => sleepers.reduce((count, { isGone }) => count + (isGone ? 0 : 1), 0),
    nextWakeMs: () => first()?.wakeAtMs,
    moveTo: (ms) => {
      now = Math.max(now, ms)
      for (let sleeper = first(); sleeper !== undefined && sleeper.wakeAtMs <= now; sleeper = first()) {
        sleeper.isGone = true
        sleeper.wake()
      }
    }
  }
}
