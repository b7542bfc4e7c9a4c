import { assert, it } from "@effect/vitest"
import * as PayApi from "@pay/schema/PayApi"
import * as PayClient from "@pay/transport/PayClient"
import { Effect, Layer, Tracer } from "effect"
import * as TestGateway from "../harness/TestGateway.ts"

/** A program that provides a tracer sees where the time of a sale goes, by the gateway's own numbers. */
it.live("a sale has spans from its request to its callback, without a field of payer or card", () => {
  const spans: Array<Tracer.Span> = []
  const tracer = Tracer.make({
    span: (options) => {
      const span = new Tracer.NativeSpan(options)
      spans.push(span)
      return span
    }
  })
  const play = Effect.gen(function* () {
    const pay = yield* PayClient.PayClient
    const fields = { ...TestGateway.saleFields, client_orderid: "traced-1" }
    const callbackUrl = { server_callback_url: "http://127.0.0.1:1/callback" }
    assert.strictEqual((yield* TestGateway.post(PayApi.operations.SALE, { ...fields, ...callbackUrl })).status, 200)
    const status = yield* Effect.repeat(pay.status({ client_orderid: "traced-1" }), {
      until: ({ status }) => status === "approved" && spans.some(({ name }) => name === "callback.deliver")
    })
    const orderId = status["paynet-order-id"]
    const own = spans.filter(({ name }) => /^(operation|store|bank|callback)\./.test(name))
    assert.includeMembers(
      own.map(({ name }) => name),
      ["operation.sale", "store.commit", "bank.sale", "callback.deliver", "operation.status"]
    )
    const attributes = own.flatMap((span) => [...span.attributes].map(([key, value]) => `${span.name} ${key} ${value}`))
    assert.deepStrictEqual(
      new Set(attributes),
      new Set([
        `bank.sale pay.reference ${orderId}-sale-0`,
        `callback.deliver pay.order_id ${orderId}`,
        "callback.deliver http.request.method GET",
        "callback.deliver server.address 127.0.0.1:1"
      ])
    )
  })
  const traced = TestGateway.layer().pipe(Layer.provideMerge(Layer.succeed(Tracer.Tracer, tracer)))
  return Effect.scoped(Effect.provide(play, traced, { local: true }))
})
