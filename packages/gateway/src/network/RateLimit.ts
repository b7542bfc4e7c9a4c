/**
 * How often one merchant, address, card or form session may ask: a token bucket per key, kept as a single number. What
 * is stored is the moment at which the bucket will be full again (the generic cell rate algorithm); a bucket that is
 * full says nothing and may be forgotten.
 */

export interface Rate {
  /** Tokens that flow back each second; 0: no limit. */
  readonly perSecond: number
  /** Tokens of a full bucket: how many requests may come at once. */
  readonly burst: number
}

export interface RateLimit {
  /** Takes one token of the key's bucket: `undefined`, or after how many milliseconds (at least 1) there will be one. */
  readonly take: (key: string, nowMs: number) => number | undefined
}

export interface Taken {
  readonly fullAtMs: number
  /** `undefined`: there was a token. */
  readonly retryAfterMs: number | undefined
}

/** Pure: takes one token from a bucket that is full again at `fullAtMs`. A clock that was set back locks nobody out. */
export const next = (fullAtMs: number, { burst, perSecond }: Rate, nowMs: number): Taken => {
  const tokenMs = 1000 / perSecond
  const emptyMs = Math.max(1, burst) * tokenMs
  const missingMs = Math.min(Math.max(0, fullAtMs - nowMs), emptyMs + graceMs)
  const overMs = missingMs + tokenMs - emptyMs
  return overMs < graceMs
    ? { fullAtMs: nowMs + missingMs + tokenMs, retryAfterMs: undefined }
    : { fullAtMs: nowMs + missingMs, retryAfterMs: Math.ceil(overMs) }
}

/**
 * The gateway does not enforce a wait shorter than this. The tolerance also absorbs floating-point errors. The bucket still
 * counts the token as taken.
 */
const graceMs = 1

/** More keys than this at once and the longest untouched is forgotten, which forgives it. */
const defaultMaxKeys = 100_000

interface Options {
  readonly maxKeys?: number
  /** How many processes share the rate: each allows its part of it. */
  readonly processes?: () => number
}

/** A process's part; one request at once is always allowed. */
const partOf = ({ burst, perSecond }: Rate, processes: number): Rate =>
  processes <= 1 ? { burst, perSecond } : { burst: Math.max(1, burst / processes), perSecond: perSecond / processes }

/**
 * Buckets in memory, of one process, at most `maxKeys`. Processes do not tell each other of requests: with equal parts of the rate
 * they allow together what one would, and never more.
 *
 * @example
 * const limit = RateLimit.make({ perSecond: 50, burst: 100 })
 * const retryAfterMs = limit.take("merchant-1", clock.nowMs())
 */
export const make = (rate: Rate, { maxKeys = defaultMaxKeys, processes = () => 1 }: Options = {}): RateLimit => {
  if (rate.perSecond <= 0) return { take: () => undefined }
  const buckets = new Map<string, number>()

  /** The map's order is that of the last touch. Each new key sweeps up to two full buckets, so that they die out. */
  const makeRoom = (nowMs: number): void => {
    let swept = 0
    for (const [key, fullAtMs] of buckets) {
      if (fullAtMs > nowMs && buckets.size < maxKeys) return
      buckets.delete(key)
      swept += 1
      if (swept === 2) return
    }
  }

  return {
    take: (key, nowMs) => {
      const existing = buckets.get(key)
      if (existing === undefined) makeRoom(nowMs)
      else buckets.delete(key)
      const { fullAtMs, retryAfterMs } = next(existing ?? 0, partOf(rate, processes()), nowMs)
      buckets.set(key, fullAtMs)
      return retryAfterMs
    }
  }
}
