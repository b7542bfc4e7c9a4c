import { assert, layer } from "@effect/vitest"
import * as Decision from "@pay/gateway/Decision"
import { Balance } from "@pay/gateway/Entities"
import { Store } from "@pay/gateway/Store"
import { SandboxControl } from "@pay/sandbox/SandboxControl"
import { Effect, Redacted } from "effect"
import * as Operating from "../harness/Operating.ts"
import * as TestGateway from "../harness/TestGateway.ts"
import * as TestMerchant from "../harness/TestMerchant.ts"

const tokens = { alice: "the token of alice", bob: "the token of bob" }
const alice = Operating.as(tokens.alice)
const bob = Operating.as(tokens.bob)
const operators = Object.entries(tokens).map(([name, token]) => ({ name, token: Redacted.make(token) }))

const account = `${TestGateway.login}/${TestGateway.endpoints.usd}/USD/merchant_settlement`

const put = (minor: bigint) =>
  Effect.flatMap(Store, (store) => store.commit({ guards: [], writes: [Decision.put(Balance, { account, minor })] }))

/** A sale that the bank approves when no store can add its amount to the account any more. */
const uncommitted = Effect.gen(function* () {
  const { next } = yield* SandboxControl
  yield* next("authorize", { delivery: { _tag: "NotSent", times: 1 } })
  const store = yield* Store
  const before = (yield* store.load(Balance, [account]))?.minor ?? 0n
  const order = yield* TestMerchant.order("SALE")
  yield* put(2n ** 63n - 1n)
  yield* TestMerchant.pass("2 seconds")
  return { order, mend: put(before) }
})

const statement = { as: "approved", evidence: "The bank's list of today", approvalCode: "831000" }

layer(TestGateway.layer({ operators }), { excludeTestServices: true })(
  "a sale that the bank approved and the store cannot book",
  (it) => {
    it.effect("is unknown, visible in tasks, metrics and the order, and two operators resolve it", () =>
      Effect.gen(function* () {
        const { mend, order } = yield* uncommitted
        assert.include(yield* TestMerchant.orderStatus(order), "unknown sale")
        const task = `${order.orderid}-sale-0.uncommitted`
        const { text } = yield* alice("GET", "/operator/tasks?state=open")
        assert.include(text, task)
        assert.include(text, "The answer cannot be committed: ")
        assert.include((yield* alice("GET", `/operator/orders/${order.orderid}`)).text, "Approved")
        const metrics = (yield* alice("GET", "/metrics")).text
        assert.match(metrics, /^pay_unknown_requests 1$/m)
        assert.match(metrics, /^pay_tasks_open 1$/m)
        const reversed = yield* alice("POST", `/operator/tasks/${task}/reverse`, { note: "give it back" })
        assert.strictEqual(reversed.status, 409)
        assert.include(reversed.text, `pay orders resolve ${order.orderid}`)

        yield* TestMerchant.pass("1 hour")
        yield* alice("POST", `/operator/orders/${order.orderid}/resolve`, statement)
        const refused = yield* Operating.confirm(bob, order.orderid, { as: "approved" })
        assert.strictEqual(refused.status, 409, refused.text)
        assert.include(refused.text, "cannot be committed")
        yield* mend
        const confirmed = yield* Operating.confirm(bob, order.orderid, { as: "approved" })
        assert.strictEqual(confirmed.status, 200, confirmed.text)
        assert.strictEqual(yield* TestMerchant.orderStatus(order), "approved sale 10.42 10.42 0.00 0.00")
        assert.include((yield* alice("GET", "/operator/tasks?state=closed")).text, task)
        yield* TestMerchant.assertClean
      })
    )

    it.effect("is booked by itself once the store can, and its task closes", () =>
      Effect.gen(function* () {
        const { mend, order } = yield* uncommitted
        yield* mend
        yield* TestMerchant.pass("1 hour")
        assert.strictEqual(yield* TestMerchant.orderStatus(order), "approved sale 10.42 10.42 0.00 0.00")
        assert.notInclude((yield* alice("GET", "/operator/tasks?state=open")).text, order.orderid)
        yield* TestMerchant.assertClean
      })
    )
  }
)
