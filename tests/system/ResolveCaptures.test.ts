/** Several requests of one order that the bank left unknown, one after another. */
import { assert, layer } from "@effect/vitest"
import { approve } from "@pay/sandbox/Outcome"
import { SandboxControl } from "@pay/sandbox/SandboxControl"
import { Effect, Redacted } from "effect"
import * as Operating from "../harness/Operating.ts"
import * as TestGateway from "../harness/TestGateway.ts"
import * as TestMerchant from "../harness/TestMerchant.ts"

const tokens = { alice: "the token of alice", bob: "the token of bob" }
const operators = Object.entries(tokens).map(([name, token]) => ({ name, token: Redacted.make(token) }))

layer(TestGateway.layer({ operators }), { excludeTestServices: true })(
  "captures with unknown outcomes at the bank",
  (it) => {
    it.effect("are resolved one by one: a confirmation of the first does not resolve the second", () =>
      Effect.gen(function* () {
        const { next, settle } = yield* SandboxControl
        const order = yield* TestMerchant.order("PREAUTH")
        const target = `/operator/orders/${order.orderid}`
        const confirm = Operating.confirm(Operating.as(tokens.bob), order.orderid, { as: "approved" })
        const captured = Effect.fnUntraced(function* (amount: string, sequence: number) {
          yield* next("capture", { delivery: { _tag: "Undecided" } })
          yield* TestMerchant.act("CAPTURE", order, { amount, currency: "USD" })
          yield* TestMerchant.pass("1 hour")
          yield* settle(`${order.orderid}-capture-${sequence}`, approve)
          const stated = { as: "approved", evidence: "Ms Smith of the bank, by telephone" }
          assert.strictEqual((yield* Operating.as(tokens.alice)("POST", `${target}/resolve`, stated)).status, 202)
          const confirmed = yield* confirm
          assert.strictEqual(confirmed.status, 200, confirmed.text)
          assert.deepStrictEqual((yield* confirm).body, confirmed.body)
        })
        yield* captured("2.00", 1)
        assert.strictEqual(yield* TestMerchant.orderStatus(order), "approved capture 10.42 2.00 0.00 8.42")
        yield* captured("3.00", 2)
        assert.strictEqual(yield* TestMerchant.orderStatus(order), "approved capture 10.42 5.00 0.00 5.42")
        yield* TestMerchant.assertClean
      })
    )
  }
)
