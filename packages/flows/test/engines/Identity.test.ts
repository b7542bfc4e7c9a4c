/** Each engine executes an action once under its identity. */
import { assert } from "@effect/vitest"
import { Effect, Fiber, Redacted } from "effect"
import { Charge, clientOf, kinds, OfMerchant, Parcel, requests } from "./Charge.ts"
import { ended, fork, id, onEachEngine, signal, tagOf, until, waiting } from "./Contract.ts"

onEachEngine("identity", {
  "takes the members of a field in another order, and an optional one that is undefined as absent": Effect.gen(
    function* () {
      yield* Parcel.execute({ id: "1", labels: { a: "1", b: "2" }, to: { city: "Rome", street: undefined } })
      const again = { to: { city: "Rome" }, labels: { b: "2", a: "1" }, id: "1" }
      assert.strictEqual(yield* Parcel.execute(again), "for 1")
      assert.strictEqual(yield* tagOf(Parcel.execute({ ...again, labels: { a: "2", b: "1" } })), "PayloadDiffers")
      assert.strictEqual(yield* tagOf(Parcel.execute({ ...again, to: { city: "Bari" } })), "PayloadDiffers")
    }
  ),

  "keeps names apart that a file would store as the same text": Effect.gen(function* () {
    const names = ["a\ud800", "a\ud801", "a\ufffd", "a\u0000", "a"]
    const results = yield* Effect.forEach(names, (name) => Parcel.execute({ id: name, labels: { of: name } }))
    assert.deepStrictEqual(
      results.map((result) => result.toWellFormed()),
      names.map((name) => `for ${name}`.toWellFormed())
    )
    const polled = yield* Effect.forEach(names, (name) => Parcel.poll(name))
    assert.deepStrictEqual([...new Set(polled.map(({ _tag }) => _tag))], ["Succeeded"])
  }),

  "executes once for ten equal calls before, during and after, and gives all of them one result": Effect.gen(
    function* () {
      const before = yield* fork(
        Effect.all(
          Array.from({ length: 5 }, () => Charge.execute(waiting)),
          { concurrency: 5 }
        )
      )
      yield* until("Waiting")
      const during = yield* fork(
        Effect.all(
          Array.from({ length: 4 }, () => Charge.execute(waiting)),
          { concurrency: 4 }
        )
      )
      yield* signal
      const results = [...(yield* Fiber.join(before)), ...(yield* Fiber.join(during)), yield* Charge.execute(waiting)]
      assert.deepStrictEqual([...new Set(results)], ["good"])
      assert.strictEqual(results.length, 10)
      assert.strictEqual(yield* kinds, "send")
    }
  ),

  "refuses another payload while it runs and after it has succeeded": Effect.gen(function* () {
    const other = tagOf(Charge.execute({ ...waiting, amount: "2.00" }))
    yield* Charge.start(waiting)
    yield* until("Waiting")
    assert.strictEqual(yield* other, "PayloadDiffers")
    assert.strictEqual(yield* tagOf(Charge.start({ ...waiting, amount: "2.00" })), "PayloadDiffers")
    yield* signal
    assert.strictEqual(yield* Charge.execute(waiting), "good")
    assert.strictEqual(yield* other, "PayloadDiffers")
    assert.strictEqual(yield* kinds, "send")
  }),

  "takes another value of a field that is never stored": Effect.gen(function* () {
    yield* Charge.start({ ...waiting, cvv2: Redacted.make("123") })
    yield* until("Waiting")
    const other = yield* fork(Charge.execute({ ...waiting, cvv2: Redacted.make("987") }))
    yield* signal
    assert.strictEqual(yield* Fiber.join(other), "good")
    assert.strictEqual(yield* Charge.execute(waiting), "good")
    assert.strictEqual(yield* kinds, "send")
  }),

  "keeps the executions of two merchants with equal payloads apart, and those of their parts": Effect.gen(function* () {
    for (const merchant of ["shop-1", "shop-2"]) {
      const run = Effect.all([OfMerchant.execute({ id }), OfMerchant.poll(id)])
      assert.deepStrictEqual(yield* Effect.provide(run, clientOf(merchant)), ["done", ended("done")])
    }
    assert.deepStrictEqual(
      (yield* requests).map((request) => request.split(" ")[1]),
      [`shop-1@localhost/${id}`, `shop-2@localhost/${id}`]
    )
  })
})
