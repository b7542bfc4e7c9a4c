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

  it.effect("is refused with different content", () =>
    Effect.gen(function* () {
      const order = yield* TestMerchant.order("PREAUTH")
      yield* TestMerchant.done("CAPTURE", order, usd("1.00"), under("a"))
      for (const fields of [usd("1.01"), {}, { ...usd("1.00"), comment: "more" }]) {
        TestMerchant.assertRefused(
          yield* TestMerchant.act("CAPTURE", order, fields, under("a")),
          "idempotencyKeyConflict"
        )
      }
      const elsewhere = { ...under("a"), endpointId: TestGateway.endpoints.group }
      TestMerchant.assertRefused(
        yield* TestMerchant.act("CAPTURE", order, usd("1.00"), elsewhere),
        "idempotencyKeyConflict"
      )
      assert.strictEqual(yield* TestMerchant.orderStatus(order), "approved capture 10.42 1.00 0.00 9.42")
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

  it.effect("stays bound to a request that the bank declined, and another key sends a new one", () =>
    Effect.gen(function* () {
      const control = yield* SandboxControl
      const order = yield* TestMerchant.order("PREAUTH")
      yield* control.next("capture", decline)
      const first = yield* TestMerchant.done("CAPTURE", order, {}, under("a"))
      const again = yield* TestMerchant.done("CAPTURE", order, {}, under("a"))
      assert.deepStrictEqual(sameBut(again), sameBut(first))
      assert.deepInclude(yield* TestMerchant.outcomeOf(again), { status: "declined" })
      assert.strictEqual(yield* TestMerchant.orderStatus(order), "approved preauth 10.42 0.00 0.00 10.42")
      yield* TestMerchant.done("CAPTURE", order, {}, under("b"))
      assert.strictEqual(yield* TestMerchant.orderStatus(order), "approved capture 10.42 10.42 0.00 0.00")
      yield* TestMerchant.assertClean
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

interface Whole {
  readonly name: string
  readonly creation: TestMerchant.Creation
  readonly before?: readonly [TestMerchant.FollowUp, TestMerchant.Fields]
  readonly act: TestMerchant.FollowUp
  readonly bank: "capture" | "cancel" | "refund"
  readonly stands: string
}

const wholes: ReadonlyArray<Whole> = [
  { name: "a void", creation: "PREAUTH", act: "VOID", bank: "cancel", stands: "approved cancel 10.42 0.00 0.00 0.00" },
  {
    name: "a capture of all",
    creation: "PREAUTH",
    act: "CAPTURE",
    bank: "capture",
    stands: "approved capture 10.42 10.42 0.00 0.00"
  },
  {
    name: "a capture of the rest",
    creation: "PREAUTH",
    before: ["CAPTURE", usd("4.00")],
    act: "CAPTURE",
    bank: "capture",
    stands: "approved capture 10.42 10.42 0.00 0.00"
  },
  {
    name: "a return of a sale",
    creation: "SALE",
    act: "RETURN",
    bank: "refund",
    stands: "approved reversal 10.42 10.42 10.42 0.00"
  },
  {
    name: "a return of the rest",
    creation: "SALE",
    before: ["RETURN", usd("4.00")],
    act: "RETURN",
    bank: "refund",
    stands: "approved reversal 10.42 10.42 10.42 0.00"
  },
  {
    name: "a return of a preauth",
    creation: "PREAUTH",
    act: "RETURN",
    bank: "cancel",
    stands: "approved cancel 10.42 0.00 0.00 0.00"
  }
]

layer(TestGateway.layer(), { excludeTestServices: true })("a follow-up without an Idempotency-Key", (it) => {
  for (const { act, bank, before, creation, name, stands } of wholes) {
    it.effect(`${name} is a replay while the first is under way or done, and a new request after a failure`, () =>
      Effect.gen(function* () {
        const control = yield* SandboxControl
        const order = yield* TestMerchant.order(creation)
        if (before !== undefined) yield* TestMerchant.done(before[0], order, before[1])
        const stood = yield* TestMerchant.orderStatus(order)
        yield* control.next(bank, decline)
        const failed = yield* TestMerchant.done(act, order)
        assert.deepInclude(yield* TestMerchant.outcomeOf(failed), { status: "declined" })
        assert.strictEqual(yield* TestMerchant.orderStatus(order), stood)

        yield* control.next(bank, busy)
        const first = yield* TestMerchant.done(act, order)
        assert.deepInclude(yield* TestMerchant.status(order), { status: "processing" })
        const moving = yield* TestMerchant.done(act, order)
        yield* TestMerchant.pass("1 second")
        assert.strictEqual(yield* TestMerchant.orderStatus(order), stands)
        const done = yield* TestMerchant.done(act, order)
        for (const again of [moving, done]) {
          assert.deepStrictEqual(sameBut(again), sameBut(first))
          assert.notStrictEqual(TestMerchant.text(again, "serial-number"), TestMerchant.text(first, "serial-number"))
          assert.deepInclude(yield* TestMerchant.outcomeOf(again), { status: "approved" })
        }
        assert.strictEqual(yield* TestMerchant.orderStatus(order), stands)
        yield* TestMerchant.assertClean
      })
    )
  }

  it.effect("an equal partial amount is refused with the earlier request's number, and accepted with a key", () =>
    Effect.gen(function* () {
      for (const [creation, name, stands] of [
        ["PREAUTH", "CAPTURE", "approved capture 10.42 3.50 0.00 6.92"],
        ["SALE", "RETURN", "approved sale 10.42 10.42 3.50 0.00"]
      ] as const) {
        const order = yield* TestMerchant.order(creation)
        const first = yield* TestMerchant.done(name, order, usd("1.00"))
        for (const amount of ["1.00", "1", "1.0"]) {
          const again = yield* TestMerchant.act(name, order, usd(amount))
          TestMerchant.assertRefused(again, "repeatedWithoutKey")
          assert.include(TestMerchant.text(again, "error-message"), TestMerchant.text(first, "serial-number"))
          assert.include(TestMerchant.text(again, "error-message"), "Idempotency-Key")
        }
        yield* TestMerchant.done(name, order, usd("1.50"))
        yield* TestMerchant.done(name, order, usd("1.00"), under("a"))
        assert.strictEqual(yield* TestMerchant.orderStatus(order), stands)
        yield* TestMerchant.assertClean
      }
    })
  )

  it.effect("one of ten equal partial amounts at the same time is accepted", () =>
    Effect.gen(function* () {
      const order = yield* TestMerchant.order("SALE")
      const replies = yield* Effect.all(
        Array.from({ length: 10 }, () => TestMerchant.act("RETURN", order, usd("1.00"))),
        { concurrency: "unbounded" }
      )
      yield* TestMerchant.settled
      assert.strictEqual(replies.filter(({ status }) => status === 200).length, 1)
      for (const reply of replies.filter(({ status }) => status !== 200))
        TestMerchant.assertRefused(reply, "repeatedWithoutKey")
      assert.strictEqual(yield* TestMerchant.orderStatus(order), "approved sale 10.42 10.42 1.00 0.00")
    })
  )

  it.effect("an equal partial amount is a new request a day later or after a failure", () =>
    Effect.gen(function* () {
      const control = yield* SandboxControl
      const order = yield* TestMerchant.order("SALE")
      yield* control.next("refund", decline)
      yield* TestMerchant.done("RETURN", order, usd("1.00"))
      yield* TestMerchant.done("RETURN", order, usd("1.00"))
      yield* TestMerchant.pass("23 hours")
      TestMerchant.assertRefused(yield* TestMerchant.act("RETURN", order, usd("1.00")), "repeatedWithoutKey")
      yield* TestMerchant.pass("1 hour")
      yield* TestMerchant.done("RETURN", order, usd("1.00"))
      assert.strictEqual(yield* TestMerchant.orderStatus(order), "approved sale 10.42 10.42 2.00 0.00")
      yield* TestMerchant.assertClean
    })
  )
})
