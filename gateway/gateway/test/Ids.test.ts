import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Random } from "effect"
import { AuthClock } from "../src/kernel/AuthClock.ts"
import { derived, Ids, isPast } from "../src/kernel/Ids.ts"

const startMs = Date.UTC(2026, 10, 2)

/** Returns the identifiers of a process that drew the given share of all process numbers, one for each of the milliseconds. */
const idsAt = (drawn: number, millis: ReadonlyArray<number>) => {
  let nowMs = startMs
  const random = { nextDoubleUnsafe: () => drawn, nextIntUnsafe: () => 0 }
  const clock = Layer.succeed(AuthClock, { nowMs: () => nowMs })
  return Effect.gen(function* () {
    const ids = yield* Ids
    return millis.map((ms) => {
      nowMs = startMs + ms
      return BigInt(ids.next())
    })
  }).pipe(Effect.provide(Ids.layer.pipe(Layer.provide(clock), Layer.provide(Layer.succeed(Random.Random, random)))))
}

const crowded = Array.from({ length: 10_000 }, (_, n) => Math.floor(n / 9000))
const moments = {
  "milliseconds in a row": [0, 1, 2, 3, 4, 5],
  "more in one millisecond than it has identifiers": crowded,
  "a clock that is set back": [10, 11, 3, 4, 12]
}

describe("the identifiers of orders and requests", () => {
  for (const drawn of [0, 0.5, 1 - 2 ** -53]) {
    for (const [what, millis] of Object.entries(moments)) {
      it.effect(`rise strictly: ${what}, process ${drawn}`, () =>
        Effect.gen(function* () {
          const ids = yield* idsAt(drawn, millis)
          assert.isTrue(ids.every((id, n) => id > (ids[n - 1] ?? 0n) && id < 2n ** 63n))
        })
      )
    }
  }
})

describe("derived identifiers", () => {
  const all = Array.from({ length: 10_000 }, (_, n) => derived(`subscription:${n}`))

  it("depend on the text alone, and differ for other texts", () => {
    assert.strictEqual(derived("subscription:7"), all[7])
    assert.strictEqual(new Set(all).size, all.length)
  })

  it("have 19 digits, begin like no card number, and fit 63 bits", () => {
    for (const id of all) assert.isTrue(/^7\d{18}$/.test(id) && BigInt(id) < 2n ** 63n, id)
  })

  it("are no identifiers that are made of a time before 2078", () => {
    const lowest = 7n * 10n ** 18n
    assert.isAbove(Number(lowest >> 22n) + Date.UTC(2026, 0), Date.UTC(2078, 0))
    assert.isTrue(isPast(derived("subscription:7"), startMs))
    assert.isFalse(isPast(`6${"0".repeat(18)}`, startMs))
  })
})
