/** Reconciliation with the rail in both directions; UnexpectedAnswer.test.ts has the bank. */
import { assert, layer } from "@effect/vitest"
import { Destination, PayoutRail } from "@pay/gateway/PayoutRail"
import * as Reconciliation from "@pay/gateway/Reconciliation"
import { RailControl } from "@pay/sandbox/RailControl"
import { Effect, Redacted } from "effect"
import * as TestGateway from "../harness/TestGateway.ts"
import * as TestPayouts from "../harness/TestPayouts.ts"

const findings = Effect.map(Reconciliation.check, ({ findings }) => findings)

layer(TestGateway.layer(), { excludeTestServices: true })("reconciliation with the rail finds", (it) => {
  it.effect("a payout without an order", () =>
    Effect.gen(function* () {
      yield* TestPayouts.made("PAYOUT")
      assert.deepStrictEqual(yield* findings, [])
      const { pay } = yield* PayoutRail
      yield* pay({
        ...{ reference: "405-pay-0", orderId: "405", clientOrderId: "c-1", merchantId: TestGateway.login },
        ...{ amountMinor: 500, currency: "USD", purpose: undefined },
        destination: Destination.ofCard(Redacted.make("4444555566661111"))
      })
      assert.deepStrictEqual(yield* findings, [
        { where: "booking 405-pay-0 at the rail", expected: "an order", actual: "pay of 5.00 USD, client_orderid c-1" }
      ])
    })
  )

  it.effect("a payout that only the gateway knows", () =>
    Effect.gen(function* () {
      yield* (yield* RailControl).reset
      const { orderid } = yield* TestPayouts.made("PAYOUT")
      yield* (yield* RailControl).reset
      const where = (yield* findings).map(({ where }) => where)
      assert.include(where, `order ${orderid}: paid by the rail`)
    })
  )
})
