import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import * as PayClient from "../src/PayClient.ts"
import { accepted, answer, capture, inProcess, now, options, renumbered } from "./Merchant.ts"

/** A client that begins two calls a second, and when its gateway saw them. */
const paced = () => {
  const seenAtMs: Array<number> = []
  const layer = inProcess(
    () =>
      Effect.map(Clock.currentTimeMillis, (nowMs) => {
        seenAtMs.push(nowMs)
        return answer(200, renumbered(JSON.stringify(accepted)))
      }),
    { ...options, callsPerSecond: 2 }
  )
  return { seenAtMs, layer }
}

const capturing = (more: PayClient.CallOptions) =>
  Effect.flatMap(PayClient.PayClient, (client) => client.capture(capture, more))

describe("calls per second", () => {
  it.effect("are evenly spaced, in the order in which they came, also after a rest", () =>
    Effect.gen(function* () {
      const { layer, seenAtMs } = paced()
      const four = Effect.all(
        [1, 2, 3, 4].map(() => capturing({})),
        { concurrency: "unbounded" }
      )
      const program = Effect.andThen(Effect.andThen(four, Effect.sleep("1 minute")), four)
      const fiber = yield* Effect.forkChild(Effect.provide(program, layer), now)
      yield* TestClock.adjust("2 minutes")
      yield* Fiber.join(fiber)
      assert.deepStrictEqual(seenAtMs, [0, 500, 1000, 1500, 61_500, 62_000, 62_500, 63_000])
    })
  )

  it.effect("a call whose turn would come after its deadline is not sent, and is told how long it would be", () =>
    Effect.gen(function* () {
      const { layer, seenAtMs } = paced()
      const calls = Effect.all(
        [1, 2, 3, 4].map(() => Effect.result(capturing({ deadline: "1 second" }))),
        { concurrency: "unbounded" }
      )
      const fiber = yield* Effect.forkChild(Effect.provide(calls, layer), now)
      yield* TestClock.adjust("1 second")
      const [, , , fourth] = yield* Fiber.join(fiber)
      assert(fourth?._tag === "Failure")
      assert.deepInclude(fourth.failure, { _tag: "NotSent", reason: "Limited", retryAfterMs: 1500, retryable: true })
      assert.strictEqual(seenAtMs.length, 2)
    })
  )

  it.effect("its deadline counts from its turn where it may wait longer for that", () =>
    Effect.gen(function* () {
      const { layer, seenAtMs } = paced()
      const calls = Effect.all(
        Array.from({ length: 100 }, () => capturing({ deadline: "1 second", turnWithin: "1 hour" })),
        { concurrency: "unbounded" }
      )
      const fiber = yield* Effect.forkChild(Effect.provide(calls, layer), now)
      yield* TestClock.adjust("50 seconds")
      yield* Fiber.join(fiber)
      assert.strictEqual(seenAtMs.at(-1), 49_500)
    })
  )
})
