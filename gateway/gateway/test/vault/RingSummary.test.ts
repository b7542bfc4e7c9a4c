import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import * as KeyRing from "../../src/vault/KeyRing.ts"
import * as RingSummary from "../../src/vault/RingSummary.ts"

describe("the summary of a key ring", () => {
  it.effect("names the current key first, and contains no part of a key", () =>
    Effect.gen(function* () {
      const ring = yield* Effect.flatMap(KeyRing.generate, KeyRing.addMaster)
      const summary = RingSummary.of(ring)
      assert.match(summary, /^master:2\.[0-9a-f]{8},1\.[0-9a-f]{8};hashing:1\.[0-9a-f]{8}$/)
      for (const key of [...Object.values(ring.master.keys), ...Object.values(ring.hashing.keys)])
        assert.notInclude(summary, Buffer.from(Redacted.value(key)).toString("hex").slice(0, 8))
    })
  )

  it.effect("shows which current key of another process is missing", () =>
    Effect.gen(function* () {
      const ring = yield* KeyRing.generate
      const next = yield* KeyRing.addMaster(ring)
      const ready = { ...next, master: { ...next.master, current: 1 } }
      const unrelated = yield* KeyRing.generate
      const lacks = (own: KeyRing.KeyRing, other: KeyRing.KeyRing) =>
        RingSummary.lacking(RingSummary.of(own), RingSummary.of(other))
      assert.deepStrictEqual(lacks(ring, ring), [])
      assert.deepStrictEqual(lacks(ring, next), ["master key 2"])
      assert.deepStrictEqual(lacks(next, ring), [])
      assert.deepStrictEqual(lacks(ready, next), [])
      assert.deepStrictEqual(lacks(ring, ready), [])
      // Their versions are the same, and their keys are not.
      assert.deepStrictEqual(lacks(ring, unrelated), ["master key 1", "hashing key 1"])
    })
  )
})
