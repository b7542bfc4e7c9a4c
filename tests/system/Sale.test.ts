import { assert, layer } from "@effect/vitest"
import * as Reconciliation from "@pay/gateway/Reconciliation"
import { Scheduler } from "@pay/gateway/Scheduler"
import * as PayApi from "@pay/schema/PayApi"
import * as PayClient from "@pay/transport/PayClient"
import { Effect } from "effect"
import * as TestGateway from "../harness/TestGateway.ts"

const { SALE } = PayApi.operations

layer(TestGateway.layer(), { excludeTestServices: true })("a sale over a socket", (it) => {
  it.effect("is acknowledged, approved and booked once", () =>
    Effect.gen(function* () {
      const pay = yield* PayClient.PayClient
      const scheduler = yield* Scheduler
      const before = yield* Reconciliation.check
      const reply = yield* TestGateway.post(SALE, { ...TestGateway.saleFields, client_orderid: "sale-1" })
      assert.strictEqual(reply.status, 200)
      assert.strictEqual(reply.body.type, "async-response")
      assert.strictEqual(reply.body["end-point-id"], TestGateway.endpoints.usd)
      yield* scheduler.settled
      const status = yield* pay.status({ client_orderid: "sale-1" })
      assert.deepInclude(status, { status: "approved", "transaction-type": "sale", "captured-amount": "10.42" })
      const reconciliation = yield* Reconciliation.check
      assert.deepStrictEqual(reconciliation.findings, [])
      assert.strictEqual(reconciliation.entries, before.entries + 2)
    })
  )
})
