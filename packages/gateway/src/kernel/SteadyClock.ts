/**
 * Business time that never goes back while the gateway runs. Where the machine's clock is set back, due times, leases and
 * inquiries would wait for as long again; instead business time goes on at half speed until the machine's clock has caught
 * up. A clock that was set back by more than {@link longestMs} had been wrong: it is followed at once.
 */
import { Clock, Duration, Effect, Layer } from "effect"

/** One day: a business date is never kept wrong for longer than twice that. */
export const longestMs = 86_400_000

const lookEvery = Duration.seconds(10)
/** What time servers correct all the time. */
const noticedMs = 1000

export interface SteadyClock extends Clock.Clock {
  /** How far business time is ahead of the machine's clock. */
  readonly aheadMs: () => number
  /** How far the machine's clock went back when it was last followed; 0: never. */
  readonly followedMs: () => number
}

export const make = (machine: Clock.Clock): SteadyClock => {
  let lastMs = Number.NEGATIVE_INFINITY
  let followedMs = 0
  /** Since when business time goes at half speed. */
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

/** Tells of each time that the machine's clock was set back. */
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
