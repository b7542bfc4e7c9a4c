import { assert, it, layer } from "@effect/vitest"
import { SandboxControl } from "@pay/sandbox/SandboxControl"
import { Effect } from "effect"
import { temporaryFolder } from "../../packages/sqlite/test/TemporaryFolder.ts"
import * as Merchants from "../harness/Merchants.ts"
import * as TestGateway from "../harness/TestGateway.ts"
import * as TestMerchant from "../harness/TestMerchant.ts"

const usd = (amount: string): TestMerchant.Fields => ({ amount, currency: "USD" })
const under = (key: string): TestMerchant.Options => ({ headers: { "idempotency-key": key } })
const decline = { verdict: { _tag: "Decline", code: 100, message: "Do not honour" } } as const
/** The bank cannot be reached once: the request is under way until a second has passed. */
const busy = { delivery: { _tag: "NotSent", times: 1 } } as const

const sameBut = ({ body }: TestGateway.Reply) => ({ ...body, "serial-number": "" })

layer(TestGateway.layer({ merchants: Merchants.both() }), { excludeTestServices: true })("an Idempotency-Key", (it) => {
  it.effect("makes a repeat a replay: the same body under a new serial-number of the same request", () =>
    Effect.gen(function* () {
      const order = yield* TestMerchant.order("PREAUTH")
      const first = yield* TestMerchant.done("CAPTURE", order, usd("1.00"), under("a"))
      yield* TestMerchant.done("CAPTURE", order, usd("2.00"), under("b"))
      for (const amount of ["1.00", "1", "1.0", " 01.00 "]) {
        const again = yield* TestMerchant.done("CAPTURE", order, usd(amount), under("a"))
        assert.deepStrictEqual(sameBut(again), sameBut(first))
        assert.notStrictEqual(TestMerchant.text(again, "serial-number"), TestMerchant.text(first, "serial-number"))
        assert.deepInclude(yield* TestMerchant.outcomeOf(again), { status: "approved", amount: "1.00" })
      }
      assert.strictEqual(yield* TestMerchant.orderStatus(order), "approved capture 10.42 3.00 0.00 7.42")
      yield* TestMerchant.assertClean
    })
  )

  it.effect("is scoped to merchant, operation and order", () =>
    Effect.gen(function* () {
      const { controlKey, endpointId, login } = Merchants.other
      const theirs = { endpointId, key: controlKey }
      const orders = [yield* TestMerchant.order("PREAUTH"), yield* TestMerchant.order("PREAUTH")]
      for (const order of orders) {
        yield* TestMerchant.done("CAPTURE", order, usd("1.00"), under("a"))
        yield* TestMerchant.done("RETURN", order, usd("1.00"), under("a"))
        assert.strictEqual(yield* TestMerchant.orderStatus(order), "approved reversal 10.42 1.00 1.00 0.00")
      }
      const foreign = yield* TestMerchant.order("PREAUTH", {}, theirs)
      yield* TestMerchant.done("CAPTURE", foreign, { login, ...usd("2.00") }, { ...under("a"), ...theirs })
      yield* TestMerchant.assertClean
    })
  )

  it.effect("can be used again after a refusal", () =>
    Effect.gen(function* () {
      const order = yield* TestMerchant.order("PREAUTH")
      TestMerchant.assertRefused(yield* TestMerchant.act("CAPTURE", order, usd("99.00"), under("a")), "amountExceeds")
      TestMerchant.assertRefused(yield* TestMerchant.act("CAPTURE", order, usd("1e1"), under("a")), "parameterInvalid")
      TestMerchant.assertRefused(yield* TestMerchant.act("RETURN", order, usd("1.00"), under("a")), "amountNotAllowed")
      yield* TestMerchant.done("CAPTURE", order, usd("1.00"), under("a"))
      yield* TestMerchant.done("RETURN", order, usd("1.00"), under("a"))
      assert.strictEqual(yield* TestMerchant.orderStatus(order), "approved reversal 10.42 1.00 1.00 0.00")
    })
  )

  it.effect("commits once if it is used thirty times at the same time, with one answer for all", () =>
    Effect.gen(function* () {
      const order = yield* TestMerchant.order("SALE")
      const replies = yield* Effect.all(
        Array.from({ length: 30 }, () => TestMerchant.act("RETURN", order, usd("1.00"), under("a"))),
        { concurrency: "unbounded" }
      )
      for (const reply of replies) {
        TestMerchant.assertAccepted(reply)
        assert.deepInclude(yield* TestMerchant.outcomeOf(reply), { amount: "1.00", "transaction-type": "reversal" })
      }
      yield* TestMerchant.settled
      assert.strictEqual(yield* TestMerchant.orderStatus(order), "approved sale 10.42 10.42 1.00 0.00")
      yield* TestMerchant.assertClean
    })
  )

  it.effect("has 1 to 255 printable ASCII characters", () =>
    Effect.gen(function* () {
      const order = yield* TestMerchant.order("PREAUTH")
      for (const key of ["", "k".repeat(256), "clé", "a\tb"]) {
        TestMerchant.assertRefused(
          yield* TestMerchant.act("CAPTURE", order, usd("1.00"), under(key)),
          "idempotencyKeyInvalid"
        )
      }
      yield* TestMerchant.done("CAPTURE", order, usd("1.00"), under("k".repeat(255)))
      yield* TestMerchant.done("CAPTURE", order, usd("1.00"), under("!~ #1"))
      assert.strictEqual(yield* TestMerchant.orderStatus(order), "approved capture 10.42 2.00 0.00 8.42")
    })
  )
})

it.live("an Idempotency-Key is still bound after a restart of the gateway", () =>
  Effect.gen(function* () {
    const folder = yield* temporaryFolder
    const order = yield* Effect.gen(function* () {
      const order = yield* TestMerchant.order("PREAUTH")
      yield* TestMerchant.done("CAPTURE", order, usd("1.00"), under("a"))
      return order
    }).pipe(TestGateway.running(folder))
    yield* Effect.gen(function* () {
      yield* TestMerchant.done("CAPTURE", order, usd("1.00"), under("a"))
      assert.strictEqual(yield* TestMerchant.orderStatus(order), "approved capture 10.42 1.00 0.00 9.42")
      yield* TestMerchant.assertClean
    }).pipe(TestGateway.running(folder))
  })
)

layer(TestGateway.layer(), { excludeTestServices: true })("a follow-up without an Idempotency-Key", (it) => {
  it.effect("is a replay while the first is under way or done, and a new request after a failure", () =>
    Effect.gen(function* () {
      const control = yield* SandboxControl
      const order = yield* TestMerchant.order("PREAUTH")
      yield* TestMerchant.done("CAPTURE", order, usd("4.00"))
      yield* control.next("capture", decline)
      const failed = yield* TestMerchant.done("CAPTURE", order)
      assert.deepInclude(yield* TestMerchant.outcomeOf(failed), { status: "declined" })
      assert.strictEqual(yield* TestMerchant.orderStatus(order), "approved capture 10.42 4.00 0.00 6.42")

      yield* control.next("capture", busy)
      const first = yield* TestMerchant.done("CAPTURE", order)
      assert.deepInclude(yield* TestMerchant.status(order), { status: "processing" })
      const moving = yield* TestMerchant.done("CAPTURE", order)
      yield* TestMerchant.pass("1 second")
      const done = yield* TestMerchant.done("CAPTURE", order)
      for (const again of [moving, done]) {
        assert.deepStrictEqual(sameBut(again), sameBut(first))
        assert.notStrictEqual(TestMerchant.text(again, "serial-number"), TestMerchant.text(first, "serial-number"))
        assert.deepInclude(yield* TestMerchant.outcomeOf(again), { status: "approved" })
      }
      assert.strictEqual(yield* TestMerchant.orderStatus(order), "approved capture 10.42 10.42 0.00 0.00")
      yield* TestMerchant.assertClean
    })
  )
})
