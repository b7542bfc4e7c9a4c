/**
 * The machine's clock without jumps that nothing confirms. A clock that jumps forward would end holds, charge recurring payments and
 * destroy keys before their time. So after a jump, time continues from before it, by the monotonic clock, until another clock
 * confirms the new time or the machine's clock jumps back. A machine that slept needs no other clock: its uptime counts the sleep.
 */
import { type Clock, Effect } from "effect"

/** Jumps up to this number of milliseconds are followed, because time servers make them. */
export const toleratedMs = 60_000

export interface JumpGuard extends Clock.Clock {
  /** Milliseconds by which the machine's clock is ahead of this one; negative if it is behind. 0: this clock follows it. */
  readonly differenceMs: () => number
  /** Measures again when the machine started. Slow corrections by a time server add up, so call it from time to time. */
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

export const make = (machine: Clock.Clock, { onChange = () => {}, uptimeMs }: Options = {}): JumpGuard => {
  let differenceMs = 0
  let last: { readonly machineMs: number; readonly nanos: bigint } | undefined
  /** The machine's time at which it started, as of the last time at which its clock was followed. */
  let bootMs: number | undefined

  const set = (ms: number) => {
    const isChange = (ms === 0) !== (differenceMs === 0)
    differenceMs = ms
    if (isChange) onChange(ms)
  }
  const measureBoot = (machineMs: number) => {
    bootMs = uptimeMs === undefined ? undefined : machineMs - uptimeMs()
  }
  const hasSlept = (machineMs: number): boolean =>
    bootMs !== undefined && uptimeMs !== undefined && Math.abs(bootMs + uptimeMs() - machineMs) <= toleratedMs

  const jumped = (stepMs: number, machineMs: number): void => {
    if (differenceMs === 0 && (stepMs < 0 || hasSlept(machineMs))) return
    const next = differenceMs + stepMs
    // A clock that is set back to before its jump forward is simply set back.
    set(Math.abs(next) <= toleratedMs || (next < 0 && differenceMs > 0) ? 0 : next)
  }
  const nowMs = (): number => {
    const machineMs = machine.currentTimeMillisUnsafe()
    const nanos = machine.monotonicTimeNanosUnsafe()
    const stepMs = last === undefined ? 0 : machineMs - last.machineMs - Number(nanos - last.nanos) / 1e6
    last = { machineMs, nanos }
    if (Math.abs(stepMs) > toleratedMs) jumped(Math.round(stepMs), machineMs)
    if (differenceMs === 0 && bootMs === undefined) measureBoot(machineMs)
    return machineMs - differenceMs
  }
  const nowNanos = (): bigint => {
    const ms = nowMs()
    return differenceMs === 0 ? machine.currentTimeNanosUnsafe() : BigInt(Math.floor(ms)) * 1_000_000n
  }
  return {
    currentTimeMillisUnsafe: nowMs,
    currentTimeMillis: Effect.sync(nowMs),
    currentTimeNanosUnsafe: nowNanos,
    currentTimeNanos: Effect.sync(nowNanos),
    monotonicTimeNanosUnsafe: () => machine.monotonicTimeNanosUnsafe(),
    monotonicTimeNanos: machine.monotonicTimeNanos,
    sleep: (duration) => machine.sleep(duration),
    differenceMs: () => {
      nowMs()
      return differenceMs
    },
    follow: () => {
      bootMs = undefined
      set(0)
      nowMs()
    },
    measure: () => {
      const ms = nowMs()
      if (differenceMs === 0) measureBoot(ms)
    },
    differBy: (ms) => {
      nowMs()
      set(Math.abs(ms) <= toleratedMs ? 0 : ms)
    }
  }
}
