import { it as alone, assert, layer } from "@effect/vitest"
import { SandboxControl } from "@pay/sandbox/SandboxControl"
import { Effect } from "effect"
import * as Merchants from "./Merchants.ts"
import * as Play from "./Play.ts"
import * as TestGateway from "./TestGateway.ts"

const usd = (amount: string): Play.Fields => ({ amount, currency: "USD" })
const under = (key: string): Play.Options => ({ headers: { "idempotency-key": key } })
const decline = { verdict: { _tag: "Decline", code: 100, message: "Do not honour" } } as const
/** The bank cannot be reached once: the request is under way until a second has passed. */
const busy = { journey: { _tag: "NotSent", times: 1 } } as const

const sameBut = ({ body }: TestGateway.Reply) => ({ ...body, "serial-number": "" })

layer(TestGateway.layer({ merchants: Merchants.both() }), { excludeTestServices: true })("an Idempotency-Key", (it) => {
  it.effect(
    "makes a repetition a replay: the same body, a serial-number of its own that leads to the same request",
    () =>
      Effect.gen(function* () {
        const order = yield* Play.order("PREAUTH")
        const first = yield* Play.done("CAPTURE", order, usd("1.00"), under("a"))
        yield* Play.done("CAPTURE", order, usd("2.00"), under("b"))
        for (const amount of ["1.00", "1", "1.0", " 01.00 "]) {
          const again = yield* Play.done("CAPTURE", order, usd(amount), under("a"))
          assert.deepStrictEqual(sameBut(again), sameBut(first))
          assert.notStrictEqual(Play.text(again, "serial-number"), Play.text(first, "serial-number"))
          assert.deepInclude(yield* Play.outcomeOf(again), { status: "approved", amount: "1.00" })
        }
        assert.strictEqual(yield* Play.standing(order), "approved capture 10.42 3.00 0.00 7.42")
        yield* Play.assertClean
      })
  )

  it.effect("with other content is refused", () =>
    Effect.gen(function* () {
      const order = yield* Play.order("PREAUTH")
      yield* Play.done("CAPTURE", order, usd("1.00"), under("a"))
      for (const fields of [usd("1.01"), {}, { ...usd("1.00"), comment: "more" }]) {
        Play.assertRefused(yield* Play.act("CAPTURE", order, fields, under("a")), "idempotencyKeyConflict")
      }
      const elsewhere = { ...under("a"), endpointId: TestGateway.endpoints.group }
      Play.assertRefused(yield* Play.act("CAPTURE", order, usd("1.00"), elsewhere), "idempotencyKeyConflict")
      assert.strictEqual(yield* Play.standing(order), "approved capture 10.42 1.00 0.00 9.42")
    })
  )

  it.effect("counts per merchant, operation and order", () =>
    Effect.gen(function* () {
      const { controlKey, endpointId, login } = Merchants.other
      const theirs = { endpointId, key: controlKey }
      const orders = [yield* Play.order("PREAUTH"), yield* Play.order("PREAUTH")]
      for (const order of orders) {
        yield* Play.done("CAPTURE", order, usd("1.00"), under("a"))
        yield* Play.done("RETURN", order, usd("1.00"), under("a"))
        assert.strictEqual(yield* Play.standing(order), "approved reversal 10.42 1.00 1.00 0.00")
      }
      const foreign = yield* Play.order("PREAUTH", {}, theirs)
      yield* Play.done("CAPTURE", foreign, { login, ...usd("2.00") }, { ...under("a"), ...theirs })
      yield* Play.assertClean
    })
  )

  it.effect("is not bound by a refusal", () =>
    Effect.gen(function* () {
      const order = yield* Play.order("PREAUTH")
      Play.assertRefused(yield* Play.act("CAPTURE", order, usd("99.00"), under("a")), "amountExceeds")
      Play.assertRefused(yield* Play.act("CAPTURE", order, usd("1e1"), under("a")), "parameterInvalid")
      Play.assertRefused(yield* Play.act("RETURN", order, usd("1.00"), under("a")), "amountNotAllowed")
      yield* Play.done("CAPTURE", order, usd("1.00"), under("a"))
      yield* Play.done("RETURN", order, usd("1.00"), under("a"))
      assert.strictEqual(yield* Play.standing(order), "approved reversal 10.42 1.00 1.00 0.00")
    })
  )

  it.effect("stays with a request that the bank declined; another key asks anew", () =>
    Effect.gen(function* () {
      const control = yield* SandboxControl
      const order = yield* Play.order("PREAUTH")
      yield* control.next("capture", decline)
      const first = yield* Play.done("CAPTURE", order, {}, under("a"))
      const again = yield* Play.done("CAPTURE", order, {}, under("a"))
      assert.deepStrictEqual(sameBut(again), sameBut(first))
      assert.deepInclude(yield* Play.outcomeOf(again), { status: "declined" })
      assert.strictEqual(yield* Play.standing(order), "approved preauth 10.42 0.00 0.00 10.42")
      yield* Play.done("CAPTURE", order, {}, under("b"))
      assert.strictEqual(yield* Play.standing(order), "approved capture 10.42 10.42 0.00 0.00")
      yield* Play.assertClean
    })
  )

  it.effect("used thirty times at once commits once, and everybody gets that answer", () =>
    Effect.gen(function* () {
      const order = yield* Play.order("SALE")
      const replies = yield* Effect.all(
        Array.from({ length: 30 }, () => Play.act("RETURN", order, usd("1.00"), under("a"))),
        { concurrency: "unbounded" }
      )
      for (const reply of replies) {
        Play.assertAccepted(reply)
        assert.deepInclude(yield* Play.outcomeOf(reply), { amount: "1.00", "transaction-type": "reversal" })
      }
      yield* Play.settled
      assert.strictEqual(yield* Play.standing(order), "approved sale 10.42 10.42 1.00 0.00")
      yield* Play.assertClean
    })
  )

  it.effect("has 1 to 255 printable ASCII characters", () =>
    Effect.gen(function* () {
      const order = yield* Play.order("PREAUTH")
      for (const key of ["", "k".repeat(256), "clé", "a\tb"]) {
        Play.assertRefused(yield* Play.act("CAPTURE", order, usd("1.00"), under(key)), "idempotencyKeyInvalid")
      }
      yield* Play.done("CAPTURE", order, usd("1.00"), under("k".repeat(255)))
      yield* Play.done("CAPTURE", order, usd("1.00"), under("!~ #1"))
      assert.strictEqual(yield* Play.standing(order), "approved capture 10.42 2.00 0.00 8.42")
    })
  )
})

alone.live("a key outlives a restart of the gateway", () =>
  Effect.gen(function* () {
    const folder = yield* TestGateway.folder
    const order = yield* Effect.gen(function* () {
      const order = yield* Play.order("PREAUTH")
      yield* Play.done("CAPTURE", order, usd("1.00"), under("a"))
      return order
    }).pipe(TestGateway.living(folder))
    yield* Effect.gen(function* () {
      yield* Play.done("CAPTURE", order, usd("1.00"), under("a"))
      assert.strictEqual(yield* Play.standing(order), "approved capture 10.42 1.00 0.00 9.42")
      yield* Play.assertClean
    }).pipe(TestGateway.living(folder))
  })
)

interface Whole {
  readonly name: string
  readonly creation: Play.Creation
  readonly before?: readonly [Play.FollowUp, Play.Fields]
  readonly act: Play.FollowUp
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

layer(TestGateway.layer(), { excludeTestServices: true })("without a key", (it) => {
  for (const { act, bank, before, creation, name, stands } of wholes) {
    it.effect(`${name} is repeated while it moves and when it is done: replays; after a failure: a new try`, () =>
      Effect.gen(function* () {
        const control = yield* SandboxControl
        const order = yield* Play.order(creation)
        if (before !== undefined) yield* Play.done(before[0], order, before[1])
        const stood = yield* Play.standing(order)
        yield* control.next(bank, decline)
        const failed = yield* Play.done(act, order)
        assert.deepInclude(yield* Play.outcomeOf(failed), { status: "declined" })
        assert.strictEqual(yield* Play.standing(order), stood)

        yield* control.next(bank, busy)
        const first = yield* Play.done(act, order)
        assert.deepInclude(yield* Play.status(order), { status: "processing" })
        const moving = yield* Play.done(act, order)
        yield* Play.pass("1 second")
        assert.strictEqual(yield* Play.standing(order), stands)
        const done = yield* Play.done(act, order)
        for (const again of [moving, done]) {
          assert.deepStrictEqual(sameBut(again), sameBut(first))
          assert.notStrictEqual(Play.text(again, "serial-number"), Play.text(first, "serial-number"))
          assert.deepInclude(yield* Play.outcomeOf(again), { status: "approved" })
        }
        assert.strictEqual(yield* Play.standing(order), stands)
        yield* Play.assertClean
      })
    )
  }

  it.effect("an equal part is refused, naming the earlier request; a key or another amount goes through", () =>
    Effect.gen(function* () {
      for (const [creation, name, stands] of [
        ["PREAUTH", "CAPTURE", "approved capture 10.42 3.50 0.00 6.92"],
        ["SALE", "RETURN", "approved sale 10.42 10.42 3.50 0.00"]
      ] as const) {
        const order = yield* Play.order(creation)
        const first = yield* Play.done(name, order, usd("1.00"))
        for (const amount of ["1.00", "1", "1.0"]) {
          const again = yield* Play.act(name, order, usd(amount))
          Play.assertRefused(again, "repeatedWithoutKey")
          assert.include(Play.text(again, "error-message"), Play.text(first, "serial-number"))
          assert.include(Play.text(again, "error-message"), "Idempotency-Key")
        }
        yield* Play.done(name, order, usd("1.50"))
        yield* Play.done(name, order, usd("1.00"), under("a"))
        assert.strictEqual(yield* Play.standing(order), stands)
        yield* Play.assertClean
      }
    })
  )

  it.effect("an equal part at the same moment: one is accepted", () =>
    Effect.gen(function* () {
      const order = yield* Play.order("SALE")
      const replies = yield* Effect.all(
        Array.from({ length: 10 }, () => Play.act("RETURN", order, usd("1.00"))),
        { concurrency: "unbounded" }
      )
      yield* Play.settled
      assert.strictEqual(replies.filter(({ status }) => status === 200).length, 1)
      for (const reply of replies.filter(({ status }) => status !== 200))
        Play.assertRefused(reply, "repeatedWithoutKey")
      assert.strictEqual(yield* Play.standing(order), "approved sale 10.42 10.42 1.00 0.00")
    })
  )

  it.effect("an equal part a day later, or after a failure, is a new wish", () =>
    Effect.gen(function* () {
      const control = yield* SandboxControl
      const order = yield* Play.order("SALE")
      yield* control.next("refund", decline)
      yield* Play.done("RETURN", order, usd("1.00"))
      yield* Play.done("RETURN", order, usd("1.00"))
      yield* Play.pass("23 hours")
      Play.assertRefused(yield* Play.act("RETURN", order, usd("1.00")), "repeatedWithoutKey")
      yield* Play.pass("1 hour")
      yield* Play.done("RETURN", order, usd("1.00"))
      assert.strictEqual(yield* Play.standing(order), "approved sale 10.42 10.42 2.00 0.00")
      yield* Play.assertClean
    })
  )
})
