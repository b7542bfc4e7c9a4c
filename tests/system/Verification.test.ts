import { assert, layer } from "@effect/vitest"
import * as Reconciliation from "@pay/gateway/Reconciliation"
import { Scheduler } from "@pay/gateway/Scheduler"
import * as PayApi from "@pay/schema/PayApi"
import * as Sample from "@pay/schema/Sample"
import * as PayClient from "@pay/transport/PayClient"
import { Effect } from "effect"
import * as TestGateway from "../harness/TestGateway.ts"

const { ACCOUNT_VERIFICATION, RETURN } = PayApi.operations
const { login } = TestGateway

const verify = Effect.fnUntraced(function* (name: string, changes: Readonly<Record<string, string>> = {}) {
  const scheduler = yield* Scheduler
  const fields = { ...Sample.request(ACCOUNT_VERIFICATION), client_orderid: name, ...changes }
  const reply = yield* TestGateway.post(ACCOUNT_VERIFICATION, fields)
  yield* scheduler.settled
  return reply
})

layer(TestGateway.layer(), { excludeTestServices: true })("account-verification", (it) => {
  it.effect("charges and books nothing", () =>
    Effect.gen(function* () {
      const pay = yield* PayClient.PayClient
      const before = yield* Reconciliation.check
      const reply = yield* verify("verify-1")
      assert.deepInclude(reply, { status: 200 })
      assert.strictEqual(reply.body.type, "async-response")
      assert.deepInclude(yield* pay.status({ client_orderid: "verify-1" }), {
        status: "approved",
        "transaction-type": "account_verification",
        amount: "0.00",
        currency: "USD",
        "authorized-amount": "0.00",
        "captured-amount": "0.00",
        "remaining-amount": "0.00"
      })
      const reconciliation = yield* Reconciliation.check
      assert.deepStrictEqual(reconciliation.findings, [])
      assert.strictEqual(reconciliation.entries, before.entries)
    })
  )

  for (const operation of [RETURN]) {
    it.effect(`does not allow ${operation.command}`, () =>
      Effect.gen(function* () {
        const name = `verify-${operation.command}`
        const { body } = yield* verify(name)
        const fields = { login, client_orderid: name, orderid: String(body["paynet-order-id"]) }
        const reply = yield* TestGateway.post(operation, fields)
        assert.deepInclude(reply, { status: 400 })
        assert.deepInclude(reply.body, {
          "error-code": "55",
          "error-message": "A verification moves no money: there is nothing to capture, void or return"
        })
      })
    )
  }
})
