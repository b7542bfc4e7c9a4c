import { assert, describe, it } from "@effect/vitest"
import * as PayApi from "@pay/schema/PayApi"
import * as Sample from "@pay/schema/Sample"
import { Effect } from "effect"
import * as World from "./World.ts"

const { ACCOUNT_VERIFICATION } = PayApi.operations
const { endpoints } = World

const fields = { ...Sample.request(ACCOUNT_VERIFICATION), client_orderid: "sale-1" }

describe("account-verification", () => {
  const world = World.make()
  it.effect("waits for the cardholder if the endpoint requires 3-D Secure", () =>
    Effect.gen(function* () {
      const refused = yield* World.post(ACCOUNT_VERIFICATION, fields, endpoints.gateway)
      assert.strictEqual(refused.body["error-message"], "Parameter redirect_url is required")
      const reply = yield* World.post(
        ACCOUNT_VERIFICATION,
        { ...fields, redirect_url: World.returnUrl },
        endpoints.gateway
      )
      assert.strictEqual(reply.status, 200)
      yield* World.settle
      const row = yield* World.authenticationOf(String(reply.body["paynet-order-id"]))
      assert.deepInclude(row, { mode: "gateway" })
      assert.deepStrictEqual(world.authorized, [])
      assert.deepInclude(yield* World.status(endpoints.gateway), {
        status: "processing",
        "transaction-type": "account_verification"
      })
    }).pipe(Effect.provide(World.layer(world)))
  )

  const without = World.make()
  it.effect("goes to the bank at once without 3-D Secure, as an uncaptured amount of zero", () =>
    Effect.gen(function* () {
      yield* World.post(ACCOUNT_VERIFICATION, fields, endpoints.off)
      yield* World.settle
      assert.deepInclude(without.authorized[0], { amountMinor: 0, capture: false, authentication: undefined })
    }).pipe(Effect.provide(World.layer(without)))
  )
})
