import { assert, it } from "@effect/vitest"
import * as CallbackStore from "@pay/flows/CallbackStore"
import type { OrderStatus } from "@pay/flows/OrderStatus"
import * as Sandbox from "@pay/sandbox/Sandbox"
import * as PayClient from "@pay/transport/PayClient"
import { Deferred, Effect, Fiber, Queue } from "effect"
import { TestClock } from "effect/testing"
import { callbackRequest, counted, inbox, inSandbox, saleWithCallback, signed } from "./Callbacks.ts"

const isKnown = Effect.succeed(true)

it.effect("many callbacks of one order reach the shop one at a time, and one status request serves all that wait", () =>
  inSandbox(
    Effect.gen(function* () {
      const { orderid } = yield* callbackRequest
      const { client, sent } = yield* counted
      const goOn = yield* Deferred.make<void>()
      let inside = 0
      let most = 0
      const answer = Effect.gen(function* () {
        inside += 1
        most = Math.max(most, inside)
        yield* Deferred.await(goOn)
        yield* Effect.yieldNow
        inside -= 1
      })
      const { received, receive } = yield* inbox({ isKnown: () => isKnown }, answer).pipe(
        Effect.provideService(PayClient.PayClient, client)
      )
      const callbacks = yield* Effect.forEach(Array.from({ length: 50 }), (_, index) =>
        signed({ status: "approved", orderid, client_orderid: "o-1" }, { webhookId: `event-${index}` })
      )
      const replies = yield* Effect.forkChild(Effect.forEach(callbacks, receive, { concurrency: "unbounded" }))
      yield* Effect.repeat(Effect.yieldNow, { until: () => inside === 1 })
      yield* Deferred.succeed(goOn, undefined)
      assert.isTrue((yield* Fiber.join(replies)).every(({ status }) => status === 200))
      assert.deepStrictEqual([most, sent.requests], [1, 2])
      assert.deepStrictEqual(received, ["o-1 approved", "o-1 approved"])
    })
  )
)

it.effect(
  "a handler that hangs or a caller that disconnects delays neither the order's next callback nor the sweep",
  () =>
    inSandbox(
      Effect.gen(function* () {
        const { orderid } = yield* callbackRequest
        const callbackOf = (webhookId: string) =>
          signed({ status: "approved", orderid, client_orderid: "o-1" }, { webhookId })
        const begun = yield* Queue.unbounded<void>()
        let hangs = true
        const answer = Effect.suspend(() =>
          hangs ? Effect.andThen(Queue.offer(begun, undefined), Effect.never) : Effect.void
        )
        const { expect, received, receive, sweep } = yield* inbox({ silence: "1 hour" }, answer)
        yield* expect({ clientOrderId: "o-1" })
        const left = yield* Effect.forkChild(receive(yield* callbackOf("left")))
        yield* Queue.take(begun)
        yield* Fiber.interrupt(left)
        yield* TestClock.adjust("1 hour")
        const sweeping = yield* Effect.forkChild(sweep)
        yield* Queue.take(begun)
        yield* TestClock.adjust("1 minute")
        assert.strictEqual(yield* Fiber.join(sweeping), 0)
        hangs = false
        assert.strictEqual((yield* receive(yield* callbackOf("left"))).status, 200)
        assert.deepStrictEqual(received, ["o-1 approved", "o-1 approved", "o-1 approved"])
      })
    )
)

it.effect("the shop gets the latest state last, however long it takes to process the previous one", () =>
  inSandbox(
    Effect.gen(function* () {
      const { orderid, ...callback } = yield* callbackRequest
      const [begun, goOn] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const returned: Array<string | undefined> = []
      const onOrder = ({ returnedAmount }: OrderStatus) =>
        Effect.gen(function* () {
          yield* Deferred.succeed(begun, undefined)
          if (returned.length === 0) yield* Deferred.await(goOn)
          returned.push(returnedAmount)
        })
      const { receive } = yield* inbox({ isKnown: () => isKnown, onOrder })
      const early = yield* Effect.forkChild(receive(callback))
      yield* Deferred.await(begun)
      const client = yield* PayClient.PayClient
      yield* client.return({ client_orderid: "o-1", orderid, comment: "sent back" })
      yield* Sandbox.settled
      const late = yield* Effect.forkChild(
        receive(yield* signed({ status: "approved", orderid, client_orderid: "o-1" }, { webhookId: "the return" }))
      )
      yield* Effect.yieldNow
      yield* Deferred.succeed(goOn, undefined)
      yield* Fiber.join(early)
      yield* Fiber.join(late)
      assert.deepStrictEqual(returned, ["0.00", "10.42"])
    })
  )
)

it.effect("an order without an outcome is inquired about at growing intervals, up to a day, without end", () =>
  inSandbox(
    Effect.gen(function* () {
      const { client, sent } = yield* counted
      const { expect, received, sweep } = yield* inbox({ silence: "6 hours" }).pipe(
        Effect.provideService(PayClient.PayClient, client)
      )
      yield* expect({ clientOrderId: "o-1" })
      const requests: Array<number> = []
      for (let hours = 0; hours < 96; hours += 6) {
        yield* TestClock.adjust("6 hours")
        yield* sweep
        requests.push(sent.requests)
      }
      assert.deepStrictEqual(requests, [1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5])
      yield* callbackRequest
      yield* TestClock.adjust("1 day")
      assert.strictEqual(yield* sweep, 1)
      assert.deepStrictEqual(received, ["o-1 approved"])
    })
  )
)

it.effect("the inbox keeps a limited number of callbacks of unknown orders, and all expected orders", () =>
  inSandbox(
    Effect.gen(function* () {
      yield* callbackRequest
      yield* saleWithCallback("o-2")
      const store = CallbackStore.makeMemory({ deliveries: 2, earlyCallbacks: 2, ended: 2 })
      const { expect, received, receive, sweep } = yield* inbox({ store })
      yield* expect({ clientOrderId: "o-1" })
      yield* expect({ clientOrderId: "o-2" })
      for (let index = 0; index < 20; index += 1) {
        const values = { status: "approved", orderid: "1", client_orderid: `nobody's-${index}` }
        assert.strictEqual((yield* receive(yield* signed(values, { webhookId: `event-${index}` }))).status, 503)
      }
      assert.deepStrictEqual(
        (yield* store.earlyCallbacks).map(({ clientOrderId }) => clientOrderId),
        ["nobody's-18", "nobody's-19"]
      )
      yield* TestClock.adjust("15 minutes")
      assert.strictEqual(yield* sweep, 2)
      assert.deepStrictEqual(received.sort(), ["o-1 approved", "o-2 approved"])
    })
  )
)
