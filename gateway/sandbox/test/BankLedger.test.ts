import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted, Schema } from "effect"
import { TestClock } from "effect/testing"
import * as Contract from "../src/Contract.ts"
import { type FollowUpKind, type Scenario, Verdict } from "../src/Outcome.ts"
import * as SandboxAcquirer from "../src/SandboxAcquirer.ts"
import { SandboxControl } from "../src/SandboxControl.ts"
import { ask, authorize, card, followUp, textOf } from "./Inquiry.ts"

const bank = () => SandboxAcquirer.layer()

interface LedgerCase {
  readonly name: string
  readonly capture?: boolean
  /** The card that receives what was captured. */
  readonly recipient?: string
  /** The requests after the authorization of an order over 10.00: kind, amount, and the answer of the bank. */
  readonly steps: string
  /** Authorized, captured, transferred (a part of the captured amount), refunded, released. */
  readonly totals: readonly [number, number, number, number, number]
}

const ledgerCases: ReadonlyArray<LedgerCase> = [
  { name: "a preauthorization counts as authorized", steps: "", totals: [1000, 0, 0, 0, 0] },
  { name: "a sale counts as authorized and captured", capture: true, steps: "", totals: [1000, 1000, 0, 0, 0] },
  {
    name: "a refund, a capture and a void of a transfer are declined",
    capture: true,
    recipient: "4444333322221111",
    steps: "refund 400 Declined 902, capture 1 Declined 902, void 1000 Declined 902",
    totals: [1000, 1000, 1000, 0, 0]
  },
  {
    name: "partial captures are approved up to the authorized amount",
    steps: "capture 400 Approved, capture 601 Declined 110, capture 600 Approved, capture 1 Declined 110",
    totals: [1000, 1000, 0, 0, 0]
  },
  {
    name: "a void after a partial capture releases exactly the rest",
    steps:
      "capture 300 Approved, void 701 Declined 110, void 699 Declined 110, void 700 Approved, void 700 Declined 110, capture 1 Declined 110",
    totals: [1000, 300, 0, 0, 700]
  },
  {
    name: "partial refunds are approved up to the captured amount",
    capture: true,
    steps: "refund 400 Approved, refund 601 Declined 110, refund 600 Approved, refund 1 Declined 110",
    totals: [1000, 1000, 0, 1000, 0]
  },
  {
    name: "a refund above the captured amount is declined",
    steps: "refund 1 Declined 110, capture 500 Approved, refund 501 Declined 110",
    totals: [1000, 500, 0, 0, 0]
  },
  {
    name: "zero and negative amounts are declined",
    steps: "capture 0 Declined 110, capture -1 Declined 110, refund -1 Declined 110",
    totals: [1000, 0, 0, 0, 0]
  }
]

const followUpKinds: ReadonlyArray<FollowUpKind> = ["capture", "void", "refund"]

const stepsOf = (text: string) =>
  text.split(", ").flatMap((step) => {
    if (step === "") return []
    const [, word, amount, answer] = /^(\w+) (-?\d+) (.+)$/.exec(step) ?? []
    const kind = followUpKinds.find((each) => each === word)
    assert(kind !== undefined, step)
    return [{ kind, amountMinor: Number(amount), answer }]
  })

const totalsOf = (orderId = "1") => Effect.flatMap(SandboxControl, ({ books }) => books.totals(orderId))

describe("the bank's books", () => {
  it.effect.each(ledgerCases)("$name", ({ capture = false, recipient, steps, totals }) =>
    Effect.gen(function* () {
      yield* authorize({ capture, recipient: recipient === undefined ? undefined : Redacted.make(recipient) })
      const requests = stepsOf(steps)
      const answers = yield* Effect.forEach(requests, ({ amountMinor, kind }, n) =>
        Effect.map(ask(kind, followUp(`1-${kind}-${n}`, amountMinor)), textOf)
      )
      assert.deepStrictEqual(
        answers,
        requests.map(({ answer }) => answer)
      )
      assert.deepStrictEqual(Object.values(yield* totalsOf()), [...totals])
    }).pipe(Effect.provide(bank()))
  )

  const foreignOriginals = [
    [
      "an authorization that was never sent",
      { original: Contract.originalOf("1-authorize-1", { amountMinor: 1000 }) },
      "Declined 914"
    ],
    ["another order's authorization", { orderId: "2" }, "Declined 914"],
    ["an authorization in another currency", { currency: "EUR" }, "Declined 902"],
    ["another capture", { original: Contract.originalOf("1-capture-1", { amountMinor: 1000 }) }, "Declined 914"]
  ] as const
  it.effect.each(foreignOriginals)("a capture of %s is declined", ([, changes, answer]) =>
    Effect.gen(function* () {
      yield* authorize()
      yield* ask("capture", followUp("1-capture-1", 100))
      assert.strictEqual(textOf(yield* ask("capture", followUp("1-capture-2", 100, changes))), answer)
    }).pipe(Effect.provide(bank()))
  )

  const amounts = [
    [-1, "Declined 110"],
    [0, "Approved"]
  ] as const
  it.effect.each(amounts)("an authorization of %i minor units: %s (zero verifies a card)", ([amountMinor, answer]) =>
    Effect.gen(function* () {
      assert.strictEqual(textOf(yield* authorize({ amountMinor })), answer)
    }).pipe(Effect.provide(bank()))
  )

  it.effect("an undecided request reserves its amount, and allows no follow-up", () =>
    Effect.gen(function* () {
      const control = yield* SandboxControl
      const undecided: Scenario = { delivery: { _tag: "Undecided", forMs: 1000 } }
      const later = TestClock.adjust(1000)
      yield* control.next("authorize", undecided)
      yield* control.next("capture", undecided)
      yield* control.forReference("1-refund-5", undecided)
      const answers = [
        yield* authorize(),
        yield* Effect.andThen(later, ask("capture", followUp("1-capture-1", 700))),
        yield* ask("capture", followUp("1-capture-2", 301)),
        yield* ask("void", followUp("1-void-3", 1000)),
        yield* ask("refund", followUp("1-refund-4", 1)),
        yield* Effect.andThen(later, ask("refund", followUp("1-refund-5", 700))),
        yield* ask("refund", followUp("1-refund-6", 1))
      ].map(textOf)
      assert.deepStrictEqual(answers, [
        "AnswerLost",
        "AnswerLost",
        "Declined 110",
        "Declined 110",
        "Declined 110",
        "AnswerLost",
        "Declined 110"
      ])
    }).pipe(Effect.provide(bank()))
  )

  it.effect("a capture of an undecided authorization is declined", () =>
    Effect.gen(function* () {
      yield* authorize({ card: card(undefined, "217") })
      assert.strictEqual(textOf(yield* ask("capture", followUp("1-capture-1", 100))), "Declined 914")
    }).pipe(Effect.provide(bank()))
  )

  it.effect("a capture of a declined authorization is declined, and all totals stay zero", () =>
    Effect.gen(function* () {
      yield* authorize({ card: card(undefined, "116") })
      assert.strictEqual(textOf(yield* ask("capture", followUp("1-capture-1", 100))), "Declined 914")
      assert.deepStrictEqual(Object.values(yield* totalsOf()), [0, 0, 0, 0, 0])
    }).pipe(Effect.provide(bank()))
  )

  it.effect("contain neither the full card number nor the security code", () =>
    Effect.gen(function* () {
      yield* authorize({ card: card("4444555566661111", "1234") })
      const { books } = yield* SandboxControl
      const text = JSON.stringify(yield* books.all)
      assert.include(text, '"lastFour":"1111"')
      assert.notInclude(text, "55556666")
      assert.notInclude(text, "1234")
    }).pipe(Effect.provide(bank()))
  )
})

describe("any sequence of lost, late and repeated requests", () => {
  const between = (minimum: number, maximum: number) => Schema.Int.check(Schema.isBetween({ minimum, maximum }))
  const Question = Schema.Struct({
    kind: Schema.Literals(["capture", "void", "refund"]),
    amountMinor: between(-10, 500),
    /** A small range, so that some references repeat. */
    reference: between(1, 30),
    verdict: Verdict,
    delivery: Schema.Union([
      Schema.TaggedStruct("Answered", {}),
      Schema.TaggedStruct("Undecided", { forMs: Schema.optionalKey(between(0, 60_000)) }),
      Schema.TaggedStruct("ArrivesLate", { afterMs: between(0, 60_000) }),
      Schema.TaggedStruct("NeverArrives", { times: Schema.optionalKey(between(1, 2)) })
    ]),
    laterMs: between(0, 20_000),
    settled: Schema.Boolean
  })
  const History = Schema.Struct({ capture: Schema.Boolean, questions: Schema.Array(Question) })

  it.effect.prop(
    "keeps captures and releases within the authorized amount, and refunds within the captured amount",
    { history: History },
    ({ history }) =>
      Effect.gen(function* () {
        const control = yield* SandboxControl
        yield* authorize({ capture: history.capture })
        for (const { amountMinor, delivery, kind, laterMs, reference, settled, verdict } of history.questions) {
          const request = followUp(`${kind}-${reference}-${amountMinor}`, amountMinor)
          yield* control.forReference(request.reference, { delivery, verdict })
          yield* ask(kind, request)
          if (settled) yield* Effect.ignore(control.settle(request.reference, verdict))
          yield* TestClock.adjust(laterMs)
          const { authorizedMinor, capturedMinor, refundedMinor, voidedMinor } = yield* control.books.totals("1")
          assert.isAtMost(capturedMinor + voidedMinor, authorizedMinor)
          assert.isAtMost(refundedMinor, capturedMinor)
          assert.isAtLeast(Math.min(capturedMinor, refundedMinor, voidedMinor), 0)
        }
        assert.deepStrictEqual(yield* control.violations, [])
      }).pipe(Effect.provide(SandboxAcquirer.layer(), { local: true })),
    { arbitrary: { runs: 300, size: 40 } }
  )
})
