import { assert, describe, it } from "@effect/vitest"
import * as RateLimit from "../src/network/RateLimit.ts"

/** A day of 2026, as wall time has it: fractions and all. */
const wallMs = 1_790_000_000_000.123

const decides = (
  rate: RateLimit.Rate,
  steps: ReadonlyArray<readonly [afterMs: number, expected: number | undefined]>
) => {
  const limit = RateLimit.make(rate)
  for (const [afterMs, expected] of steps) {
    assert.strictEqual(limit.take("k", wallMs + afterMs), expected, `after ${afterMs} ms`)
  }
}

describe("a rate limit", () => {
  it("allows a burst, then one request for each refilled token", () => {
    decides({ perSecond: 10, burst: 3 }, [
      [0, undefined],
      [0, undefined],
      [0, undefined],
      [0, 100],
      [40, 60],
      [100, undefined],
      [100, 100],
      [250, undefined],
      [250, 50]
    ])
  })

  it("never has more tokens than the burst, even after a long pause", () => {
    decides({ perSecond: 1, burst: 2 }, [
      [0, undefined],
      [3_600_000, undefined],
      [3_600_000, undefined],
      [3_600_000, 1000]
    ])
  })

  it("takes no token for a refused request", () => {
    decides({ perSecond: 1, burst: 1 }, [
      [0, undefined],
      [900, 100],
      [901, 99],
      [1000, undefined]
    ])
  })

  it("allows a request that comes less than a millisecond early, and delays the next one by as much", () => {
    decides({ perSecond: 1, burst: 1 }, [
      [0, undefined],
      [998.9, 2],
      [999.5, undefined],
      [999.5, 1001],
      [1998.5, 2]
    ])
  })

  it("is exact at rates that do not divide a second", () => {
    const limit = RateLimit.make({ perSecond: 3, burst: 3 })
    let allowed = 0
    for (let ms = 0; ms < 60_000; ms += 1) if (limit.take("k", wallMs + ms) === undefined) allowed += 1
    assert.strictEqual(allowed, 3 + 60 * 3)
  })

  it("never refuses requests that come exactly at the rate", () => {
    for (const perSecond of [3, 7, 30]) {
      const limit = RateLimit.make({ perSecond, burst: 1 })
      const refused = Array.from({ length: 1000 }, (_, n) => limit.take("k", wallMs + (n * 1000) / perSecond))
      assert.deepStrictEqual(new Set(refused), new Set([undefined]))
    }
  })

  it("refuses for no longer than an empty bucket would, after the clock is set back", () => {
    decides({ perSecond: 1, burst: 5 }, [
      [0, undefined],
      [-3_600_000, 1001],
      [-3_598_999, undefined]
    ])
  })

  it("counts each key separately", () => {
    const limit = RateLimit.make({ perSecond: 1, burst: 1 })
    assert.deepStrictEqual(
      ["a", "a", "b", "__proto__", "__proto__"].map((key) => limit.take(key, wallMs)),
      [undefined, 1000, undefined, undefined, 1000]
    )
  })

  it("allows everything at a rate of 0 per second", () => {
    const limit = RateLimit.make({ perSecond: 0, burst: 0 })
    for (let n = 0; n < 1000; n += 1) assert.isUndefined(limit.take("k", wallMs))
  })

  it("allows single requests with a burst below one", () => {
    decides({ perSecond: 1, burst: 0 }, [
      [0, undefined],
      [0, 1000]
    ])
  })

  describe("that stores at most two keys", () => {
    const rate = { perSecond: 1, burst: 1 }
    const refusedKeys = (limit: RateLimit.RateLimit, keys: ReadonlyArray<string>, nowMs: number) =>
      keys.filter((key) => limit.take(key, nowMs) !== undefined)

    it("forgets the least recently used key for a third one", () => {
      const limit = RateLimit.make(rate, { maxKeys: 2 })
      for (const key of ["a", "b", "a", "c"]) limit.take(key, wallMs)
      assert.deepStrictEqual(refusedKeys(limit, ["a", "c"], wallMs), ["a", "c"], "b gave way, although a came first")
      assert.deepStrictEqual(refusedKeys(limit, ["b"], wallMs), [], "b starts afresh")
    })

    it("forgets a full bucket first, which changes no decision", () => {
      const limit = RateLimit.make(rate, { maxKeys: 2 })
      limit.take("old", wallMs)
      limit.take("busy", wallMs + 900)
      limit.take("new", wallMs + 1000)
      assert.deepStrictEqual(refusedKeys(limit, ["busy", "new"], wallMs + 1000), ["busy", "new"])
    })
  })
})

describe("a rate limit of several processes", () => {
  it("is divided by their current number, with at least one request each", () => {
    let processes = 2
    const limit = RateLimit.make({ perSecond: 0.001, burst: 4 }, { processes: () => processes })
    const allowedCount = (key: string) =>
      Array.from({ length: 8 }, () => limit.take(key, wallMs)).filter((each) => each === undefined)
    assert.lengthOf(allowedCount("a"), 2)
    processes = 1
    assert.lengthOf(allowedCount("b"), 4)
    processes = 100
    assert.lengthOf(allowedCount("c"), 1)
  })
})
