import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as TestGateway from "../harness/TestGateway.ts"
import * as TestMerchant from "../harness/TestMerchant.ts"

const usd = (amount: string): TestMerchant.Fields => ({ amount, currency: "USD" })
const accepted = (replies: ReadonlyArray<TestGateway.Reply>) => replies.filter(({ status }) => status === 200).length
const key = (i: number): TestMerchant.Options => ({ headers: { "idempotency-key": `k${i}` } })
const atOnce = <E, R>(count: number, act: (i: number) => Effect.Effect<TestGateway.Reply, E, R>) =>
  Effect.all(
    Array.from({ length: count }, (_, i) => act(i)),
    { concurrency: "unbounded" }
  )

layer(TestGateway.layer(), { excludeTestServices: true })("follow-ups at the same time", (it) => {
  it.effect("a hundred captures of 1.00 capture 10.00 of a hold of 10.42, and the bank gets no more", () =>
    Effect.gen(function* () {
      const order = yield* TestMerchant.order("PREAUTH")
      const replies = yield* atOnce(100, (i) => TestMerchant.act("CAPTURE", order, usd("1.00"), key(i)))
      yield* TestMerchant.settled
      assert.strictEqual(accepted(replies), 10)
      for (const reply of replies.filter(({ status }) => status !== 200))
        TestMerchant.assertRefused(reply, "amountExceeds")
      assert.strictEqual(yield* TestMerchant.orderStatus(order), "approved capture 10.42 10.00 0.00 0.42")
      yield* TestMerchant.assertClean
    })
  )

  it.effect("captures, voids and returns in any combination keep the books in balance", () =>
    Effect.gen(function* () {
      const kinds = [
        ["CAPTURE", usd("3.00")],
        ["VOID", {}],
        ["CAPTURE", {}],
        ["RETURN", {}],
        ["RETURN", usd("2.00")]
      ] as const
      for (let round = 0; round < 10; round += 1) {
        const order = yield* TestMerchant.order("PREAUTH")
        yield* atOnce(25, (i) => {
          const [name, fields] = kinds[(i + round) % kinds.length] ?? kinds[0]
          return TestMerchant.act(name, order, fields, key(i))
        })
        yield* TestMerchant.assertClean
      }
    })
  )
})
