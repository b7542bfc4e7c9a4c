/**
 * The machine's clock without jumps that nothing confirms. A clock that jumps forward would end holds, charge recurring payments and
 * destroy keys before their time. So after a jump, time continues from before it, by the monotonic clock, until another clock
 * confirms the new time or the machine's clock jumps back. A machine that slept needs no other clock: its uptime counts the sleep.
 */
import { type Clock, Effect } from "effect"

/** Jumps that add up to this number of milliseconds in an hour are followed, because time servers make them. */
export const toleratedMs = 60_000
const toleratedEveryMs = 3_600_000
/** A clock that was set back by up to this number of milliseconds, a day, may return. If it was more, the clock had been wrong. */
const longestBackMs = 86_400_000
/** The uptime is not exact. */
const shortestSleepMs = 1000

export interface JumpGuard extends Clock.Clock {
  /** Milliseconds by which the machine's clock is ahead of this one; negative if it is behind. 0: this clock follows it. */
  readonly differenceMs: () => number
  /** Looks whether the machine has slept. Short sleeps add up, so call it from time to time. */
  readonly measure: () => void
  /** Follows the machine's clock from now on. */
  readonly follow: () => void
  /** Differs from the machine's clock by this time from now on, because other clocks agree that it is wrong. */
  readonly differBy: (ms: number) => void
}

export interface Options {
  /** Milliseconds since the machine started, with the time for which it slept. Absent: it never sleeps. */
  readonly uptimeMs?: (() => number) | undefined
  /** Called when the clock stops to follow the machine's, or follows it again. */
  readonly onChange?: (differenceMs: number) => void
}

/** Returns the machine's clock with another time of day. */
export const withTime = (machine: Clock.Clock, nowMs: () => number, nowNanos: () => bigint): Clock.Clock => ({
  currentTimeMillisUnsafe: nowMs,
  currentTimeMillis: Effect.sync(nowMs),
  currentTimeNanosUnsafe: nowNanos,
  currentTimeNanos: Effect.sync(nowNanos),
  monotonicTimeNanosUnsafe: () => machine.monotonicTimeNanosUnsafe(),
  monotonicTimeNanos: machine.monotonicTimeNanos,
  sleep: (duration) => machine.sleep(duration)
})

export const make = (machine: Clock.Clock, { onChange = () => {}, uptimeMs }: Options = {}): JumpGuard => {
  let differenceMs = 0
  /** The machine's time minus the monotonic time of `monotonicMs`, as far as it is followed. */
  let followed: { readonly offsetMs: number; readonly monotonicMs: number } | undefined
  /** The time that the machine had slept since its start, at the last look. */
  let asleepMs: number | undefined

  const set = (ms: number) => {
    const isChange = (ms === 0) !== (differenceMs === 0)
    differenceMs = ms
    if (isChange) onChange(ms)
  }
  const read = () => {
    const machineMs = machine.currentTimeMillisUnsafe()
    const monotonicMs = Number(machine.monotonicTimeNanosUnsafe()) / 1e6
    return { machineMs, monotonicMs, offsetMs: machineMs - monotonicMs }
  }
  /** Follows the machine's clock over a sleep since the last look. */
  const addSleep = (): void => {
    if (uptimeMs === undefined || followed === undefined) return
    const nowAsleepMs = uptimeMs() - read().monotonicMs
    const sleptMs = nowAsleepMs - (asleepMs ?? nowAsleepMs)
    if (asleepMs !== undefined && sleptMs <= shortestSleepMs) return
    asleepMs = nowAsleepMs
    followed = { ...followed, offsetMs: followed.offsetMs + sleptMs }
  }
  /** Judges the machine's clock while it is followed. */
  const look = ({ monotonicMs, offsetMs }: ReturnType<typeof read>): void => {
    const before = followed ?? { offsetMs, monotonicMs }
    const aheadMs = offsetMs - before.offsetMs
    const allowedMs = (toleratedMs * (monotonicMs - before.monotonicMs)) / toleratedEveryMs
    const movedMs = aheadMs < -longestBackMs ? aheadMs : Math.max(0, Math.min(aheadMs, allowedMs))
    followed = { offsetMs: before.offsetMs + movedMs, monotonicMs }
    if (asleepMs === undefined || aheadMs > toleratedMs) addSleep()
    const jumpMs = Math.round(offsetMs - followed.offsetMs)
    if (jumpMs > toleratedMs) set(jumpMs)
  }
  const nowMs = (): number => {
    const now = read()
    if (followed === undefined || differenceMs === 0) look(now)
    else {
      const nextMs = Math.round(now.offsetMs - followed.offsetMs)
      // A clock that is set back to before its jump forward is simply set back.
      set(Math.abs(nextMs) <= toleratedMs || (nextMs < 0 && differenceMs > 0) ? 0 : nextMs)
    }
    return now.machineMs - differenceMs
  }
  const nowNanos = (): bigint => {
    const ms = nowMs()
    return differenceMs === 0 ? machine.currentTimeNanosUnsafe() : BigInt(Math.floor(ms)) * 1_000_000n
  }
  return {
    ...withTime(machine, nowMs, nowNanos),
    differenceMs: () => {
      nowMs()
      return differenceMs
    },
    follow: () => {
      asleepMs = undefined
      followed = undefined
      set(0)
      nowMs()
    },
    measure: () => {
      nowMs()
      addSleep()
    },
    differBy: (ms) => {
      const { monotonicMs, offsetMs } = read()
      followed = { offsetMs: offsetMs - ms, monotonicMs }
      set(Math.abs(ms) <= toleratedMs ? 0 : ms)
    }
  }
}
