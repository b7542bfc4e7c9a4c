import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as Operating from "../harness/Operating.ts"
import * as TestGateway from "../harness/TestGateway.ts"
import * as TestPayouts from "../harness/TestPayouts.ts"

const { endpoints, login } = TestGateway
const posting = { reference: "wire-1", merchant: login, endpoint: endpoints.usd, amount: "12.50" }

layer(TestGateway.layer(), { excludeTestServices: true })("an operator's posting to a payout balance", (it) => {
  it.effect("is booked once if it is sent ten times at the same time", () =>
    Effect.gen(function* () {
      const [before = 0] = yield* TestPayouts.balances()
      const replies = yield* Effect.forEach(
        Array.from({ length: 10 }, (_, n) => n),
        () => Operating.ask("POST", "/operator/balances", posting),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(replies.map(({ status }) => status).sort(), [...Array.from({ length: 9 }, () => 200), 201])
      assert.strictEqual((yield* TestPayouts.balances())[0], before + 1250)
      yield* TestPayouts.assertClean
    })
  )

  it.effect("makes a payout possible that was declined before", () =>
    Effect.gen(function* () {
      const endpointId = endpoints.jpy
      const payout = { ...TestPayouts.plain, currency: "JPY", amount: "10100" }
      const early = yield* TestPayouts.made("PAYOUT", payout, { endpointId })
      assert.strictEqual(yield* TestPayouts.orderStatus(early, { endpointId }), "declined payout_declined")
      yield* Operating.ask("POST", "/operator/balances", {
        ...posting,
        reference: "w3",
        endpoint: endpointId,
        amount: "100"
      })
      const later = yield* TestPayouts.made("PAYOUT", payout, { endpointId })
      assert.strictEqual(yield* TestPayouts.orderStatus(later, { endpointId }), "approved payout_approved")
      const { text } = yield* Operating.ask("GET", `/operator/balances?merchant=${login}`)
      const sums = '"currency":"JPY","available":"0","held":"0","paid":"10100"'
      assert.include(text, `{"endpoint":"${endpointId}",${sums}}`)
    })
  )
})
