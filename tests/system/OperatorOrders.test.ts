import { assert, layer } from "@effect/vitest"
import { Scheduler } from "@pay/gateway/Scheduler"
import * as PayApi from "@pay/schema/PayApi"
import { Effect } from "effect"
import { ask } from "../harness/Operating.ts"
import * as TestGateway from "../harness/TestGateway.ts"

const { SALE } = PayApi.operations
layer(TestGateway.layer(), { excludeTestServices: true })("an operator", (it) => {
  it.effect("sees the rule that filtered an order, without the card number", () =>
    Effect.gen(function* () {
      const scheduler = yield* Scheduler
      const fields = { ...TestGateway.saleFields, client_orderid: "too-much", amount: "100.01" }
      const { body } = yield* TestGateway.post(SALE, fields, { endpointId: TestGateway.endpoints.limited })
      yield* scheduler.settled
      const order = yield* ask("GET", `/operator/orders/${String(body["paynet-order-id"])}`)
      assert.strictEqual(order.status, 200)
      assert.deepInclude(order.body, { state: "filtered", filteredBy: "max-amount", merchantOrder: "too-much" })
      assert.notInclude(JSON.stringify(order.body), String(TestGateway.saleFields.credit_card_number))
    })
  )
})
