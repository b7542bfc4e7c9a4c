import { assert, describe, it } from "@effect/vitest"
import * as Operation from "@pay/schema/Operation"
import * as PayApi from "@pay/schema/PayApi"
import * as Sample from "@pay/schema/Sample"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { expectTypeOf } from "vitest"
import * as PayClient from "../src/PayClient.ts"
import type * as PayError from "../src/PayError.ts"
import { RandomId } from "../src/RandomId.ts"
import {
  accepted,
  answer,
  capture,
  lost,
  now,
  options,
  playing,
  recording,
  refusal,
  sale,
  unreachable
} from "./Merchant.ts"

const { privateKey: _, ...withoutKey } = options

describe("the client", () => {
  it.effect("has a typed method for every operation", () =>
    Effect.gen(function* () {
      const pay = yield* PayClient.PayClient
      for (const name of Object.keys(PayApi.operations)) {
        assert.property(pay, PayClient.methodName(name))
      }
      expectTypeOf(pay.capture).parameter(0).toHaveProperty("orderid")
      expectTypeOf<{ client_orderid: string; orderid: string }>().toExtend<Parameters<typeof pay.capture>[0]>()
      expectTypeOf<{ client_orderid: string }>().not.toExtend<Parameters<typeof pay.capture>[0]>()
      expectTypeOf(pay.payoutV4Check).returns.toExtend<Effect.Effect<{ readonly "payout-id"?: string }, unknown>>()
      expectTypeOf(pay.sale).returns.toExtend<
        Effect.Effect<{ readonly "paynet-order-id": string }, PayError.PayError>
      >()
      const { "serial-number": _, ...report } = accepted
      assert.deepInclude(yield* pay.void(capture), report)
    }).pipe(Effect.provide(recording().layer))
  )
})

describe("a request is not sent with", () => {
  const { amount: _, order_desc: __, ...incomplete } = sale
  const cases: ReadonlyArray<
    readonly [name: string, PayClient.Input<Operation.Operation>, PayClient.CallOptions, Array<string>]
  > = [
    ["several invalid fields", { ...sale, email: "x", amount: "1e3" }, {}, ["amount", "email"]],
    ["an amount under another name", { ...sale, Amount: "12.00" }, {}, ["amount"]],
    ["missing fields", incomplete, {}, ["order_desc", "amount"]],
    ["an empty required field", { ...sale, order_desc: " " }, {}, ["order_desc"]],
    ["a number where text belongs", { ...sale, amount: 10.42 }, {}, ["amount"]],
    ["an object where text belongs", { ...sale, client_orderid: {} }, {}, ["client_orderid"]],
    ["a bare card number", { ...sale, credit_card_number: "4444333322221111" }, {}, ["credit_card_number"]],
    ["more decimals than the currency", { ...sale, amount: "10.005" }, {}, ["amount"]],
    ["a control character in a name", { ...sale, card_printed_name: "A\u0000B" }, {}, ["card_printed_name"]],
    ["an endpoint that is not a number", sale, { endpointId: "1/../2" }, ["endpointId"]],
    ["an endpoint beyond int64", sale, { endpointId: "9223372036854775808" }, ["endpointId"]],
    ["a key with a line break", sale, { idempotencyKey: "a\r\nx: y" }, ["Idempotency-Key"]],
    ["an empty key", sale, { idempotencyKey: "" }, ["Idempotency-Key"]],
    ["a key of 256 characters", sale, { idempotencyKey: "k".repeat(256) }, ["Idempotency-Key"]],
    ["an invalid field and an invalid endpoint", { ...sale, email: "x" }, { endpointId: "0" }, ["endpointId", "email"]]
  ]
  it.effect.each(cases)("$0", ([, input, callOptions, fields]) =>
    Effect.gen(function* () {
      const { layer, requests } = recording()
      const call = PayClient.call<Operation.Operation>(PayApi.operations.SALE, input, callOptions)
      const error = yield* Effect.flip(call).pipe(Effect.provide(layer))
      if (error._tag !== "InvalidRequest") return assert.fail(error._tag)
      assert.deepEqual(
        error.problems.map(({ field }) => field),
        fields
      )
      assert.isFalse(error.retryable)
      assert.deepEqual(requests, [])
    })
  )

  it.effect("an RSA signature if the client has no RSA key", () =>
    Effect.gen(function* () {
      const pay = yield* PayClient.PayClient
      const error = yield* Effect.flip(pay.payoutV4Pay(capture))
      assert.deepInclude(error, { _tag: "InvalidRequest", operation: "PAYOUT_V4_PAY" })
    }).pipe(Effect.provide(recording(withoutKey).layer))
  )
})

describe("a call whose request was not sent", () => {
  it.effect("is repeated twice after growing delays, then fails as NotSent", () =>
    Effect.gen(function* () {
      const { layer, values } = playing(unreachable)
      yield* Effect.gen(function* () {
        const fiber = yield* Effect.forkChild(Effect.flip(PayClient.call(PayApi.operations.SALE, sale)), now)
        assert.strictEqual(values.length, 1)
        yield* TestClock.adjust("79 millis")
        assert.strictEqual(values.length, 1)
        yield* TestClock.adjust("41 millis")
        assert.strictEqual(values.length, 2)
        yield* TestClock.adjust("361 millis")
        assert.strictEqual(values.length, 3)
        assert.deepInclude(yield* Fiber.join(fiber), {
          _tag: "NotSent",
          reason: "Unreachable",
          code: "ECONNREFUSED",
          operation: "SALE",
          clientOrderId: "902B4FF5",
          retryable: true
        })
        assert.strictEqual(values.length, 3)
      }).pipe(Effect.provide(layer))
    })
  )

  const repeated = <E>(call: Effect.Effect<unknown, E, PayClient.PayClient>) =>
    Effect.gen(function* () {
      const { layer, values } = playing(unreachable, answer(200, accepted))
      const fiber = yield* Effect.forkChild(Effect.provide(call, layer), now)
      yield* TestClock.adjust("1 second")
      yield* Fiber.join(fiber)
      assert.strictEqual(values.length, 2)
      return values.map(({ headers }) => headers)
    })

  it.effect("is repeated with the same idempotency key", () =>
    Effect.gen(function* () {
      const [first, second] = yield* repeated(PayClient.call(PayApi.operations.CAPTURE, capture))
      assert.isNotEmpty(first?.["idempotency-key"])
      assert.strictEqual(first?.["idempotency-key"], second?.["idempotency-key"])
    })
  )

  it.effect("is repeated with a new signature", () =>
    Effect.gen(function* () {
      const payout = yield* Effect.fromResult(
        Operation.decode(PayApi.operations.PAYOUT)(Sample.request(PayApi.operations.PAYOUT))
      )
      const [first, second] = yield* repeated(PayClient.call(PayApi.operations.PAYOUT, payout))
      assert.isNotEmpty(first?.authorization)
      assert.notStrictEqual(first?.authorization, second?.authorization)
    })
  )
})

describe("a call whose request may have arrived", () => {
  const outcomes = [
    ["lost", lost, "OutcomeUnknown"],
    ["answered by a gateway fault", answer(503, ""), "OutcomeUnknown"],
    ["answered by a proxy", answer(404, "<html>"), "OutcomeUnknown"],
    ["refused", answer(400, refusal), "Refused"],
    ["refused for now", answer(429, refusal), "Refused"]
  ] as const
  it.effect.each(outcomes)("is never repeated: $0", ([, outcome, tag]) =>
    Effect.gen(function* () {
      const { layer, values } = playing(outcome, answer(200, accepted))
      const call = PayClient.call(PayApi.operations.STATUS, { client_orderid: "1" })
      const fiber = yield* Effect.forkChild(Effect.flip(call).pipe(Effect.provide(layer)), now)
      yield* TestClock.adjust("1 hour")
      assert.strictEqual((yield* Fiber.join(fiber))._tag, tag)
      assert.strictEqual(values.length, 1)
    })
  )

  it.effect("reports the numbers and the key that resolve its outcome", () =>
    Effect.gen(function* () {
      const { layer, values } = playing(lost)
      const error = yield* Effect.flip(PayClient.call(PayApi.operations.CAPTURE, capture)).pipe(Effect.provide(layer))
      assert.deepInclude(error, {
        _tag: "OutcomeUnknown",
        reason: "ConnectionLost",
        code: "ECONNRESET",
        operation: "CAPTURE",
        clientOrderId: "902B4FF5",
        orderId: "6768788",
        idempotencyKey: "random",
        retryable: false
      })
      assert.strictEqual(values[0]?.headers["idempotency-key"], "random")
    }).pipe(Effect.provideService(RandomId, () => "random"))
  )
})

it.effect("the endpoint of a call takes precedence over the client's endpoint", () =>
  Effect.gen(function* () {
    const { layer, requests } = recording()
    yield* PayClient.call(PayApi.operations.SALE, sale, { endpointId: "9223372036854775807" }).pipe(
      Effect.provide(layer)
    )
    assert.strictEqual(requests[0]?.url, "http://127.0.0.1:1/paynet/api/v2/sale/9223372036854775807")
  })
)

it.effect("the idempotency key of a call is sent with every operation", () =>
  Effect.gen(function* () {
    const { layer, requests } = recording()
    const mine = { idempotencyKey: "mine ~ 17" }
    yield* PayClient.call(PayApi.operations.SALE, sale, mine).pipe(Effect.provide(layer))
    yield* PayClient.call(PayApi.operations.CAPTURE, capture, mine).pipe(Effect.provide(layer))
    assert.deepEqual(
      requests.map(({ headers }) => headers["idempotency-key"]),
      ["mine ~ 17", "mine ~ 17"]
    )
  })
)
