import { assert, describe, it, layer } from "@effect/vitest"
import * as Decision from "@pay/gateway/Decision"
import { CallbackEvent } from "@pay/gateway/Entities"
import { Scheduler } from "@pay/gateway/Scheduler"
import { Store } from "@pay/gateway/Store"
import { SandboxClock } from "@pay/sandbox/SandboxClock"
import * as PayApi from "@pay/schema/PayApi"
import { Effect } from "effect"
import { ask } from "../harness/Operating.ts"
import * as OperatorServices from "../harness/OperatorServices.ts"
import * as TestGateway from "../harness/TestGateway.ts"

const { SALE } = PayApi.operations

/** Makes an order with this security code, which selects the answer of the simulated bank. */
const made = Effect.fnUntraced(function* (name: string, cvv2: string) {
  const { body } = yield* TestGateway.post(SALE, {
    ...TestGateway.saleFields,
    client_orderid: name,
    cvv2,
    server_callback_url: "http://127.0.0.1:9/callback"
  })
  const scheduler = yield* Scheduler
  yield* scheduler.settled
  return String(body["paynet-order-id"])
})

const callbacks = (order: string) =>
  Effect.map(ask("GET", `/operator/callbacks?order=${order}`), ({ body }) => body.callbacks)

layer(TestGateway.layer(), { excludeTestServices: true })("an operator", (it) => {
  it.effect("has the bank asked at once about an unknown outcome, and about all of them", () =>
    Effect.gen(function* () {
      const scheduler = yield* Scheduler
      const order = yield* made("asked-1", "217")
      yield* made("asked-2", "217")
      const clock = yield* SandboxClock
      yield* clock.advance("1 hour", scheduler)
      const before = (yield* ask("GET", `/operator/orders/${order}`)).body
      assert.deepInclude(before, { status: "unknown" })
      const one = yield* ask("POST", `/operator/orders/${order}/inquire`)
      assert.deepStrictEqual([one.status, one.body], [202, { begun: 1, left: 0 }])
      const both = yield* ask("POST", "/operator/orders/inquire", { unknown: true })
      assert.deepStrictEqual([both.status, Number(both.body.begun) + Number(both.body.left)], [202, 2])
      yield* scheduler.settled
      const done = yield* made("asked-3", "123")
      assert.strictEqual((yield* ask("POST", `/operator/orders/${done}/inquire`)).status, 409)
      assert.strictEqual((yield* ask("POST", "/operator/orders/1/inquire")).status, 409)
    })
  )

  it.effect("sends waiting callbacks of one merchant now", () =>
    Effect.gen(function* () {
      const scheduler = yield* Scheduler
      const order = yield* made("pushed", "123")
      const push = (input: object) =>
        ask("POST", "/operator/callbacks/resend", {
          merchant: TestGateway.login,
          since: "2020-01-01T00:00:00Z",
          state: "pending",
          ...input
        })
      const others = yield* push({ merchant: "another" })
      assert.deepStrictEqual([others.status, others.body.begun], [202, 0])
      const { body } = yield* push({})
      assert.isAtLeast(Number(body.begun), 1)
      yield* scheduler.settled
      const list = yield* callbacks(order)
      assert.deepInclude(Array.isArray(list) ? list[0] : {}, { tries: 2 })
      assert.strictEqual((yield* push({ since: "2100-01-01T00:00:00Z" })).body.begun, 0)
      assert.strictEqual((yield* push({ state: "delivered" })).status, 400)
    })
  )
})

describe("callbacks of one millisecond", () => {
  it.effect("are all sent, page after page", () =>
    Effect.gen(function* () {
      const store = yield* Store
      const event = (number: number) => ({
        eventId: `event-${String(number).padStart(4, "0")}`,
        merchantId: "shop",
        orderId: "1",
        requestId: "1",
        sequence: number,
        url: "https://shop.example/callback",
        format: "json" as const,
        query: "",
        delivery: "dead-lettered" as const,
        tries: 9,
        queuedAtMs: 5,
        triesBefore: 0,
        lastResult: "503",
        createdAtMs: 5,
        deliveredAtMs: null
      })
      const writes = Array.from({ length: 1201 }, (_, number) => Decision.append(CallbackEvent, event(number)))
      yield* store.commit({ guards: [], writes })
      const ask = yield* OperatorServices.process
      const page = (after: object) =>
        Effect.map(
          ask(undefined, "/operator/callbacks/resend", {
            merchant: "shop",
            since: "1970-01-01T00:00:00Z",
            state: "dead-lettered",
            ...after
          }),
          ({ json }) => json
        )
      const first = yield* page({})
      const second = yield* page({ after: first.next })
      const third = yield* page({ after: second.next })
      assert.deepStrictEqual([first.begun, second.begun, third.begun, third.next], [500, 500, 201, undefined])
    }).pipe(Effect.provide(OperatorServices.layer))
  )
})
