import { assert, describe, it } from "@effect/vitest"
import * as Card from "@pay/schema/Card"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import * as SandboxAcquirer from "../src/SandboxAcquirer.ts"
import { SandboxControl } from "../src/SandboxControl.ts"
import * as TestCards from "../src/TestCards.ts"
import * as TestRecipients from "../src/TestRecipients.ts"
import { ask, authorize, card, eligible, followUp, inquire, textOf, transfer, withoutCvv } from "./Inquiry.ts"

const bank = () => SandboxAcquirer.layer()
const recipientOf = (name: string): string => TestRecipients.byName(name)?.numbers.card ?? "no such card"
const numberOf = (name: string): string => TestCards.byName(name)?.number ?? "no such card"

/** Card | CVV | first sending | inquiry | sent again | inquiry after 1 min. The test waits for the answers of slow cards. */
const authorizations = [
  ["ordinary", "123", "Approved", "Approved", "Approved", "Approved"],
  ["slow", "123", "Approved", "Approved", "Approved", "Approved"],
  ["too-slow", "123", "AnswerLost", "Approved", "Approved", "Approved"],
  ["answer-lost", "123", "AnswerLost", "Approved", "Approved", "Approved"],
  ["answer-lost", "116", "AnswerLost", "Declined 116", "Declined 116", "Declined 116"],
  ["undecided", "123", "AnswerLost", "CannotSay", "AnswerLost", "Approved"],
  ["undecided", "116", "AnswerLost", "CannotSay", "AnswerLost", "Declined 116"],
  ["arrives-late", "123", "AnswerLost", "NotFound", "AnswerLost", "Approved"],
  ["arrives-late", "209", "AnswerLost", "NotFound", "AnswerLost", "Declined 209"],
  ["lost-once", "123", "AnswerLost", "NotFound", "Approved", "Approved"],
  ["lost-always", "123", "AnswerLost", "NotFound", "AnswerLost", "NotFound"],
  ["not-sent-twice", "123", "NotSent", "NotFound", "NotSent", "NotFound"],
  ["not-sent", "123", "NotSent", "NotFound", "NotSent", "NotFound"],
  ["arrives-twice", "123", "Approved", "Approved", "Approved", "Approved"],
  ["funds-short", "123", "Declined 116", "Declined 116", "Declined 116", "Declined 116"],
  ["funds-short", "none", "Declined 116", "Declined 116", "Declined 116", "Declined 116"],
  ["funds-five", "123", "Declined 116", "Declined 116", "Declined 116", "Declined 116"],
  ["stolen", "none", "Declined 209", "Declined 209", "Declined 209", "Declined 209"],
  ["all-slow", "123", "Approved", "Approved", "Approved", "Approved"],
  ["all-lost", "123", "AnswerLost", "Approved", "Approved", "Approved"],
  ["all-undecided", "123", "AnswerLost", "CannotSay", "AnswerLost", "Approved"]
] as const

/** Card | follow-up | first sending | inquiry | sent again | inquiry after 1 min. */
const followUps = [
  ["ordinary", "capture", "Approved", "Approved", "Approved", "Approved"],
  ["ordinary", "refund", "Approved", "Approved", "Approved", "Approved"],
  ["ordinary", "void", "Approved", "Approved", "Approved", "Approved"],
  ["capture-declined", "capture", "Declined 100", "Declined 100", "Declined 100", "Declined 100"],
  ["capture-lost", "capture", "AnswerLost", "Approved", "Approved", "Approved"],
  ["capture-undecided", "capture", "AnswerLost", "CannotSay", "AnswerLost", "Approved"],
  ["capture-lost-once", "capture", "AnswerLost", "NotFound", "Approved", "Approved"],
  ["refund-declined", "refund", "Declined 100", "Declined 100", "Declined 100", "Declined 100"],
  ["refund-lost", "refund", "AnswerLost", "Approved", "Approved", "Approved"],
  ["refund-undecided", "refund", "AnswerLost", "CannotSay", "AnswerLost", "Approved"],
  ["refund-lost-once", "refund", "AnswerLost", "NotFound", "Approved", "Approved"],
  ["void-declined", "void", "Declined 100", "Declined 100", "Declined 100", "Declined 100"],
  ["void-lost", "void", "AnswerLost", "Approved", "Approved", "Approved"],
  ["void-undecided", "void", "AnswerLost", "CannotSay", "AnswerLost", "Approved"],
  ["void-lost-once", "void", "AnswerLost", "NotFound", "Approved", "Approved"],
  ["all-slow", "capture", "Approved", "Approved", "Approved", "Approved"],
  ["all-lost", "void", "AnswerLost", "Approved", "Approved", "Approved"],
  ["all-undecided", "refund", "AnswerLost", "CannotSay", "AnswerLost", "Approved"]
] as const

/** Payer | recipient | first sending | inquiry | sent again | inquiry after 1 min. */
const transfers = [
  ["ordinary", "ordinary", "Approved", "Approved", "Approved", "Approved"],
  ["cannot-send", "ordinary", "Declined 119", "Declined 119", "Declined 119", "Declined 119"],
  ["cannot-send", "answer-lost", "AnswerLost", "Declined 119", "Declined 119", "Declined 119"],
  ["send-undecided", "ordinary", "AnswerLost", "CannotSay", "AnswerLost", "Approved"],
  ["funds-short", "ordinary", "Declined 116", "Declined 116", "Declined 116", "Declined 116"],
  ["ordinary", "no-account", "Declined 114", "Declined 114", "Declined 114", "Declined 114"],
  ["ordinary", "pay-refused", "Declined 104", "Declined 104", "Declined 104", "Declined 104"],
  ["ordinary", "slow", "Approved", "Approved", "Approved", "Approved"],
  ["ordinary", "answer-lost", "AnswerLost", "Approved", "Approved", "Approved"],
  ["ordinary", "undecided", "AnswerLost", "CannotSay", "AnswerLost", "Approved"],
  ["ordinary", "lost-once", "AnswerLost", "NotFound", "Approved", "Approved"],
  ["ordinary", "refused-after-hour", "Approved", "Approved", "Approved", "Approved"]
] as const

/** Card | answer to the eligibility check | inquiry. */
const eligibilities = [
  ["ordinary", "Approved", "Approved"],
  ["stolen", "Approved", "Approved"],
  ["cannot-send", "Declined 119", "Declined 119"],
  ["send-undecided", "AnswerLost", "CannotSay"]
] as const

/** The answer of the bank, after up to 30 seconds of virtual time. */
const answerOf = <E, R>(question: Effect.Effect<{ readonly _tag: string; readonly code?: number | string }, E, R>) =>
  Effect.gen(function* () {
    const fiber = yield* Effect.forkChild(question, { startImmediately: true })
    if (fiber.pollUnsafe() === undefined) yield* TestClock.adjust("30 seconds")
    return textOf(yield* Fiber.join(fiber))
  })

describe("an authorization with a test card", () => {
  it.effect.each(authorizations)(
    "%s with CVV %s: %s, inquiry %s, repeat %s, inquiry a minute later %s",
    ([name, cvv, ...expected]) =>
      Effect.gen(function* () {
        const number = numberOf(name)
        const question = { card: cvv === "none" ? withoutCvv(number) : card(number, cvv) }
        const answers = [
          yield* answerOf(authorize(question)),
          yield* answerOf(inquire()),
          yield* answerOf(authorize(question))
        ]
        yield* TestClock.adjust("1 minute")
        assert.deepStrictEqual([...answers, yield* answerOf(inquire())], expected)
      }).pipe(Effect.provide(bank()))
  )

  it.effect("reaches the bank at the third attempt with the card not-sent-twice", () =>
    Effect.gen(function* () {
      const question = { card: card(numberOf("not-sent-twice")) }
      const answers = yield* Effect.replicateEffect(Effect.map(authorize(question), textOf), 3)
      assert.deepStrictEqual(answers, ["NotSent", "NotSent", "Approved"])
    }).pipe(Effect.provide(bank()))
  )

  it.effect("is booked once if the request arrives twice", () =>
    Effect.gen(function* () {
      const { books } = yield* SandboxControl
      yield* authorize({ card: card(numberOf("arrives-twice")) })
      assert.deepStrictEqual(
        (yield* books.all).map(({ repeats, request }) => [request.reference, repeats]),
        [["1-authorize-0", 1]]
      )
    }).pipe(Effect.provide(bank()))
  )
})

describe("a follow-up of a payment with a test card", () => {
  it.effect.each(followUps)(
    "%s, %s: %s, inquiry %s, repeat %s, inquiry a minute later %s",
    ([name, kind, ...expected]) =>
      Effect.gen(function* () {
        yield* answerOf(authorize({ card: card(numberOf(name)), capture: kind === "refund" }))
        if (name === "all-undecided") yield* TestClock.adjust("1 minute")
        const question = ask(kind, followUp("1-followup-1", 1000))
        const answers = [yield* answerOf(question), yield* answerOf(inquire("1-followup-1")), yield* answerOf(question)]
        yield* TestClock.adjust("1 minute")
        assert.deepStrictEqual([...answers, yield* answerOf(inquire("1-followup-1"))], expected)
      }).pipe(Effect.provide(bank()))
  )
})

describe("a transfer between test cards", () => {
  it.effect.each(transfers)(
    "%s to %s: %s, inquiry %s, repeat %s, inquiry a minute later %s",
    ([payer, recipient, ...expected]) =>
      Effect.gen(function* () {
        const question = authorize(transfer(recipientOf(recipient), { card: card(numberOf(payer)) }))
        const answers = [yield* answerOf(question), yield* answerOf(inquire()), yield* answerOf(question)]
        yield* TestClock.adjust("1 minute")
        assert.deepStrictEqual([...answers, yield* answerOf(inquire())], expected)
      }).pipe(Effect.provide(bank()))
  )

  it.effect("is refused for a card that cannot send, but a sale with the card is approved", () =>
    Effect.gen(function* () {
      assert.strictEqual(textOf(yield* authorize({ card: card(numberOf("cannot-send")) })), "Approved")
    }).pipe(Effect.provide(bank()))
  )

  it.effect("is booked without the full number of either card", () =>
    Effect.gen(function* () {
      const { books } = yield* SandboxControl
      yield* authorize(transfer("4444333322221111"))
      const [booking] = yield* books.all
      assert.deepInclude(booking?.request, { recipient: { kind: "card", lastFour: "1111" } })
      assert.notMatch(JSON.stringify(booking), /44443333|44445555/)
    }).pipe(Effect.provide(bank()))
  )
})

describe("the eligibility of a test card to send transfers", () => {
  it.effect.each(eligibilities)("%s: %s, inquiry %s", ([name, ...expected]) =>
    Effect.gen(function* () {
      const answers = [yield* answerOf(eligible(numberOf(name))), yield* answerOf(inquire("1-eligibility-0"))]
      assert.deepStrictEqual(answers, expected)
    }).pipe(Effect.provide(bank()))
  )
})

describe("the table of test cards", () => {
  it.each(TestCards.cards)("has the valid card number $number", ({ number }) => {
    assert.isTrue(Card.isNumber(number))
  })

  it("has unique names and numbers", () => {
    for (const key of ["name", "number"] as const) {
      assert.strictEqual(new Set(TestCards.cards.map((row) => row[key])).size, TestCards.cards.length)
    }
  })

  it.effect("has a card that pays up to its funds", () =>
    Effect.gen(function* () {
      const five = card(numberOf("funds-five"))
      const answers = yield* Effect.forEach([500, 501], (amountMinor) =>
        authorize({ card: five, amountMinor, reference: `1-authorize-${amountMinor}` })
      )
      assert.deepStrictEqual(answers.map(textOf), ["Approved", "Declined 116"])
    }).pipe(Effect.provide(bank()))
  )

  it("has only cards that these tests cover", () => {
    const tested = new Set<string>([...authorizations, ...followUps, ...transfers].map(([name]) => name))
    assert.deepStrictEqual(
      TestCards.cards.filter(({ name }) => !tested.has(name)),
      []
    )
  })
})
