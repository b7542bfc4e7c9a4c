/** What an adapter may give instead of an answer: each counts as a lost answer, and none ends the gateway's work. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Logger, Redacted, References } from "effect"
import { TestClock } from "effect/testing"
import * as AdapterCall from "../src/kernel/AdapterCall.ts"
import { AcquirerError, AnswerLost, BankAnswer, failures, InquiryAnswer, NotSent } from "../src/orders/bank/Acquirer.ts"

const port = AdapterCall.make(failures("acquirer", (failed) => new AcquirerError(failed)))
const authorize = port("authorize", BankAnswer)
const approved = { _tag: "Approved", approvalCode: "012345", processorTxId: "T1" } as const
const declined = { _tag: "Declined", code: 5, message: "Do not honour" } as const

/** Calls an adapter that gives this. Returns its answer, or the tag, message and evidence of the failure. */
const outcome = (call: () => unknown) =>
  Effect.match(authorize({ orderId: "7", reference: "7-sale-0" }, call), {
    onSuccess: (answer): unknown => answer,
    onFailure: ({ reason }) => [reason._tag, reason.message, ...("answer" in reason ? [reason.answer] : [])]
  })
const giving = (value: unknown) => outcome(() => Effect.succeed(value))

const unreadable = {
  get code() {
    throw new Error("a getter")
  },
  _tag: "Declined",
  message: ""
}
const endless: Record<string, unknown> = { _tag: "Approved", approvalCode: "1" }
endless.self = endless

describe("the bank's time in an answer", () => {
  it.effect.each([
    ["is ignored if it is a date", new Date(0), undefined],
    ["is ignored if it is text", "1764201600000", undefined],
    ["is kept if it is a number", 1_764_201_600_000, 1_764_201_600_000]
  ] as const)("%s", ([, bankTimeMs, kept]) =>
    Effect.map(giving({ ...approved, bankTimeMs }), (answer) =>
      assert.deepStrictEqual(answer, { ...approved, bankTimeMs: kept })
    )
  )
})

describe("an answer of an adapter is lost, and its wrong part is named, if it", () => {
  it.effect.each([
    ["has a long code", { ...declined, code: "N".repeat(65) }, "code: Expected text of 1 to 64 characters"],
    ["has the code 0", { ...declined, code: 0 }, "code: Expected a whole number from 1"],
    ["has no code", { _tag: "Declined", message: "no" }, "code: Missing key"],
    ["has no message", { ...declined, message: undefined }, "message: Expected string"],
    ["has a tag in other letters", { ...approved, _tag: "approved" }, "_tag: Expected Approved or Declined"],
    ["belongs to an inquiry", { _tag: "NotFound" }, "_tag: Expected Approved or Declined"],
    ["has no tag", { code: 5, message: "no" }, "answer: Expected Approved or Declined"],
    ["has no transaction of the bank", { ...approved, processorTxId: undefined }, "processorTxId: Expected string"],
    [
      "has a blank transaction",
      { ...approved, processorTxId: " " },
      "processorTxId: Expected text of 1 to 255 characters"
    ],
    ["has a transaction that is a number", { ...approved, processorTxId: 17 }, "processorTxId: Expected string"],
    ["has an approval code that is a number", { ...approved, approvalCode: 12_345 }, "approvalCode: Expected string"],
    [
      "has a very long approval code",
      { ...approved, approvalCode: "1".repeat(65) },
      "approvalCode: Expected text of 0 to 64 characters"
    ],
    [
      "has an amount that is no number",
      { ...approved, amountMinor: Number.NaN },
      "amountMinor: Expected a whole number from 0"
    ],
    ["has a negative amount", { ...approved, amountMinor: -1 }, "amountMinor: Expected a whole number from 0"],
    ["has a fraction", { ...approved, amountMinor: 10.42 }, "amountMinor: Expected a whole number from 0"],
    ["has an amount in text", { ...approved, amountMinor: "1042" }, "amountMinor: Expected number | undefined"],
    ["has two wrong parts", { _tag: "Approved" }, "approvalCode: Missing key; processorTxId: Missing key"],
    ["is null", null, "answer: Expected Approved or Declined"],
    ["is undefined", undefined, "answer: Expected Approved or Declined"],
    ["is a page of HTML", "<html>502</html>", "answer: Expected Approved or Declined"],
    ["is a list", [approved], "answer: Expected Approved or Declined"],
    ["contains itself", endless, "processorTxId: Missing key"]
  ])("%s", ([, value, message]) =>
    Effect.map(giving(value), (failure) =>
      assert.deepStrictEqual(Array.isArray(failure) ? failure.slice(0, 2) : failure, [
        "AnswerLost",
        `acquirer.authorize: ${message}`
      ])
    )
  )
})

const asPromise = "it returned a promise, not an Effect: wrap it in Effect.tryPromise"

describe("an adapter's call is lost, and its failure is named, if it", () => {
  it.effect.each([
    [
      "throws a text",
      () => {
        throw "boom"
      },
      "it died: boom",
      "boom"
    ],
    [
      "throws an error",
      () => {
        throw new TypeError("x is not a function")
      },
      "it died: TypeError: x is not a function",
      "TypeError: x is not a function"
    ],
    ["returns a promise", () => Promise.resolve(approved), asPromise, "{}"],
    ["returns a promise that is rejected", () => Promise.reject(new Error("later")), asPromise, "{}"],
    ["returns an answer without an effect", () => approved, "it returned no Effect", JSON.stringify(approved)],
    ["has a defect", () => Effect.die("bug"), "it died: bug", "bug"],
    [
      "gives an answer that throws when it is read",
      () => Effect.succeed(unreadable),
      "it cannot be read: an unreadable object",
      "an unreadable object"
    ],
    [
      "fails with a text",
      () => Effect.fail("ECONNRESET"),
      "it failed with an error that the port does not have: ECONNRESET",
      "ECONNRESET"
    ],
    [
      "fails with nothing",
      () => Effect.fail(undefined),
      "it failed with an error that the port does not have: undefined",
      "undefined"
    ],
    [
      "fails without a reason",
      () => Effect.fail({ _tag: "AcquirerError", reason: null }),
      'it failed with an error that the port does not have: {"_tag":"AcquirerError","reason":null}',
      '{"_tag":"AcquirerError","reason":null}'
    ],
    ["ends itself", () => Effect.interrupt, "it interrupted itself", "Error: All fibers interrupted without error"]
  ] as const)("%s", ([, call, message, answer]) =>
    Effect.map(outcome(call), (failure) =>
      assert.deepStrictEqual(failure, ["AnswerLost", `acquirer.authorize: ${message}`, answer])
    )
  )

  it.effect("fails with NotSent and cannot release what it had opened, because the request may have been sent", () =>
    Effect.map(
      outcome(() =>
        Effect.ensuring(
          Effect.fail(new AcquirerError({ reason: new NotSent({ message: "refused" }) })),
          Effect.die("cannot close")
        )
      ),
      (failure) => assert.strictEqual(Array.isArray(failure) ? failure[0] : failure, "AnswerLost")
    )
  )
})

describe("an adapter's call is what the adapter gave, if it", () => {
  it.effect.each([
    ["approves", { ...approved, amountMinor: 1042 }, { ...approved, amountMinor: 1042 }],
    [
      "approves without an approval code, as of a void",
      { ...approved, approvalCode: "" },
      { ...approved, approvalCode: "" }
    ],
    ["declines", declined, declined],
    ["declines with a code in text", { ...declined, code: "N7" }, { ...declined, code: "N7" }],
    ["adds what the port does not have", { ...declined, card: { pan: "4444555566661111" } }, declined],
    [
      "declines with a long message of several lines",
      { ...declined, message: `a\nb${"c".repeat(10_000)}` },
      { ...declined, message: `a b${"c".repeat(497)}` }
    ],
    [
      "sends characters that no store keeps",
      { ...declined, message: "no\0 \ud83d half \ud83d\ude00" },
      { ...declined, message: "no\\u0000 \\ud83d half \ud83d\ude00" }
    ],
    [
      "sends identifiers with such characters",
      { ...approved, approvalCode: "A\0", processorTxId: "\udc00T" },
      { ...approved, approvalCode: "A\\u0000", processorTxId: "\\udc00T" }
    ]
  ])("%s", ([, value, expected]) => Effect.map(giving(value), (answer) => assert.deepStrictEqual(answer, expected)))

  it.effect.each([
    [
      "was not sent",
      () => Effect.fail(new AcquirerError({ reason: new NotSent({ message: "refused" }) })),
      ["NotSent", "refused"]
    ],
    [
      "lost the answer",
      () => Effect.fail(new AcquirerError({ reason: new AnswerLost({ message: "re\0set" }) })),
      ["AnswerLost", "re\\u0000set"]
    ],
    [
      "fails with a class of another copy of this package",
      () => Effect.fail({ _tag: "AcquirerError", reason: { _tag: "NotSent", message: "refused" } }),
      ["NotSent", "refused"]
    ]
  ] as const)("%s", ([, call, expected]) =>
    Effect.map(outcome(call), (failure) => assert.deepStrictEqual(failure, [...expected]))
  )
})

describe("the evidence of an answer that cannot be used", () => {
  it.effect.each([
    ["has no card number", { card: { number: "4444 5555 6666 1111" } }, '{"card":{"number":"[number]"}}'],
    ["has no card number that is a number", { account: 4444555566661111 }, '{"account":[number]}'],
    [
      "has no security code and no secret",
      { cvv: "123", cvc2: 5, apiKey: "s", card: { pan: "1", securityCode: "9" } },
      '{"cvv":"<hidden>","cvc2":"<hidden>","apiKey":"<hidden>","card":{"pan":"<hidden>","securityCode":"<hidden>"}}'
    ],
    ["has no redacted value", { a: Redacted.make("s") }, '{"a":"<redacted>"}'],
    [
      "shows what JSON lacks",
      { a: Number.NaN, b: 5n, c: undefined, d: () => 1 },
      '{"a":"NaN","b":"5","c":"undefined","d":"a function"}'
    ],
    ["has no character that a store refuses", "a\0\ud800", "a\\u0000\\ud800"],
    ["is short", "x".repeat(100_000), "x".repeat(500)],
    [
      "is short of a long list",
      Array.from({ length: 100_000 }, () => 1),
      JSON.stringify(Array.from({ length: 100 }, () => 1))
    ],
    ["says that a value contains itself", endless, "an unreadable object"]
  ])("%s", ([, value, expected]) =>
    Effect.map(giving(value), (failure) => assert.strictEqual(Array.isArray(failure) ? failure[2] : failure, expected))
  )
})

describe("a call of an adapter", () => {
  it.effect("that can neither be answered nor interrupted does not hold up a deadline", () =>
    Effect.gen(function* () {
      const waiting = yield* Effect.forkChild(
        Effect.timeoutOption(
          authorize({}, () => Effect.uninterruptible(Effect.never)),
          "20 seconds"
        )
      )
      yield* TestClock.adjust("20 seconds")
      assert.isDefined(waiting.pollUnsafe())
    })
  )

  it.effect("is interrupted when the gateway gives it up", () =>
    Effect.gen(function* () {
      let isInterrupted = false
      const adapter = Effect.onInterrupt(Effect.never, () => Effect.sync(() => (isInterrupted = true)))
      const fiber = yield* Effect.forkChild(
        authorize({}, () => adapter),
        { startImmediately: true }
      )
      yield* Fiber.interrupt(fiber)
      assert.isTrue(isInterrupted)
    })
  )

  it.effect(
    "with a wrong answer is logged with adapter, method, order, reference and field, and without a card number",
    () => {
      const lines: Array<Readonly<Record<string, unknown>>> = []
      const recorder = Logger.make(({ fiber, message }) => {
        lines.push({ message, ...fiber.getRef(References.CurrentLogAnnotations) })
      })
      const wrong = { ...declined, code: 0, message: "card 4444555566661111" }
      return Effect.gen(function* () {
        yield* giving(wrong)
        assert.deepStrictEqual(lines, [
          {
            message: ["An adapter gave an answer that its port does not have; it counts as lost"],
            adapter: "acquirer",
            method: "authorize",
            orderId: "7",
            reference: "7-sale-0",
            field: "code",
            problem: "code: Expected a whole number from 1",
            answer: '{"_tag":"Declined","code":0,"message":"card [number]"}'
          }
        ])
      }).pipe(Effect.provide(Logger.layer([recorder])))
    }
  )

  it.effect("with the answer to an inquiry may also say that the bank has the request or not, or cannot say", () =>
    Effect.gen(function* () {
      const inquire = port("inquire", InquiryAnswer)
      const tags = [{ _tag: "Accepted", processorTxId: "tx-1" }, { _tag: "NotFound" }, { _tag: "CannotSay" }] as const
      for (const answer of [approved, declined, ...tags])
        assert.deepStrictEqual(yield* inquire({}, () => Effect.succeed(answer)), answer)
      const { reason } = yield* Effect.flip(inquire({}, () => Effect.succeed({ _tag: "Pending" })))
      assert.include(reason.message, "_tag: Expected Approved, Declined, Accepted, NotFound or CannotSay")
    })
  )
})
