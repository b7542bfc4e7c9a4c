import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import * as PayClient from "../src/PayClient.ts"
import { accepted, answer, capture, inProcess, now, options, renumbered } from "./Merchant.ts"

/** A client that starts two calls a second, and the times at which its gateway received them. */
const paced = () => {
  const receivedAtMs: Array<number> = []
  const layer = inProcess(
    () =>
      Effect.map(Clock.currentTimeMillis, (nowMs) => {
        receivedAtMs.push(nowMs)
        return answer(200, renumbered(JSON.stringify(accepted)))
      }),
    { ...options, callsPerSecond: 2 }
  )
  return { receivedAtMs, layer }
}

const capturing = (more: PayClient.CallOptions) =>
  Effect.flatMap(PayClient.PayClient, (client) => client.capture(capture, more))

describe("the limit of calls per second", () => {
  it.effect("spaces calls evenly in their order, also after a pause", () =>
    Effect.gen(function* () {
      const { layer, receivedAtMs } = paced()
      const four = Effect.all(
        [1, 2, 3, 4].map(() => capturing({})),
        { concurrency: "unbounded" }
      )
      const program = Effect.andThen(Effect.andThen(four, Effect.sleep("1 minute")), four)
      const fiber = yield* Effect.forkChild(Effect.provide(program, layer), now)
      yield* TestClock.adjust("2 minutes")
      yield* Fiber.join(fiber)
      assert.deepStrictEqual(receivedAtMs, [0, 500, 1000, 1500, 61_500, 62_000, 62_500, 63_000])
    })
  )

  it.effect("fails a call whose turn would come after its deadline, and reports the wait", () =>
    Effect.gen(function* () {
      const { layer, receivedAtMs } = paced()
      const calls = Effect.all(
        [1, 2, 3, 4].map(() => Effect.result(capturing({ deadline: "1 second" }))),
        { concurrency: "unbounded" }
      )
      const fiber = yield* Effect.forkChild(Effect.provide(calls, layer), now)
      yield* TestClock.adjust("1 second")
      const [, , , fourth] = yield* Fiber.join(fiber)
      assert(fourth?._tag === "Failure")
      assert.deepInclude(fourth.failure, { _tag: "NotSent", reason: "Limited", retryAfterMs: 1500, retryable: true })
      assert.strictEqual(receivedAtMs.length, 2)
    })
  )

  it.effect("starts the deadline of a call at its turn if turnWithin allows a longer wait", () =>
    Effect.gen(function* () {
      const { layer, receivedAtMs } = paced()
      const calls = Effect.all(
        Array.from({ length: 100 }, () => capturing({ deadline: "1 second", turnWithin: "1 hour" })),
        { concurrency: "unbounded" }
      )
      const fiber = yield* Effect.forkChild(Effect.provide(calls, layer), now)
      yield* TestClock.adjust("50 seconds")
      yield* Fiber.join(fiber)
      assert.strictEqual(receivedAtMs.at(-1), 49_500)
    })
  )
})
