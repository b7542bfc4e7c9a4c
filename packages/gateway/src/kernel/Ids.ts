/** Numbers for orders and requests: rising, unique over processes and restarts, below 2^63, as decimal text. */
import { Context, Effect, Layer, Random } from "effect"
import { AuthClock } from "./AuthClock.ts"

const epochMs = 1_767_225_600_000 // 2026-01-01T00:00:00Z

/** Fewer digits were given in the first days of the epoch only, and are a card's today. */
const form = /^\d{17,19}$/

/** Whether the number was given before this time: by its form and by the time in it. */
export const isPast = (text: string, nowMs: number): boolean =>
  form.test(text) && Number(BigInt(text) >> 22n) + epochMs <= nowMs

export class Ids extends Context.Service<
  Ids,
  {
    /** 41 bits of milliseconds, 10 of the process, 12 of a counter. */
    readonly next: () => string
    /** 16 random hex digits. */
    readonly salt: () => string
    /** A name for a lease that no other claim has. */
    readonly token: () => string
  }
>()("@pay/gateway/Ids") {
  static readonly layer = Layer.effect(
    Ids,
    Effect.gen(function* () {
      const clock = yield* AuthClock
      const random = yield* Random.Random
      const process = BigInt(yield* Random.nextIntBetween(0, 1023))
      let lastMs = 0
      let counter = 0
      const hex = () =>
        Math.floor(random.nextDoubleUnsafe() * 0x1_0000_0000)
          .toString(16)
          .padStart(8, "0")
      return {
        next: () => {
          const nowMs = Math.max(lastMs, Math.floor(clock.nowMs()) - epochMs)
          counter = nowMs === lastMs ? counter + 1 : 0
          lastMs = counter < 4096 ? nowMs : nowMs + 1
          counter %= 4096
          return ((BigInt(lastMs) << 22n) | (process << 12n) | BigInt(counter)).toString()
        },
        salt: () => hex() + hex(),
        token: () => hex() + hex() + hex() + hex()
      }
    })
  )
}
