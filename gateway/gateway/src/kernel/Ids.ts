/** Numbers for orders and requests: rising, unique over processes and restarts, below 2^63, as decimal text. */
import "./OldNode.ts"
import * as crypto from "node:crypto"
import { Context, Data, Effect, Layer, Random } from "effect"
import { AuthClock } from "./AuthClock.ts"
import type { Span } from "./Process.ts"
import * as ProcessLease from "./ProcessLease.ts"

const epochMs = 1_767_225_600_000 // 2026-01-01T00:00:00Z

/**
 * Form of an identifier. Fewer digits were possible only in the first days of the epoch; today, such a number may be a card
 * number.
 */
const form = /^\d{17,19}$/

/** First digit of derived identifiers. No brand of cards has numbers of 19 digits that begin with it. */
const derivedDigit = "7"
const derivedForm = /^7\d{18}$/

/**
 * Returns an identifier that depends only on the text, so that copies of a store make the same one. It is below 2^63, and above every
 * identifier that {@link Ids} returns until 2078.
 */
export const derived = (text: string): string =>
  derivedDigit + (crypto.hash("sha256", text, "buffer").readBigUInt64BE() % 10n ** 18n).toString().padStart(18, "0")

/** Whether the text is an identifier from before `nowMs`, by its form and by the time in it. A derived identifier has no time. */
export const isPast = (text: string, nowMs: number): boolean =>
  derivedForm.test(text) || (form.test(text) && Number(BigInt(text) >> 22n) + epochMs <= nowMs)

/** Thrown by {@link Ids} while this process has no number. Without one, an identifier would not be unique. */
export class NoProcessNumber extends Data.TaggedError("NoProcessNumber") {
  override get message(): string {
    return "This process has lost its number, because it was stopped or cannot reach its store. It takes another one."
  }
}

export class Ids extends Context.Service<
  Ids,
  {
    /**
     * Returns the next identifier: 41 bits of milliseconds, 10 of the process number, 12 of a counter. Throws `NoProcessNumber`.
     */
    readonly next: () => string
    /** Returns the next identifier, or a random number while there is none. For answers that store nothing. */
    readonly nextOrRandom: () => string
    /** `false`: `next` would throw. */
    readonly isReady: () => boolean
    /** Returns 16 random hex digits. */
    readonly salt: () => string
    /** Returns a token for a lease that no other claim has. */
    readonly token: () => string
  }
>()("@pay/gateway/Ids") {
  /** Requires a `ProcessLease`, which gives the number of the process. */
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
      /** The next millisecond in the span of the lease, counted from {@link epochMs}. `undefined`: the span is over. */
      const inSpan = (span: Span | undefined): number | undefined => {
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

  /** Uses a random process number. For a program that does not share its store. */
  static readonly layer = Ids.layerNoDeps.pipe(Layer.provide(ProcessLease.layerAlone))
}
