import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as TestGateway from "../harness/TestGateway.ts"
import * as TestMerchant from "../harness/TestMerchant.ts"
import * as TestPayouts from "../harness/TestPayouts.ts"
import * as Transfers from "../harness/Transfers.ts"

const { cards } = Transfers
const { endpoints } = TestGateway

layer(TestGateway.layer(), { excludeTestServices: true })("a transfer from the merchant's balance", (it) => {
  const fromBalance: Transfers.Fields = { ...Transfers.noCard, deposit2card: "true" }

  it.effect("holds its amount and is paid by the rail", () =>
    Effect.gen(function* () {
      const [opening = 0] = yield* TestPayouts.balances()
      for (const question of [Transfers.transfer(fromBalance), Transfers.byRef({})]) {
        const order = yield* Transfers.done(question)
        assert.deepInclude(yield* TestMerchant.status(order), {
          status: "approved",
          "transaction-type": "transfer",
          "transaction-id": order.orderid,
          destination: "444455******1111",
          "dest-last-four-digits": "1111"
        })
        assert.lengthOf(yield* Transfers.booked(order.orderid), 0)
      }
      assert.deepStrictEqual(yield* TestPayouts.balances(), [opening - 2084, 0, 2084])
      yield* TestPayouts.assertClean
    })
  )

  it.effect("pays to a stored card that never paid", () =>
    Effect.gen(function* () {
      const card = yield* Transfers.storedUnpaid(cards.ordinary)
      const recurring = { "destination-card-no": undefined, destination_card_recurring_payment_id: card }
      const order = yield* Transfers.done(Transfers.transfer({ ...fromBalance, ...recurring }))
      assert.deepInclude(yield* TestMerchant.status(order), { status: "approved", destination: "444455******1111" })
      const reference = { "destination-card-no": undefined, "destination-card-ref-id": card }
      assert.deepInclude(yield* TestMerchant.status(yield* Transfers.done(Transfers.byRef(reference))), {
        status: "approved"
      })
      yield* TestPayouts.assertClean
    })
  )

  it.effect("is declined above the balance, and filtered above the endpoint's limit for payouts", () =>
    Effect.gen(function* () {
      const low = yield* Transfers.done(Transfers.transfer({ ...fromBalance, amount: "99999.99" }))
      assert.deepInclude(yield* TestMerchant.status(low), { status: "declined", "error-code": "96" })
      const { limited: endpointId } = endpoints
      const much = yield* Transfers.done(Transfers.transfer({ ...fromBalance, amount: "100.01" }, { endpointId }))
      assert.deepInclude(yield* TestMerchant.status(much, { endpointId }), { status: "filtered", "error-code": "92" })
      yield* TestPayouts.assertClean
    })
  )

  it.effect("waits for the second approver on an endpoint that requires one, and lapses after a day", () =>
    Effect.gen(function* () {
      const { approval: endpointId } = endpoints
      const before = yield* TestPayouts.balances(endpointId)
      const order = yield* Transfers.done(Transfers.transfer(fromBalance, { endpointId }))
      assert.deepInclude(yield* TestMerchant.status(order, { endpointId }), {
        status: "processing",
        "order-stage": "payout_waiting_approval"
      })
      yield* TestMerchant.pass("25 hours")
      assert.deepInclude(yield* TestMerchant.status(order, { endpointId }), { status: "declined", "error-code": "98" })
      assert.deepStrictEqual(yield* TestPayouts.balances(endpointId), before)
      yield* TestPayouts.assertClean
    })
  )
})
