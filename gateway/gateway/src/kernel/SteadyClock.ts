/**
 * Business time that never goes back while the gateway runs. If the machine's clock is set back, due times, leases and inquiries
 * would wait for as long again. Instead, business time continues at half speed until the machine's clock has caught up. If the
 * clock was set back by more than {@link longestMs}, it had been wrong, and business time follows it at once.
 */
import { uptime } from "node:os"
import { Clock, Context, Duration, Effect, Layer, Metric } from "effect"
import { WallTime } from "./AuthClock.ts"
import * as ClockTrust from "./ClockTrust.ts"
import * as JumpGuard from "./JumpGuard.ts"

/**
 * Largest setback, in milliseconds, after which business time continues at half speed: one day. So a business date is wrong for
 * two days at most.
 */
const longestMs = 86_400_000

const lookEvery = Duration.seconds(10)
/** Changes up to this number of milliseconds are not logged, because time servers make them all the time. */
const noticedMs = 1000

export interface SteadyClock extends Clock.Clock {
  /** Milliseconds by which business time is ahead of the machine's clock. */
  readonly aheadMs: () => number
  /** Milliseconds by which the machine's clock went back when business time last followed it at once. 0: never. */
  readonly followedMs: () => number
}

export const make = (machine: Clock.Clock): SteadyClock => {
  let lastMs = Number.NEGATIVE_INFINITY
  let followedMs = 0
  /** Start of the current phase at half speed. `undefined`: business time is the machine's time. */
  let slow: { readonly fromMs: number; readonly fromNanos: bigint } | undefined

  const slowMs = (from: { readonly fromMs: number; readonly fromNanos: bigint }): number =>
    from.fromMs + Math.floor(Number(machine.monotonicTimeNanosUnsafe() - from.fromNanos) / 2e6)

  const nowMs = (): number => {
    const machineMs = machine.currentTimeMillisUnsafe()
    if (slow !== undefined) lastMs = slowMs(slow)
    const backMs = lastMs - machineMs
    if (backMs <= 0 || backMs > longestMs) {
      if (backMs > 0 && Number.isFinite(lastMs)) followedMs = backMs
      slow = undefined
      lastMs = machineMs
      return machineMs
    }
    slow ??= { fromMs: lastMs, fromNanos: machine.monotonicTimeNanosUnsafe() }
    return lastMs
  }
  const nowNanos = (): bigint => {
    const ms = nowMs()
    return slow === undefined ? machine.currentTimeNanosUnsafe() : BigInt(ms) * 1_000_000n
  }
  return {
    ...JumpGuard.withTime(machine, nowMs, nowNanos),
    aheadMs: () => Math.max(0, nowMs() - machine.currentTimeMillisUnsafe()),
    followedMs: () => followedMs
  }
}

const seconds = (ms: number): string => `${Math.round(ms / 1000)} s`

/** Logs each setback of the machine's clock. */
const watch = Effect.fnUntraced(function* (clock: SteadyClock) {
  let aheadMs = 0
  let followedMs = 0
  while (true) {
    yield* clock.sleep(lookEvery)
    const nowAheadMs = clock.aheadMs()
    if (nowAheadMs > aheadMs + noticedMs)
      yield* Effect.logWarning(
        `The machine's clock was set back: business time is ${seconds(nowAheadMs)} ahead of it and goes at half speed until it has caught up`
      )
    aheadMs = nowAheadMs
    if (clock.followedMs() !== followedMs) {
      followedMs = clock.followedMs()
      yield* Effect.logError(
        `The machine's clock was set back by ${seconds(followedMs)}, and business time with it: what was due waits for as long`
      )
    }
  }
})

const jumpedSeconds = Metric.gauge("pay_clock_jump_seconds", {
  description:
    "How far the machine's clock is ahead of the time by which the gateway works, until another clock confirms it"
})
const stopped = Metric.gauge("pay_dated_jobs_stopped", {
  description:
    "1: no holds end and nothing is charged, because only the machine's clock says that time has passed; else 0"
})

export interface Options {
  /** The account of the operator who says that the machine's clock is right. */
  readonly acceptedBy?: string | undefined
  /** Milliseconds after which a jump is followed although nothing confirmed it. Absent: never. */
  readonly followAfterMs?: number
}

/** Measures the trust in the machine's clock at intervals, and follows a jump that has lasted. */
const watchJumps = Effect.fnUntraced(function* (
  guard: JumpGuard.JumpGuard,
  trust: ClockTrust.ClockTrust,
  followAfterMs: number
) {
  let jumpedForMs = 0
  while (true) {
    guard.measure()
    yield* Metric.update(jumpedSeconds, guard.differenceMs() / 1000)
    yield* Metric.update(stopped, trust.isTrusted() ? 0 : 1)
    yield* guard.sleep(lookEvery)
    jumpedForMs = guard.differenceMs() === 0 ? 0 : jumpedForMs + Duration.toMillis(lookEvery)
    if (jumpedForMs >= followAfterMs) guard.follow()
  }
})

const changed = (differenceMs: number) =>
  differenceMs === 0
    ? Effect.logInfo("Business time follows the machine's clock again")
    : Effect.logWarning(
        `The machine's clock differs by ${seconds(differenceMs)} from the time that has passed, and no other clock confirms it: business time goes on as before, holds do not end and nothing is charged by date until another clock agrees. Set the clock, or start with --accept-clock if it is right`
      )

const explained = (event: ClockTrust.Event) =>
  event._tag === "Confirmed"
    ? Effect.logInfo(`The time of the machine's clock is confirmed by the ${event.by}`)
    : Effect.logWarning(
        event._tag === "Corrected"
          ? `The machine's clock is wrong by ${seconds(event.differenceMs)}: the ${event.by} agrees with the last commit. Set the clock`
          : `The machine's clock differs by ${seconds(event.differenceMs)} from the database's: holds do not end and nothing is charged by date until they agree. Set the clock that is wrong`
      )

/** Provides business time, wall time without jumps, and the trust in both. */
export const layerOf = ({ acceptedBy, followAfterMs = Number.POSITIVE_INFINITY }: Options) =>
  Layer.effectContext(
    Effect.gen(function* () {
      const machine = yield* Clock.Clock
      const report = Effect.runForkWith(yield* Effect.context<never>())
      const guard = JumpGuard.make(machine, {
        uptimeMs: () => uptime() * 1000,
        onChange: (differenceMs) => report(changed(differenceMs))
      })
      const clock = make(guard)
      const trust = ClockTrust.make(guard, { acceptedBy, onEvent: (event) => report(explained(event)) })
      yield* Effect.forkScoped(watch(clock))
      yield* Effect.forkScoped(watchJumps(guard, trust, followAfterMs))
      return Context.make(Clock.Clock, clock).pipe(
        Context.add(WallTime, () => guard.currentTimeMillisUnsafe()),
        Context.add(ClockTrust.ClockTrust, trust)
      )
    })
  )

/** Business time of a sandbox, which nothing else dates: it follows a jump of the machine's clock that lasts ten minutes. */
export const layer = layerOf({ followAfterMs: 600_000 })
