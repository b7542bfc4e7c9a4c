import { assert, layer } from "@effect/vitest"
import { SandboxControl } from "@pay/sandbox/SandboxControl"
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

  it.effect("a hundred returns of 1.00 return 10.00 of a sale of 10.42", () =>
    Effect.gen(function* () {
      const order = yield* TestMerchant.order("SALE")
      const replies = yield* atOnce(100, (i) => TestMerchant.act("RETURN", order, usd("1.00"), key(i)))
      yield* TestMerchant.settled
      assert.strictEqual(accepted(replies), 10)
      assert.strictEqual(yield* TestMerchant.orderStatus(order), "approved sale 10.42 10.42 10.00 0.00")
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

  it.effect("a capture under way blocks void and return, and its amount counts as used", () =>
    Effect.gen(function* () {
      const control = yield* SandboxControl
      const order = yield* TestMerchant.order("PREAUTH")
      yield* TestMerchant.done("CAPTURE", order, usd("1.00"))
      yield* control.next("capture", { delivery: { _tag: "Undecided", forMs: 4_000 } })
      yield* TestMerchant.done("CAPTURE", order, usd("3.00"))
      TestMerchant.assertRefused(yield* TestMerchant.act("VOID", order), "orderState")
      TestMerchant.assertRefused(yield* TestMerchant.act("RETURN", order), "orderState")
      TestMerchant.assertRefused(yield* TestMerchant.act("RETURN", order, usd("0.50")), "orderState")
      TestMerchant.assertRefused(yield* TestMerchant.act("CAPTURE", order, usd("6.43")), "amountExceeds")
      TestMerchant.assertAccepted(yield* TestMerchant.act("CAPTURE", order, usd("6.42")))
      yield* TestMerchant.pass("10 seconds")
      assert.strictEqual(yield* TestMerchant.orderStatus(order), "approved capture 10.42 10.42 0.00 0.00")
      yield* TestMerchant.assertClean
    })
  )

  it.effect("the amount of a return under way counts as used, and is available again after its failure", () =>
    Effect.gen(function* () {
      const control = yield* SandboxControl
      const order = yield* TestMerchant.order("SALE")
      yield* control.next("refund", {
        delivery: { _tag: "Undecided", forMs: 4_000 },
        verdict: { _tag: "Decline", code: 100, message: "Do not honour" }
      })
      yield* TestMerchant.done("RETURN", order, usd("4.00"))
      TestMerchant.assertRefused(yield* TestMerchant.act("RETURN", order, usd("6.43")), "amountExceeds")
      yield* TestMerchant.pass("10 seconds")
      assert.strictEqual(yield* TestMerchant.orderStatus(order), "approved sale 10.42 10.42 0.00 0.00")
      yield* TestMerchant.done("RETURN", order, usd("6.43"))
      assert.strictEqual(yield* TestMerchant.orderStatus(order), "approved sale 10.42 10.42 6.43 0.00")
      yield* TestMerchant.assertClean
    })
  )

  for (const name of ["VOID", "RETURN"] as const) {
    it.effect(`a ${name.toLowerCase()} of the hold under way blocks captures`, () =>
      Effect.gen(function* () {
        const control = yield* SandboxControl
        const order = yield* TestMerchant.order("PREAUTH")
        yield* control.next("cancel", { delivery: { _tag: "Undecided", forMs: 4_000 } })
        yield* TestMerchant.done(name, order)
        TestMerchant.assertRefused(yield* TestMerchant.act("CAPTURE", order), "orderState")
        TestMerchant.assertRefused(yield* TestMerchant.act("CAPTURE", order, usd("1.00")), "orderState")
        yield* TestMerchant.pass("10 seconds")
        assert.strictEqual(yield* TestMerchant.orderStatus(order), "approved cancel 10.42 0.00 0.00 0.00")
        yield* TestMerchant.assertClean
      })
    )
  }

  it.effect("a void blocks another void and a whole return while it is under way, and another void afterwards", () =>
    Effect.gen(function* () {
      const control = yield* SandboxControl
      const order = yield* TestMerchant.order("PREAUTH")
      yield* TestMerchant.done("CAPTURE", order, usd("4.00"))
      yield* control.next("cancel", { delivery: { _tag: "Undecided", forMs: 4_000 } })
      yield* TestMerchant.done("VOID", order, {}, key(1))
      TestMerchant.assertRefused(yield* TestMerchant.act("VOID", order, {}, key(2)), "orderState")
      TestMerchant.assertRefused(yield* TestMerchant.act("RETURN", order), "orderState")
      yield* TestMerchant.pass("10 seconds")
      TestMerchant.assertRefused(yield* TestMerchant.act("VOID", order, {}, key(3)), "orderState")
      yield* TestMerchant.done("RETURN", order)
      assert.strictEqual(yield* TestMerchant.orderStatus(order), "approved reversal 10.42 4.00 4.00 0.00")
      yield* TestMerchant.assertClean
    })
  )

  it.effect("twenty voids with different keys release the hold once", () =>
    Effect.gen(function* () {
      const order = yield* TestMerchant.order("PREAUTH")
      const replies = yield* atOnce(20, (i) => TestMerchant.act("VOID", order, {}, key(i)))
      yield* TestMerchant.settled
      assert.strictEqual(accepted(replies), 1)
      assert.strictEqual(yield* TestMerchant.orderStatus(order), "approved cancel 10.42 0.00 0.00 0.00")
      yield* TestMerchant.assertClean
    })
  )
})
