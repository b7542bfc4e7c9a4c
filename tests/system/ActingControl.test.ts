/**
 * The control of a status request has the recipe of a whole return and of a capture of the rest: a person who saw one could send it as
 * either. An endpoint with `actingControl: "amount"` accepts neither without amount and currency.
 */
import { assert, layer } from "@effect/vitest"
import * as PayApi from "@pay/schema/PayApi"
import { Effect } from "effect"
import * as Merchants from "../harness/Merchants.ts"
import * as TestGateway from "../harness/TestGateway.ts"
import * as TestMerchant from "../harness/TestMerchant.ts"

const { eur, usd } = TestGateway.endpoints
const whole = { amount: "10.42", currency: "USD" }

/** Sends the control of a status request of the order as the other operation. */
const withControlOfStatus = (name: TestMerchant.FollowUp, order: TestMerchant.Order, endpointId: string) => {
  const { control = "" } = TestGateway.controlled(PayApi.operations.STATUS, { login: TestGateway.login, ...order })
  return TestMerchant.act(name, order, {}, { endpointId, change: (fields) => ({ ...fields, control }) })
}

layer(TestGateway.layer({ merchants: Merchants.both({ [usd]: { actingControl: "amount" } }) }), {
  excludeTestServices: true
})("an endpoint with actingControl=amount", (it) => {
  // The control covers no endpoint: the path may name any of the merchant's.
  for (const path of [usd, eur]) {
    for (const [name, of] of [
      ["CAPTURE", "PREAUTH"],
      ["RETURN", "PREAUTH"],
      ["RETURN", "SALE"]
    ] as const) {
      it.effect(
        `refuses a ${name} of a ${of} that carries the control of a status request, at the path of ${path}`,
        () =>
          Effect.gen(function* () {
            const order = yield* TestMerchant.order(of)
            const before = yield* TestMerchant.orderStatus(order)
            TestMerchant.assertRefused(yield* withControlOfStatus(name, order, path), "parameterRequired", "amount")
            assert.strictEqual(yield* TestMerchant.orderStatus(order), before)
            yield* TestMerchant.assertClean
          })
      )
    }
  }

  it.effect("does not change the rule for orders of other endpoints", () =>
    Effect.gen(function* () {
      const order = yield* TestMerchant.order("SALE", { currency: "EUR" }, { endpointId: eur })
      TestMerchant.assertAccepted(yield* withControlOfStatus("RETURN", order, usd))
      yield* TestMerchant.assertClean
    })
  )

  it.effect("cancels a preauth by a return of its whole amount, once if it is sent twice", () =>
    Effect.gen(function* () {
      const order = yield* TestMerchant.order("PREAUTH")
      yield* TestMerchant.done("RETURN", order, whole)
      yield* TestMerchant.done("RETURN", order, whole)
      assert.strictEqual(yield* TestMerchant.orderStatus(order), "approved cancel 10.42 0.00 0.00 0.00")
      yield* TestMerchant.assertClean
    })
  )

  it.effect("returns a sale by its whole amount", () =>
    Effect.gen(function* () {
      const order = yield* TestMerchant.order("SALE")
      yield* TestMerchant.done("RETURN", order, whole)
      assert.strictEqual(yield* TestMerchant.orderStatus(order), "approved reversal 10.42 10.42 10.42 0.00")
      yield* TestMerchant.assertClean
    })
  )
})
