/** What only captures, voids and returns over the wire show; domain/FollowUp.test.ts and the conformance suite have every state. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as TestGateway from "../harness/TestGateway.ts"
import * as TestMerchant from "../harness/TestMerchant.ts"

const usd = (amount: string): TestMerchant.Fields => ({ amount, currency: "USD" })

layer(TestGateway.layer(), { excludeTestServices: true })("follow-ups", (it) => {
  it.effect("capture, return and void parts of one hold, with balanced books", () =>
    Effect.gen(function* () {
      const order = yield* TestMerchant.order("PREAUTH")
      const steps = [
        ["CAPTURE", usd("4.00"), "approved capture 10.42 4.00 0.00 6.42"],
        ["RETURN", usd("1.00"), "approved capture 10.42 4.00 1.00 6.42"],
        ["CAPTURE", usd("6.00"), "approved capture 10.42 10.00 1.00 0.42"],
        ["VOID", {}, "approved capture 10.42 10.00 1.00 0.00"],
        ["RETURN", {}, "approved reversal 10.42 10.00 10.00 0.00"]
      ] as const
      for (const [name, fields, stands] of steps) {
        const reply = yield* TestMerchant.done(name, order, fields)
        assert.deepInclude(yield* TestMerchant.outcomeOf(reply), { status: "approved" })
        assert.strictEqual(yield* TestMerchant.orderStatus(order), stands)
      }
      const refused = yield* TestMerchant.act("RETURN", order, usd("0.01"))
      TestMerchant.assertRefused(refused, "amountExceeds")
      assert.deepInclude(refused.body, {
        "merchant-order-id": order.client_orderid,
        "paynet-order-id": order.orderid
      })
      yield* TestMerchant.assertClean
    })
  )

  it.effect("without an amount may be signed with the order's amount if they capture, not if they return", () =>
    Effect.gen(function* () {
      const order = yield* TestMerchant.order("PREAUTH")
      const unsent: TestMerchant.Options = { change: ({ amount: _, currency: __, ...fields }) => fields }
      const whole = usd("10.42")
      TestMerchant.assertRefused(yield* TestMerchant.act("RETURN", order, whole, unsent), "authenticationFailed")
      TestMerchant.assertRefused(
        yield* TestMerchant.act("CAPTURE", order, usd("10.41"), unsent),
        "authenticationFailed"
      )
      TestMerchant.assertAccepted(yield* TestMerchant.act("CAPTURE", order, whole, unsent))
      yield* TestMerchant.settled
      assert.strictEqual(yield* TestMerchant.orderStatus(order), "approved capture 10.42 10.42 0.00 0.00")
    })
  )
})
