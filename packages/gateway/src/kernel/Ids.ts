/** Numbers for orders and requests: rising, unique over processes and restarts, below 2^63, as decimal text. */
import { Context, Data, Effect, Layer, Random } from "effect"
import { AuthClock } from "./AuthClock.ts"
import * as ProcessLease from "./ProcessLease.ts"

const epochMs = 1_767_225_600_000 // 2026-01-01T00:00:00Z

/** Fewer digits were given in the first days of the epoch only, and are a card's today. */
const form = /^\d{17,19}$/

/** Whether the number was given before this time: by its form and by the time in it. */
export const isPast = (text: string, nowMs: number): boolean =>
  form.test(text) && Number(BigInt(text) >> 22n) + epochMs <= nowMs

/** This process has no number of its own now, so it cannot name what it would write. It dies of this instead. */
export class NoProcessNumber extends Data.TaggedError("NoProcessNumber") {
  override get message(): string {
    return "This process has lost its number, because it was stopped or cannot reach its store. It takes another one."
  }
}

export class Ids extends Context.Service<
  Ids,
  {
    /** 41 bits of milliseconds, 10 of the process, 12 of a counter. Throws `NoProcessNumber`. */
    readonly next: () => string
    /** The next number, or where there is none a random one, which names nothing: for answers that leave nothing behind. */
    readonly nextOrRandom: () => string
    /** False: `next` would throw. */
    readonly isReady: () => boolean
    /** 16 random hex digits. */
    readonly salt: () => string
    /** A name for a lease that no other claim has. */
    readonly token: () => string
  }
>()("@pay/gateway/Ids") {
  /** Needs a lease of the process's number. */
  static readonly layerNoDeps = Layer.effect(
    Ids,
    Effect.gen(function* () {
      const clock = yield* AuthClock
      const random = yield* Random.Random
      const lease = yield* ProcessLease.ProcessLease
      let lastMs = 0
      let counter = 0
      const hex = () =>
        Math.floor(random.nextDoubleUnsafe() * 0x1_0000_0000)
          .toString(16)
          .padStart(8, "0")
      /** The next millisecond in the span of the lease; undefined: the span is over. */
      const inSpan = (span: ProcessLease.Span | undefined): number | undefined => {
        if (span === undefined) return undefined
        const nowMs = Math.max(lastMs, Math.floor(clock.nowMs()) - epochMs, span.fromMs - epochMs)
        // The counter may carry into the next millisecond.
        return nowMs + 1 < span.untilMs - epochMs ? nowMs : undefined
      }
      const take = (): string | undefined => {
        const span = lease.span()
        const nowMs = inSpan(span)
        if (span === undefined || nowMs === undefined) {
          lease.wake()
          return undefined
        }
        counter = nowMs === lastMs ? counter + 1 : 0
        lastMs = counter < 4096 ? nowMs : nowMs + 1
        counter %= 4096
        return ((BigInt(lastMs) << 22n) | (BigInt(span.number) << 12n) | BigInt(counter)).toString()
      }
      return {
        next: () => {
          const number = take()
          if (number === undefined) throw new NoProcessNumber()
          return number
        },
        nextOrRandom: () => take() ?? (BigInt(`0x${hex()}${hex()}`) >> 1n).toString(),
        isReady: () => {
          const isReady = inSpan(lease.span()) !== undefined
          if (!isReady) lease.wake()
          return isReady
        },
        salt: () => hex() + hex(),
        token: () => hex() + hex() + hex() + hex()
      }
    })
  )

  /** Under a number drawn by chance: for a program that has its store to itself. */
  static readonly layer = Ids.layerNoDeps.pipe(Layer.provide(ProcessLease.layerAlone))
}
