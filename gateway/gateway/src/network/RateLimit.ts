/**
 * Limits the requests of a merchant, address, card or hosted session: a token bucket per key. A bucket is stored as a single
 * number, the time at which it will be full again (the generic cell rate algorithm). A full bucket contains no information and
 * may be removed.
 */
import * as KeptText from "@pay/schema/KeptText"

export interface Rate {
  /** Tokens that a bucket regains each second. 0: no limit. */
  readonly perSecond: number
  /** Tokens of a full bucket, which is the number of requests that may come at once. */
  readonly burst: number
}

export interface RateLimit {
  /**
   * Takes one token of the key's bucket. Returns `undefined`, or the milliseconds (at least 1) until a token is available. An empty key
   * stands for an unknown caller, who is not counted, because all unknown callers would be one.
   */
  readonly take: (key: string, nowMs: number) => number | undefined
  /** Returns what {@link take} would return, and takes nothing. */
  readonly look: (key: string, nowMs: number) => number | undefined
}

export interface BucketUpdate {
  readonly fullAtMs: number
  /** Milliseconds until a token is available. `undefined`: one was taken. */
  readonly retryAfterMs: number | undefined
}

/**
 * Takes one token from a bucket that is full again at `fullAtMs`. The function is pure. A clock that was set back causes no long
 * refusals.
 */
export const next = (fullAtMs: number, { burst, perSecond }: Rate, nowMs: number): BucketUpdate => {
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

interface Bucket {
  /** A copy, because the caller may have cut the key out of a request. */
  readonly key: string
  fullAtMs: number
}

/** Largest number of keys. Beyond it, the key that was unused for longest is removed and starts again with a full bucket. */
const defaultMaxKeys = 100_000

interface Options {
  readonly maxKeys?: number
  /** Number of processes that share the rate. Each process allows its part. */
  readonly processes?: () => number
}

/** Returns the part of one process. A single request is always allowed. */
const partOf = ({ burst, perSecond }: Rate, processes: number): Rate =>
  processes <= 1 ? { burst, perSecond } : { burst: Math.max(1, burst / processes), perSecond: perSecond / processes }

/**
 * Makes a limit with buckets in the memory of one process, at most `maxKeys`. Processes do not exchange counts: with equal parts
 * of the rate, together they never allow more than the whole rate.
 *
 * @example
 * const limit = RateLimit.make({ perSecond: 50, burst: 100 })
 * const retryAfterMs = limit.take("merchant-1", clock.nowMs())
 */
export const make = (rate: Rate, { maxKeys = defaultMaxKeys, processes = () => 1 }: Options = {}): RateLimit => {
  if (rate.perSecond <= 0) return { take: () => undefined, look: () => undefined }
  const buckets = new Map<string, Bucket>()

  /**
   * Deletes full buckets. The map is in the order of last use. Each new key examines up to two buckets, so that full ones
   * disappear.
   */
  const makeRoom = (nowMs: number): void => {
    let swept = 0
    for (const [key, { fullAtMs }] of buckets) {
      if (fullAtMs > nowMs && buckets.size < maxKeys) return
      buckets.delete(key)
      swept += 1
      if (swept === 2) return
    }
  }

  return {
    take: (key, nowMs) => {
      if (key === "") return undefined
      const existing = buckets.get(key)
      if (existing === undefined) makeRoom(nowMs)
      else buckets.delete(key)
      const bucket = existing ?? { key: KeptText.of(key), fullAtMs: 0 }
      const { fullAtMs, retryAfterMs } = next(bucket.fullAtMs, partOf(rate, processes()), nowMs)
      bucket.fullAtMs = fullAtMs
      buckets.set(bucket.key, bucket)
      return retryAfterMs
    },
    look: (key, nowMs) => next(buckets.get(key)?.fullAtMs ?? 0, partOf(rate, processes()), nowMs).retryAfterMs
  }
}
