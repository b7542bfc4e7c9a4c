/** Each engine executes an action once under its identity. */
import { assert } from "@effect/vitest"
import { Effect, Fiber, Redacted } from "effect"
import { Charge, clientOf, kinds, OfMerchant, requests } from "./Charge.ts"
import { ended, fork, id, onEachEngine, signal, tagOf, until, waiting } from "./Contract.ts"

onEachEngine("identity", {
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
