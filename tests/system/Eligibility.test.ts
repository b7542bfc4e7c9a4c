import { assert, layer } from "@effect/vitest"
import * as PayApi from "@pay/schema/PayApi"
import { Effect } from "effect"
import * as Merchants from "../harness/Merchants.ts"
import * as OAuth from "../harness/OAuth.ts"
import * as TestGateway from "../harness/TestGateway.ts"
import * as TestMerchant from "../harness/TestMerchant.ts"
import * as Transfers from "../harness/Transfers.ts"

const { cards } = Transfers

layer(TestGateway.layer({ merchants: Merchants.both() }), { excludeTestServices: true })(
  "pan-eligibility/send",
  (it) => {
    it.effect("a card that can send is approved, with amount 0.00 in the endpoint's first currency", () =>
      Effect.gen(function* () {
        const order = yield* Transfers.done(Transfers.eligible({ "sending-card-number": cards.ordinary }))
        const body = yield* TestMerchant.status(order)
        assert.deepInclude(body, {
          status: "approved",
          "transaction-type": "pan_eligibility",
          "transaction-id": order.orderid,
          amount: "0.00",
          currency: "USD",
          "captured-amount": "0.00"
        })
        assert.notProperty(body, "card-exp-year")
        assert.notProperty(body, "email")
        const requests = yield* Transfers.booked(order.orderid)
        assert.deepInclude(requests[0], { kind: "eligible", reference: `${order.orderid}-eligibility-0` })
        assert.notProperty(requests[0]?.card, "expireYear")
        yield* TestMerchant.assertClean
      })
    )

    it.effect("a card without expiry cannot be stored afterwards", () =>
      Effect.gen(function* () {
        const order = yield* Transfers.done(Transfers.eligible({ "sending-card-number": cards.ordinary }))
        const reply = yield* OAuth.sendOnly(PayApi.operations.CARDREF_V4, { ...order })
        TestMerchant.assertRefused(reply, "orderState")
      })
    )
  }
)
