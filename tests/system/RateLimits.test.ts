import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as Merchants from "../harness/Merchants.ts"
import * as TestGateway from "../harness/TestGateway.ts"
import * as TestMerchant from "../harness/TestMerchant.ts"

const rate = { perSecond: 0.01, burst: 2 }

layer(TestGateway.layer({ merchants: Merchants.both(), settings: { merchantRate: rate } }), {
  excludeTestServices: true
})("a limit of two requests at once for each merchant", (it) => {
  it.effect("refuses the third with retry-after, and does not affect another merchant", () =>
    Effect.gen(function* () {
      const unsigned = yield* TestMerchant.create("SALE", {}, { key: "wrong" })
      TestMerchant.assertRefused(unsigned, "authenticationFailed")
      TestMerchant.assertAccepted(yield* TestMerchant.create("SALE"))
      TestMerchant.assertAccepted(yield* TestMerchant.create("SALE"))
      const client_orderid = TestMerchant.freshId()
      const third = yield* TestMerchant.create("SALE", { client_orderid })
      TestMerchant.assertRefused(third, "rateLimited")
      const retryAfter = Number(third.headers["retry-after"])
      assert.strictEqual(
        TestMerchant.text(third, "error-message"),
        `Too many requests of this merchant; try again in ${retryAfter} s`
      )
      assert(retryAfter > 0 && retryAfter <= 100 && Number.isInteger(retryAfter), `Retry-After: ${retryAfter}`)
      yield* TestMerchant.assertFree(client_orderid)
      const { controlKey, endpointId } = Merchants.other
      TestMerchant.assertAccepted(yield* TestMerchant.create("SALE", {}, { endpointId, key: controlKey }))
    })
  )
})
