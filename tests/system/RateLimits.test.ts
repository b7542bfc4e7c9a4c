import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as Merchants from "./Merchants.ts"
import * as Play from "./Play.ts"
import * as TestGateway from "./TestGateway.ts"

const rate = { perSecond: 0.01, burst: 2 }

layer(TestGateway.layer({ merchants: Merchants.both(), settings: { merchantRate: rate } }), {
  excludeTestServices: true
})("two requests at once per merchant", (it) => {
  it.effect("the third is sent away and told when to come back; another merchant is not held up", () =>
    Effect.gen(function* () {
      const unsigned = yield* Play.create("SALE", {}, { key: "wrong" })
      Play.assertRefused(unsigned, "authenticationFailed")
      Play.assertAccepted(yield* Play.create("SALE"))
      Play.assertAccepted(yield* Play.create("SALE"))
      const client_orderid = Play.freshId()
      const third = yield* Play.create("SALE", { client_orderid })
      Play.assertRefused(third, "rateLimited")
      const retryAfter = Number(third.headers["retry-after"])
      assert.strictEqual(
        Play.text(third, "error-message"),
        `Too many requests of this merchant; try again in ${retryAfter} s`
      )
      assert(retryAfter > 0 && retryAfter <= 100 && Number.isInteger(retryAfter), `Retry-After: ${retryAfter}`)
      yield* Play.assertFree(client_orderid)
      const { controlKey, endpointId } = Merchants.other
      Play.assertAccepted(yield* Play.create("SALE", {}, { endpointId, key: controlKey }))
    })
  )
})

layer(TestGateway.layer({ settings: { addressRate: rate } }), { excludeTestServices: true })(
  "two requests at once per address",
  (it) => {
    it.effect("whoever asks, and whatever for", () =>
      Effect.gen(function* () {
        Play.assertRefused(yield* TestGateway.raw({ path: "/nothing", body: "" }), "notFound")
        Play.assertRefused(yield* Play.create("SALE", {}, { key: "wrong" }), "authenticationFailed")
        const third = yield* TestGateway.raw({ path: "/nothing", body: "" })
        Play.assertRefused(third, "rateLimited")
        assert.match(Play.text(third, "error-message"), /^Too many requests from this address; try again in \d+ s$/)
        assert.isString(third.headers["retry-after"])
      })
    )
  }
)
