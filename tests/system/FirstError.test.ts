/** A wrong amount is reported with its own error code in a request that is signed as the specification says: over hundredths. */
import { assert, layer } from "@effect/vitest"
import type { Operation } from "@pay/schema/Operation"
import * as PayApi from "@pay/schema/PayApi"
import * as Control from "@pay/signing/Control"
import { Effect } from "effect"
import * as Merchants from "../harness/Merchants.ts"
import * as TestGateway from "../harness/TestGateway.ts"
import * as TestMerchant from "../harness/TestMerchant.ts"

const { CAPTURE, PREAUTH, SALE } = PayApi.operations
const { controlKey, endpoints, login, saleFields } = TestGateway

/** Returns the hundredths of an amount as a merchant's program computes them. */
const hundredths = (amount: string): string => String(Math.round(Number(amount.replace(",", ".")) * 100))

const send = (
  operation: Operation,
  fields: TestMerchant.Fields,
  endpointId: string = endpoints.usd,
  key: string = controlKey
) =>
  TestGateway.post(operation, fields, {
    endpointId,
    change: (sent) => {
      assert(operation.signing._tag === "Control")
      const signed = { ...sent, endpointId, amount: hundredths(sent.amount ?? "") }
      return { ...sent, control: Control.sign(operation.signing.recipe, signed, key) }
    }
  })

layer(TestGateway.layer({ merchants: Merchants.both() }), { excludeTestServices: true })("a wrong amount", (it) => {
  const wrong = [
    ["10,42", "USD", endpoints.usd, "parameterInvalid"],
    ["1e3", "USD", endpoints.usd, "parameterInvalid"],
    ["-1", "USD", endpoints.usd, "parameterInvalid"],
    ["10.001", "USD", endpoints.usd, "amountNotExact"],
    ["10.50", "JPY", endpoints.usd, "amountNotExact"],
    ["10.001", "KWD", endpoints.x100, "amountNotExact"]
  ] as const
  it.effect.each(wrong)("%s %s at endpoint %s is reported with %s", ([amount, currency, endpointId, error]) =>
    Effect.gen(function* () {
      const fields = { ...saleFields, client_orderid: TestMerchant.freshId(), amount, currency }
      TestMerchant.assertRefused(yield* send(SALE, fields, endpointId), error, "amount")
      yield* TestMerchant.assertFree(fields.client_orderid)
    })
  )

  it.effect("repeats no order and finds none", () =>
    Effect.gen(function* () {
      const order = yield* TestMerchant.order("PREAUTH")
      const capture = { login, ...order, amount: "1.00" }
      TestMerchant.assertRefused(yield* send(CAPTURE, capture), "parameterRequired", "currency")
      const unknown = { ...capture, orderid: "123456" }
      TestMerchant.assertRefused(yield* send(CAPTURE, unknown), "parameterRequired", "currency")
      const again = { ...saleFields, client_orderid: order.client_orderid, amount: "10,42" }
      const refused = yield* send(PREAUTH, again)
      TestMerchant.assertRefused(refused, "parameterInvalid", "amount")
      assert.isUndefined(refused.body["paynet-order-id"])
    })
  )

  it.effect("is reported as a wrong signature to a sender without the merchant's key, at each endpoint", () =>
    Effect.gen(function* () {
      for (const [endpointId, key] of [
        [endpoints.usd, "wrong"],
        [endpoints.usd, Merchants.other.controlKey],
        [Merchants.other.endpointId, controlKey],
        ["999", controlKey]
      ] as const)
        TestMerchant.assertRefused(
          yield* send(SALE, { ...saleFields, amount: "10,42" }, endpointId, key),
          "authenticationFailed"
        )
    })
  )

  it.effect("beside a signed login that is not sent is a missing login", () =>
    Effect.gen(function* () {
      for (const [key, error] of [
        [controlKey, "parameterRequired"],
        ["wrong", "authenticationFailed"]
      ] as const) {
        const { login: _, ...fields } = TestGateway.controlled(CAPTURE, { login, orderid: "1" }, endpoints.usd, key)
        TestMerchant.assertRefused(yield* TestGateway.post(CAPTURE, {}, { change: () => fields }), error)
      }
    })
  )
})
