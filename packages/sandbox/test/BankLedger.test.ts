import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted, Schema } from "effect"
import { TestClock } from "effect/testing"
import { type FollowUpKind, type Plan, Verdict } from "../src/Outcome.ts"
import * as SandboxAcquirer from "../src/SandboxAcquirer.ts"
import { SandboxControl } from "../src/SandboxControl.ts"
import { ask, authorize, card, followUp, textOf } from "./Inquiry.ts"

const bank = () => SandboxAcquirer.layer()

/** One order of 10.00, and what is asked after its authorisation: kind, amount, what the bank says. */
type Step = readonly [kind: FollowUpKind, amountMinor: number, answer: string]
interface Story {
  readonly name: string
  readonly capture?: boolean
  /** The card that receives what was captured. */
  readonly recipient?: string
  readonly steps: ReadonlyArray<Step>
  /** Authorised, captured, of that transferred, refunded, released. */
  readonly totals: readonly [number, number, number, number, number]
}

const stories: ReadonlyArray<Story> = [
  { name: "a hold", steps: [], totals: [1000, 0, 0, 0, 0] },
  { name: "a sale", capture: true, steps: [], totals: [1000, 1000, 0, 0, 0] },
  {
    name: "a transfer, which nothing follows",
    capture: true,
    recipient: "4444333322221111",
    steps: [
      ["refund", 400, "Declined 902"],
      ["capture", 1, "Declined 902"],
      ["cancel", 1000, "Declined 902"]
    ],
    totals: [1000, 1000, 1000, 0, 0]
  },
  {
    name: "captured in parts",
    steps: [
      ["capture", 400, "Approved"],
      ["capture", 601, "Declined 110"],
      ["capture", 600, "Approved"],
      ["capture", 1, "Declined 110"]
    ],
    totals: [1000, 1000, 0, 0, 0]
  },
  {
    name: "captured in part, the rest released",
    steps: [
      ["capture", 300, "Approved"],
      ["cancel", 701, "Declined 110"],
      ["cancel", 699, "Declined 110"],
      ["cancel", 700, "Approved"],
      ["cancel", 700, "Declined 110"],
      ["capture", 1, "Declined 110"]
    ],
    totals: [1000, 300, 0, 0, 700]
  },
  {
    name: "refunded in parts",
    capture: true,
    steps: [
      ["refund", 400, "Approved"],
      ["refund", 601, "Declined 110"],
      ["refund", 600, "Approved"],
      ["refund", 1, "Declined 110"]
    ],
    totals: [1000, 1000, 0, 1000, 0]
  },
  {
    name: "what was not captured cannot be refunded",
    steps: [
      ["refund", 1, "Declined 110"],
      ["capture", 500, "Approved"],
      ["refund", 501, "Declined 110"]
    ],
    totals: [1000, 500, 0, 0, 0]
  },
  {
    name: "nothing, and less than nothing, is no amount",
    steps: [
      ["capture", 0, "Declined 110"],
      ["capture", -1, "Declined 110"],
      ["refund", -1, "Declined 110"]
    ],
    totals: [1000, 0, 0, 0, 0]
  }
]

const totalsOf = (orderId = "1") => Effect.flatMap(SandboxControl, ({ books }) => books.totals(orderId))

describe("the books", () => {
  it.effect.each(stories)("$name", ({ capture = false, recipient, steps, totals }) =>
    Effect.gen(function* () {
      yield* authorize({ capture, recipient: recipient === undefined ? undefined : Redacted.make(recipient) })
      const answers = yield* Effect.forEach(steps, ([kind, amountMinor], n) =>
        Effect.map(ask(kind, followUp(`1-${kind}-${n}`, amountMinor)), textOf)
      )
      assert.deepStrictEqual(
        answers,
        steps.map(([, , answer]) => answer)
      )
      assert.deepStrictEqual(Object.values(yield* totalsOf()), [...totals])
    }).pipe(Effect.provide(bank()))
  )

  const strangers = [
    ["an authorisation that never was", { original: "1-authorize-1" }, "Declined 914"],
    ["one of another order", { orderId: "2" }, "Declined 914"],
    ["one in another currency", { currency: "EUR" }, "Declined 902"],
    ["a capture", { original: "1-capture-1" }, "Declined 914"]
  ] as const
  it.effect.each(strangers)("a capture of %s is declined", ([, changes, answer]) =>
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
  it.effect.each(amounts)("an authorisation of %i: %s (nothing is enough to verify a card)", ([amountMinor, answer]) =>
    Effect.gen(function* () {
      assert.strictEqual(textOf(yield* authorize({ amountMinor })), answer)
    }).pipe(Effect.provide(bank()))
  )

  it.effect("what the bank cannot say yet carries nothing, and counts as used", () =>
    Effect.gen(function* () {
      const control = yield* SandboxControl
      const undecided: Plan = { journey: { _tag: "Undecided", forMs: 1000 } }
      const later = TestClock.adjust(1000)
      yield* control.next("authorize", undecided)
      yield* control.next("capture", undecided)
      yield* control.forReference("1-refund-5", undecided)
      const answers = [
        yield* authorize(),
        yield* Effect.andThen(later, ask("capture", followUp("1-capture-1", 700))),
        yield* ask("capture", followUp("1-capture-2", 301)),
        yield* ask("cancel", followUp("1-cancel-3", 1000)),
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

  it.effect("a capture of an authorisation of which the bank cannot say yet is declined", () =>
    Effect.gen(function* () {
      yield* authorize({ card: card(undefined, "217") })
      assert.strictEqual(textOf(yield* ask("capture", followUp("1-capture-1", 100))), "Declined 914")
    }).pipe(Effect.provide(bank()))
  )

  it.effect("a declined authorisation carries nothing", () =>
    Effect.gen(function* () {
      yield* authorize({ card: card(undefined, "116") })
      assert.strictEqual(textOf(yield* ask("capture", followUp("1-capture-1", 100))), "Declined 914")
      assert.deepStrictEqual(Object.values(yield* totalsOf()), [0, 0, 0, 0, 0])
    }).pipe(Effect.provide(bank()))
  )

  it.effect("hold neither the card's number nor its security code", () =>
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

describe("whatever happens to the messages", () => {
  const between = (minimum: number, maximum: number) => Schema.Int.check(Schema.isBetween({ minimum, maximum }))
  const Question = Schema.Struct({
    kind: Schema.Literals(["capture", "cancel", "refund"]),
    amountMinor: between(-10, 500),
    /** Some references come again. */
    reference: between(1, 30),
    verdict: Verdict,
    journey: Schema.Union([
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
    "captured and released are never more than authorised, refunded never more than captured",
    { history: History },
    ({ history }) =>
      Effect.gen(function* () {
        const control = yield* SandboxControl
        yield* authorize({ capture: history.capture })
        for (const { amountMinor, journey, kind, laterMs, reference, settled, verdict } of history.questions) {
          const request = followUp(`${kind}-${reference}-${amountMinor}`, amountMinor)
          yield* control.forReference(request.reference, { journey, verdict })
          yield* ask(kind, request)
          if (settled) yield* Effect.ignore(control.settle(request.reference, verdict))
          yield* TestClock.adjust(laterMs)
          const { authorizedMinor, capturedMinor, refundedMinor, releasedMinor } = yield* control.books.totals("1")
          assert.isAtMost(capturedMinor + releasedMinor, authorizedMinor)
          assert.isAtMost(refundedMinor, capturedMinor)
          assert.isAtLeast(Math.min(capturedMinor, refundedMinor, releasedMinor), 0)
        }
        assert.deepStrictEqual(yield* control.violations, [])
      }).pipe(Effect.provide(SandboxAcquirer.layer(), { local: true })),
    { arbitrary: { runs: 300, size: 40 } }
  )
})
