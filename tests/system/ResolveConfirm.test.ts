/** What a second person confirms is what was read: the digest of the proposal. */
import { assert, layer } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import * as Operating from "../harness/Operating.ts"
import * as TestGateway from "../harness/TestGateway.ts"
import * as TestMerchant from "../harness/TestMerchant.ts"

const [alice, bob] = [Operating.as("alice"), Operating.as("bob")]
const operators = ["alice", "bob"].map((name) => ({ name, token: Redacted.make(name) }))
const stated = { as: "approved", evidence: "Ms Smith of the bank, by telephone", approvalCode: "831000" }

layer(TestGateway.layer({ operators }), { excludeTestServices: true })("a confirmation of a changed proposal", (it) => {
  const changes: ReadonlyArray<readonly [string, object]> = [
    ["evidence", { ...stated, evidence: "Mr Brown, by letter" }],
    ["approval code", { ...stated, approvalCode: "831001" }],
    ["transaction", { ...stated, processorTxId: "T-2" }]
  ]
  it.effect.each(changes)("is refused if its %s has changed since it was read", ([, otherwise]) =>
    Effect.gen(function* () {
      const order = yield* TestMerchant.order("SALE", { cvv2: "217" })
      yield* TestMerchant.pass("1 hour")
      const propose = (statement: object) => alice("POST", `/operator/orders/${order.orderid}/resolve`, statement)
      const read = yield* propose(stated)
      assert.deepInclude(read.body, { amount: "10.42", currency: "USD", approvalCode: "831000" })
      const changed = yield* propose(otherwise)
      const late = yield* Operating.confirm(bob, order.orderid, { as: "approved", digest: read.body.digest })
      assert.strictEqual(late.status, 409)
      assert.include(late.text, "the current proposal differs")
      assert.include(yield* TestMerchant.orderStatus(order), "unknown sale")
      const { status } = yield* Operating.confirm(bob, order.orderid, { as: "approved", digest: changed.body.digest })
      assert.strictEqual(status, 200)
    })
  )
})
