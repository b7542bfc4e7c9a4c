import { assert, describe, it } from "@effect/vitest"
import * as PayApi from "@pay/schema/PayApi"
import { Deferred, Duration, Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import * as PayClient from "../src/PayClient.ts"
import type * as Wire from "../src/Wire.ts"
import * as Loopback from "./Loopback.ts"
import { accepted, capture, inProcess, now, options, playing, renumbered, sale, unreachable } from "./Merchant.ts"

describe("the deadline of a call", () => {
  /** A gateway that never answers. */
  const silent = (use?: PayClient.Options) => {
    const arrived: Array<string> = []
    const handler = (request: Wire.WireRequest) =>
      Effect.suspend(() => {
        arrived.push(request.url)
        return Effect.never
      })
    return { arrived, layer: inProcess(handler, use) }
  }
  const patience = [
    ["creates", PayClient.call(PayApi.operations.SALE, sale), 30],
    ["acts on an order", PayClient.call(PayApi.operations.VOID, capture), 30],
    ["reads", PayClient.call(PayApi.operations.STATUS, { client_orderid: "1" }), 10],
    ["has its own deadline", PayClient.call(PayApi.operations.VOID, capture, { deadline: "3 seconds" }), 3]
  ] as const
  it.effect.each(patience)("applies to a call that $0", ([, call, seconds]) =>
    Effect.gen(function* () {
      const fiber = yield* Effect.forkChild(Effect.flip(call).pipe(Effect.provide(silent().layer)), now)
      yield* TestClock.adjust(Duration.millis(seconds * 1000 - 1))
      assert.isUndefined(fiber.pollUnsafe())
      yield* TestClock.adjust("1 millis")
      assert.deepInclude(yield* Fiber.join(fiber), { _tag: "OutcomeUnknown", reason: "Deadline" })
    })
  )

  const within = [
    ["no time for a repeat", "50 millis", 1],
    ["time for one repeat", "300 millis", 2]
  ] as const
  it.effect.each(within)("includes the repeats of a request that was not sent: $0", ([, deadline, attempts]) =>
    Effect.gen(function* () {
      const { layer, values } = playing(unreachable)
      const call = PayClient.call(PayApi.operations.SALE, sale, { deadline })
      const fiber = yield* Effect.forkChild(Effect.flip(call).pipe(Effect.provide(layer)), now)
      yield* TestClock.adjust("1 hour")
      assert.deepInclude(yield* Fiber.join(fiber), { _tag: "NotSent", reason: "Unreachable" })
      assert.strictEqual(values.length, attempts)
    })
  )

  it.effect("of zero sends nothing", () =>
    Effect.gen(function* () {
      const { arrived, layer } = silent()
      const call = PayClient.call(PayApi.operations.SALE, sale, { deadline: 0 })
      assert.deepInclude(yield* Effect.flip(call).pipe(Effect.provide(layer)), { _tag: "NotSent", reason: "Deadline" })
      assert.deepEqual(arrived, [])
    })
  )

  it.live("closes the socket when it passes", () =>
    Effect.gen(function* () {
      const closed = yield* Deferred.make<void>()
      const port = yield* Loopback.tcp((socket) => {
        socket.resume().on("close", () => Deferred.doneUnsafe(closed, Effect.void))
      })
      const client = PayClient.layer({ ...options, baseUrl: `http://127.0.0.1:${port}` })
      const call = PayClient.call(PayApi.operations.SALE, sale, { deadline: "200 millis" })
      const error = yield* Effect.flip(call).pipe(Effect.provide(client))
      assert.deepInclude(error, { _tag: "OutcomeUnknown", reason: "Deadline" })
      yield* Deferred.await(closed)
    })
  )
})

it.live("the client never exceeds its limit of concurrent calls, and a call without a turn is NotSent", () =>
  Effect.gen(function* () {
    const waiting: Array<() => void> = []
    let most = 0
    const { url } = yield* Loopback.http((_received, response) => {
      waiting.push(() => response.end(renumbered(JSON.stringify(accepted))))
      most = Math.max(most, waiting.length)
    })
    yield* Effect.gen(function* () {
      const call = (deadline: Duration.Input) => PayClient.call(PayApi.operations.SALE, sale, { deadline })
      const calls = Effect.all(
        Array.from({ length: 7 }, () => call("20 seconds")),
        { concurrency: "unbounded" }
      )
      const fiber = yield* Effect.forkChild(calls, now)
      yield* Effect.repeat(Effect.yieldNow, { until: () => waiting.length === 3 })
      const late = yield* Effect.flip(call("50 millis"))
      assert.deepInclude(late, { _tag: "NotSent", reason: "Deadline", retryable: true })
      for (let answered = 0; answered < 7; answered++) {
        yield* Effect.repeat(Effect.yieldNow, { until: () => waiting.length > 0 })
        waiting.shift()?.()
      }
      assert.strictEqual((yield* Fiber.join(fiber)).length, 7)
      assert.strictEqual(most, 3)
    }).pipe(Effect.provide(PayClient.layer({ ...options, baseUrl: url, concurrency: 3 })))
  })
)
