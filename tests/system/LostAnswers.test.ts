import { assert, layer } from "@effect/vitest"
import { NodeServer } from "@pay/gateway/NodeServer"
import * as PayApi from "@pay/schema/PayApi"
import * as PayClient from "@pay/transport/PayClient"
import * as Wire from "@pay/transport/Wire"
import { Context, Effect, Layer } from "effect"
import { clientSettings } from "../harness/Credentials.ts"
import * as TestGateway from "../harness/TestGateway.ts"
import * as TestMerchant from "../harness/TestMerchant.ts"

/** A client whose first `losses` answers get lost on their way back: the gateway has done what was asked. */
const losing = Effect.fnUntraced(function* (losses: number) {
  const { publicBaseUrl } = yield* NodeServer
  let left = losses
  const losingWire = Layer.effect(
    Wire.Wire,
    Effect.map(Wire.Wire, ({ send }) =>
      Wire.Wire.of({
        send: (request) =>
          Effect.flatMap(send(request), (answer) => {
            left -= 1
            return left < 0
              ? Effect.succeed(answer)
              : Effect.fail(new Wire.WireError({ reason: "Lost", code: "ECONNRESET" }))
          })
      })
    )
  )
  const client = PayClient.layerNoDeps(clientSettings(publicBaseUrl))
  const built = yield* Layer.build(client.pipe(Layer.provide(losingWire), Layer.provide(Wire.layerUndici())))
  return Context.get(built, PayClient.PayClient)
})

const twoDollars = (order: TestMerchant.Order) => ({
  login: TestGateway.login,
  ...order,
  amount: "2.00",
  currency: "USD"
})

layer(TestGateway.layer(), { excludeTestServices: true })("a request whose answer was lost", (it) => {
  for (const [name, creation, stands] of [
    ["RETURN", "SALE", "approved sale 10.42 10.42 2.00 0.00"],
    ["CAPTURE", "PREAUTH", "approved capture 10.42 2.00 0.00 8.42"]
  ] as const) {
    it.effect(
      `a partial ${name.toLowerCase()} moves money once if it is repeated with the key that the error names`,
      () =>
        Effect.gen(function* () {
          const pay = yield* losing(3)
          const order = yield* TestMerchant.order(creation)
          let idempotencyKey: string | undefined
          for (let losses = 0; losses < 3; losses += 1) {
            const options = idempotencyKey === undefined ? {} : { idempotencyKey }
            const lost = yield* Effect.flip(pay.call(PayApi.operations[name], twoDollars(order), options))
            assert.strictEqual(lost._tag, "OutcomeUnknown")
            const named = lost._tag === "OutcomeUnknown" ? lost.idempotencyKey : undefined
            assert.isString(named)
            if (idempotencyKey !== undefined) assert.strictEqual(named, idempotencyKey)
            idempotencyKey = named
            yield* TestMerchant.settled
          }
          const options = idempotencyKey === undefined ? {} : { idempotencyKey }
          const answer = yield* pay.call(PayApi.operations[name], twoDollars(order), options)
          yield* TestMerchant.settled
          assert.strictEqual(answer["paynet-order-id"], order.orderid)
          const request = yield* pay.status({ ...order, "by-request-sn": answer["serial-number"] ?? "" })
          assert.deepInclude(request, { status: "approved", amount: "2.00" })
          assert.strictEqual(yield* TestMerchant.orderStatus(order), stands)
          yield* TestMerchant.assertClean
        })
    )

    it.effect(
      `a partial ${name.toLowerCase()} moves money once if it is repeated without a key, and the repeat is refused`,
      () =>
        Effect.gen(function* () {
          const pay = yield* losing(1)
          const order = yield* TestMerchant.order(creation)
          yield* Effect.flip(pay.call(PayApi.operations[name], twoDollars(order)))
          yield* TestMerchant.settled
          const { login: _, ...fields } = twoDollars(order)
          TestMerchant.assertRefused(yield* TestMerchant.act(name, order, fields), "repeatedWithoutKey")
          assert.strictEqual(yield* TestMerchant.orderStatus(order), stands)
          yield* TestMerchant.assertClean
        })
    )
  }

  it.effect("a sale is charged once if it is repeated with its client_orderid", () =>
    Effect.gen(function* () {
      const pay = yield* losing(2)
      const { SALE } = PayApi.operations
      const client_orderid = TestMerchant.freshId()
      const request = yield* Effect.fromResult(SALE.decodeFields({ ...TestGateway.saleFields, client_orderid }))
      for (let losses = 0; losses < 2; losses += 1) {
        assert.strictEqual((yield* Effect.flip(pay.call(SALE, request)))._tag, "OutcomeUnknown")
      }
      const answer = yield* pay.call(SALE, request)
      yield* TestMerchant.settled
      const status = yield* pay.status({ client_orderid })
      assert.deepInclude(status, { "paynet-order-id": answer["paynet-order-id"], "captured-amount": "10.42" })
      yield* TestMerchant.assertClean
    })
  )
})
