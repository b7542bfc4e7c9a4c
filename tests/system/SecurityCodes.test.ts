/** The public security codes on endpoints with 3-D Secure, through the whole sandbox. */
import { assert, layer } from "@effect/vitest"
import * as Sample from "@pay/schema/Sample"
import { Effect } from "effect"
import * as TestGateway from "../harness/TestGateway.ts"
import * as TestMerchant from "../harness/TestMerchant.ts"

const { threeds3dsGateway, threedsMerchant } = TestGateway.endpoints

/** Security code, card, and the order's status before the customer has done anything. */
const table = [
  ["111", "4444000011118888", "approved"],
  ["321", "4444000011118888", "processing"],
  ["123", "4444555566661111", "processing"],
  ["123", "4444020100000003", "approved"]
] as const

layer(TestGateway.layer(), { excludeTestServices: true })("a payment on an endpoint with 3-D Secure", (it) => {
  for (const endpointId of [threeds3dsGateway, threedsMerchant]) {
    it.effect.each(table)(`${endpointId}: %s with %s is %s`, ([cvv2, credit_card_number, expected]) =>
      Effect.gen(function* () {
        const order = yield* TestMerchant.order(
          "SALE",
          { ...Sample.browser, cvv2, credit_card_number, redirect_url: "https://shop.example/back" },
          { endpointId }
        )
        const { status, "order-stage": stage } = yield* TestMerchant.status(order, { endpointId })
        assert.deepStrictEqual(
          [status, stage],
          [expected, expected === "approved" ? "sale_approved" : "sale_3d_validating"]
        )
      })
    )
  }
})
