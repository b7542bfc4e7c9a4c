import { assert, describe, it } from "@effect/vitest"
import * as RateLimit from "../src/network/RateLimit.ts"

/** A day of 2026, as wall time has it: fractions and all. */
const wallMs = 1_790_000_000_000.123

const story = (
  rate: RateLimit.Rate,
  steps: ReadonlyArray<readonly [afterMs: number, expected: number | undefined]>
) => {
  const limit = RateLimit.make(rate)
  for (const [afterMs, expected] of steps) {
    assert.strictEqual(limit.take("k", wallMs + afterMs), expected, `after ${afterMs} ms`)
  }
}

describe("RateLimit", () => {
  it("lets a burst through, then one request for each token that flows back", () => {
    story({ perSecond: 10, burst: 3 }, [
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

  it("never holds more than the burst, however long nobody asked", () => {
    story({ perSecond: 1, burst: 2 }, [
      [0, undefined],
      [3_600_000, undefined],
      [3_600_000, undefined],
      [3_600_000, 1000]
    ])
  })

  it("a refused request costs no token", () => {
    story({ perSecond: 1, burst: 1 }, [
      [0, undefined],
      [900, 100],
      [901, 99],
      [1000, undefined]
    ])
  })

  it("nobody is sent away for less than a millisecond, which is then owed", () => {
    story({ perSecond: 1, burst: 1 }, [
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

  it("who keeps to the rate exactly is never refused", () => {
    for (const perSecond of [3, 7, 30]) {
      const limit = RateLimit.make({ perSecond, burst: 1 })
      const refused = Array.from({ length: 1000 }, (_, n) => limit.take("k", wallMs + (n * 1000) / perSecond))
      assert.deepStrictEqual(new Set(refused), new Set([undefined]))
    }
  })

  it("waits no longer than an empty bucket takes, when the clock is set back", () => {
    story({ perSecond: 1, burst: 5 }, [
      [0, undefined],
      [-3_600_000, 1001],
      [-3_598_999, undefined]
    ])
  })

  it("keeps keys apart", () => {
    const limit = RateLimit.make({ perSecond: 1, burst: 1 })
    assert.deepStrictEqual(
      ["a", "a", "b", "__proto__", "__proto__"].map((key) => limit.take(key, wallMs)),
      [undefined, 1000, undefined, undefined, 1000]
    )
  })

  it("no limit at 0 a second", () => {
    const limit = RateLimit.make({ perSecond: 0, burst: 0 })
    for (let n = 0; n < 1000; n += 1) assert.isUndefined(limit.take("k", wallMs))
  })

  it("a burst below one still lets single requests through", () => {
    story({ perSecond: 1, burst: 0 }, [
      [0, undefined],
      [0, 1000]
    ])
  })

  describe("with room for two keys", () => {
    const rate = { perSecond: 1, burst: 1 }
    const left = (limit: RateLimit.RateLimit, keys: ReadonlyArray<string>, nowMs: number) =>
      keys.filter((key) => limit.take(key, nowMs) !== undefined)

    it("a third forgets the one that was untouched longest", () => {
      const limit = RateLimit.make(rate, { maxKeys: 2 })
      for (const key of ["a", "b", "a", "c"]) limit.take(key, wallMs)
      assert.deepStrictEqual(left(limit, ["a", "c"], wallMs), ["a", "c"], "b gave way, although a came first")
      assert.deepStrictEqual(left(limit, ["b"], wallMs), [], "b starts afresh")
    })

    it("full buckets go first and cost nobody anything", () => {
      const limit = RateLimit.make(rate, { maxKeys: 2 })
      limit.take("old", wallMs)
      limit.take("busy", wallMs + 900)
      limit.take("new", wallMs + 1000)
      assert.deepStrictEqual(left(limit, ["busy", "new"], wallMs + 1000), ["busy", "new"])
    })
  })
})

describe("a rate that processes share", () => {
  it("is allowed in parts, which follow how many they are", () => {
    let processes = 2
    const limit = RateLimit.make({ perSecond: 0.001, burst: 4 }, { processes: () => processes })
    const taken = (key: string) =>
      Array.from({ length: 8 }, () => limit.take(key, wallMs)).filter((each) => each === undefined)
    assert.lengthOf(taken("a"), 2)
    processes = 1
    assert.lengthOf(taken("b"), 4)
    processes = 100
    assert.lengthOf(taken("c"), 1)
  })
})
