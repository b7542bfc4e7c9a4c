import { assert, describe, it } from "@effect/vitest"
import * as PayApi from "@pay/schema/PayApi"
import * as Sample from "@pay/schema/Sample"
import { Effect } from "effect"
import * as ScriptedGateway from "./ScriptedGateway.ts"

const { ACCOUNT_VERIFICATION } = PayApi.operations
const { endpoints } = ScriptedGateway

const fields = { ...Sample.request(ACCOUNT_VERIFICATION), client_orderid: "sale-1" }

describe("account-verification", () => {
  const scripted = ScriptedGateway.make()
  it.effect("waits for the cardholder if the endpoint requires 3-D Secure", () =>
    Effect.gen(function* () {
      const refused = yield* ScriptedGateway.post(ACCOUNT_VERIFICATION, fields, endpoints.gateway)
      assert.strictEqual(refused.body["error-message"], "Parameter redirect_url is required")
      const reply = yield* ScriptedGateway.post(
        ACCOUNT_VERIFICATION,
        { ...fields, redirect_url: ScriptedGateway.returnUrl },
        endpoints.gateway
      )
      assert.strictEqual(reply.status, 200)
      yield* ScriptedGateway.settle
      const row = yield* ScriptedGateway.authenticationOf(String(reply.body["paynet-order-id"]))
      assert.deepInclude(row, { mode: "gateway" })
      assert.deepStrictEqual(scripted.authorized, [])
      assert.deepInclude(yield* ScriptedGateway.status(endpoints.gateway), {
        status: "processing",
        "transaction-type": "account_verification"
      })
    }).pipe(Effect.provide(ScriptedGateway.layer(scripted)))
  )

  const without = ScriptedGateway.make()
  it.effect("goes to the bank at once without 3-D Secure, as an uncaptured amount of zero", () =>
    Effect.gen(function* () {
      yield* ScriptedGateway.post(ACCOUNT_VERIFICATION, fields, endpoints.off)
      yield* ScriptedGateway.settle
      assert.deepInclude(without.authorized[0], { amountMinor: 0, capture: false, authentication: undefined })
    }).pipe(Effect.provide(ScriptedGateway.layer(without)))
  )
})
