/**
 * Business time that never goes back while the gateway runs. If the machine's clock is set back, due times, leases and inquiries
 * would wait for as long again. Instead, business time continues at half speed until the machine's clock has caught up. If the
 * clock was set back by more than {@link longestMs}, it had been wrong, and business time follows it at once.
 */
import { Clock, Duration, Effect, Layer } from "effect"

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
    currentTimeMillisUnsafe: nowMs,
    currentTimeMillis: Effect.sync(nowMs),
    currentTimeNanosUnsafe: nowNanos,
    currentTimeNanos: Effect.sync(nowNanos),
    monotonicTimeNanosUnsafe: () => machine.monotonicTimeNanosUnsafe(),
    monotonicTimeNanos: machine.monotonicTimeNanos,
    sleep: (duration) => machine.sleep(duration),
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

export const layer = Layer.effect(
  Clock.Clock,
  Effect.gen(function* () {
    const clock = make(yield* Clock.Clock)
    yield* Effect.forkScoped(watch(clock))
    return clock
  })
)
