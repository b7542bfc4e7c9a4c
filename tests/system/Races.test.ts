import { assert, layer } from "@effect/vitest"
import { SandboxControl } from "@pay/sandbox/SandboxControl"
import { Effect } from "effect"
import * as Play from "./Play.ts"
import * as TestGateway from "./TestGateway.ts"

const usd = (amount: string): Play.Fields => ({ amount, currency: "USD" })
const accepted = (replies: ReadonlyArray<TestGateway.Reply>) => replies.filter(({ status }) => status === 200).length
const key = (i: number): Play.Options => ({ headers: { "idempotency-key": `k${i}` } })
const atOnce = <E, R>(count: number, act: (i: number) => Effect.Effect<TestGateway.Reply, E, R>) =>
  Effect.all(
    Array.from({ length: count }, (_, i) => act(i)),
    { concurrency: "unbounded" }
  )

layer(TestGateway.layer(), { excludeTestServices: true })("at the same moment", (it) => {
  it.effect("a hundred captures of a dollar: ten fit, nothing more is asked of the bank", () =>
    Effect.gen(function* () {
      const order = yield* Play.order("PREAUTH")
      const replies = yield* atOnce(100, (i) => Play.act("CAPTURE", order, usd("1.00"), key(i)))
      yield* Play.settled
      assert.strictEqual(accepted(replies), 10)
      for (const reply of replies.filter(({ status }) => status !== 200)) Play.assertRefused(reply, "amountExceeds")
      assert.strictEqual(yield* Play.standing(order), "approved capture 10.42 10.00 0.00 0.42")
      yield* Play.assertClean
    })
  )

  it.effect("a hundred returns of a dollar: ten fit", () =>
    Effect.gen(function* () {
      const order = yield* Play.order("SALE")
      const replies = yield* atOnce(100, (i) => Play.act("RETURN", order, usd("1.00"), key(i)))
      yield* Play.settled
      assert.strictEqual(accepted(replies), 10)
      assert.strictEqual(yield* Play.standing(order), "approved sale 10.42 10.42 10.00 0.00")
      yield* Play.assertClean
    })
  )

  it.effect("captures, voids and returns of all kinds: whatever wins, the books add up", () =>
    Effect.gen(function* () {
      const kinds = [
        ["CAPTURE", usd("3.00")],
        ["VOID", {}],
        ["CAPTURE", {}],
        ["RETURN", {}],
        ["RETURN", usd("2.00")]
      ] as const
      for (let round = 0; round < 10; round += 1) {
        const order = yield* Play.order("PREAUTH")
        yield* atOnce(25, (i) => {
          const [name, fields] = kinds[(i + round) % kinds.length] ?? kinds[0]
          return Play.act(name, order, fields, key(i))
        })
        yield* Play.assertClean
      }
    })
  )

  it.effect("a capture that moves keeps out void and return, and counts as used", () =>
    Effect.gen(function* () {
      const control = yield* SandboxControl
      const order = yield* Play.order("PREAUTH")
      yield* Play.done("CAPTURE", order, usd("1.00"))
      yield* control.next("capture", { journey: { _tag: "Undecided", forMs: 4_000 } })
      yield* Play.done("CAPTURE", order, usd("3.00"))
      Play.assertRefused(yield* Play.act("VOID", order), "orderState")
      Play.assertRefused(yield* Play.act("RETURN", order), "orderState")
      Play.assertRefused(yield* Play.act("RETURN", order, usd("0.50")), "orderState")
      Play.assertRefused(yield* Play.act("CAPTURE", order, usd("6.43")), "amountExceeds")
      Play.assertAccepted(yield* Play.act("CAPTURE", order, usd("6.42")))
      yield* Play.pass("10 seconds")
      assert.strictEqual(yield* Play.standing(order), "approved capture 10.42 10.42 0.00 0.00")
      yield* Play.assertClean
    })
  )

  it.effect("a return that moves counts as used; after its failure the money is there again", () =>
    Effect.gen(function* () {
      const control = yield* SandboxControl
      const order = yield* Play.order("SALE")
      yield* control.next("refund", {
        journey: { _tag: "Undecided", forMs: 4_000 },
        verdict: { _tag: "Decline", code: 100, message: "Do not honour" }
      })
      yield* Play.done("RETURN", order, usd("4.00"))
      Play.assertRefused(yield* Play.act("RETURN", order, usd("6.43")), "amountExceeds")
      yield* Play.pass("10 seconds")
      assert.strictEqual(yield* Play.standing(order), "approved sale 10.42 10.42 0.00 0.00")
      yield* Play.done("RETURN", order, usd("6.43"))
      assert.strictEqual(yield* Play.standing(order), "approved sale 10.42 10.42 6.43 0.00")
      yield* Play.assertClean
    })
  )

  for (const name of ["VOID", "RETURN"] as const) {
    it.effect(`while a ${name.toLowerCase()} of the hold moves, captures are refused`, () =>
      Effect.gen(function* () {
        const control = yield* SandboxControl
        const order = yield* Play.order("PREAUTH")
        yield* control.next("cancel", { journey: { _tag: "Undecided", forMs: 4_000 } })
        yield* Play.done(name, order)
        Play.assertRefused(yield* Play.act("CAPTURE", order), "orderState")
        Play.assertRefused(yield* Play.act("CAPTURE", order, usd("1.00")), "orderState")
        yield* Play.pass("10 seconds")
        assert.strictEqual(yield* Play.standing(order), "approved cancel 10.42 0.00 0.00 0.00")
        yield* Play.assertClean
      })
    )
  }

  it.effect("while a void moves, another one is refused, and a return of all; after it, another one too", () =>
    Effect.gen(function* () {
      const control = yield* SandboxControl
      const order = yield* Play.order("PREAUTH")
      yield* Play.done("CAPTURE", order, usd("4.00"))
      yield* control.next("cancel", { journey: { _tag: "Undecided", forMs: 4_000 } })
      yield* Play.done("VOID", order, {}, key(1))
      Play.assertRefused(yield* Play.act("VOID", order, {}, key(2)), "orderState")
      Play.assertRefused(yield* Play.act("RETURN", order), "orderState")
      yield* Play.pass("10 seconds")
      Play.assertRefused(yield* Play.act("VOID", order, {}, key(3)), "orderState")
      yield* Play.done("RETURN", order)
      assert.strictEqual(yield* Play.standing(order), "approved reversal 10.42 4.00 4.00 0.00")
      yield* Play.assertClean
    })
  )

  it.effect("twenty voids under keys of their own: one release", () =>
    Effect.gen(function* () {
      const order = yield* Play.order("PREAUTH")
      const replies = yield* atOnce(20, (i) => Play.act("VOID", order, {}, key(i)))
      yield* Play.settled
      assert.strictEqual(accepted(replies), 1)
      assert.strictEqual(yield* Play.standing(order), "approved cancel 10.42 0.00 0.00 0.00")
      yield* Play.assertClean
    })
  )
})
