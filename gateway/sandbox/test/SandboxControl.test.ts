import { assert, describe, it } from "@effect/vitest"
import { Acquirer } from "@pay/gateway/Acquirer"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { approve, decline, type Scenario } from "../src/Outcome.ts"
import * as SandboxAcquirer from "../src/SandboxAcquirer.ts"
import { SandboxControl } from "../src/SandboxControl.ts"
import { ask, authorization, authorize, card, followUp, inquire, textOf } from "./Inquiry.ts"

const bank = () => SandboxAcquirer.layer()
const no: Scenario = { verdict: decline({ code: 107, message: "Refer to card issuer" }) }
const lost: Scenario = { delivery: { _tag: "AnswerLost" } }
const undecided: Scenario = { delivery: { _tag: "Undecided" } }

describe("a scenario for the bank's answer", () => {
  it.effect("applies to the next request of its kind only", () =>
    Effect.gen(function* () {
      const control = yield* SandboxControl
      yield* control.next("authorize", no)
      assert.strictEqual(textOf(yield* authorize()), "Declined 107")
      assert.strictEqual(textOf(yield* authorize({ reference: "2-authorize-0", orderId: "2" })), "Approved")
    }).pipe(Effect.provide(bank()))
  )

  it.effect("waits behind earlier scenarios for the next request of its kind", () =>
    Effect.gen(function* () {
      const control = yield* SandboxControl
      yield* control.next("capture", lost)
      yield* control.next("capture", no)
      yield* authorize()
      const answers = yield* Effect.forEach([1, 2, 3], (n) =>
        Effect.map(ask("capture", followUp(`1-capture-${n}`, 1)), textOf)
      )
      assert.deepStrictEqual(answers, ["AnswerLost", "Declined 107", "Approved"])
    }).pipe(Effect.provide(bank()))
  )

  it.effect("is removed by forgetNext, unless it is for an order", () =>
    Effect.gen(function* () {
      const control = yield* SandboxControl
      yield* control.next("authorize", no)
      yield* control.forOrder("2", "authorize", no)
      yield* control.forgetNext
      assert.strictEqual(textOf(yield* authorize()), "Approved")
      assert.strictEqual(textOf(yield* authorize({ reference: "2-authorize-0", orderId: "2" })), "Declined 107")
    }).pipe(Effect.provide(bank()))
  )

  it.effect("applies to repeats of the same reference", () =>
    Effect.gen(function* () {
      const control = yield* SandboxControl
      yield* control.next("authorize", { delivery: { _tag: "NeverArrives", times: 2 } })
      const answers = yield* Effect.replicateEffect(Effect.map(authorize(), textOf), 3)
      assert.deepStrictEqual(answers, ["AnswerLost", "AnswerLost", "Approved"])
    }).pipe(Effect.provide(bank()))
  )

  it.effect("for an order applies to every request of its kind", () =>
    Effect.gen(function* () {
      const control = yield* SandboxControl
      yield* control.forOrder("1", "capture", no)
      const answers = [
        yield* authorize(),
        yield* ask("capture", followUp("1-capture-1", 100)),
        yield* ask("capture", followUp("1-capture-2", 100)),
        yield* ask("void", followUp("1-void-3", 1000))
      ]
      assert.deepStrictEqual(answers.map(textOf), ["Approved", "Declined 107", "Declined 107", "Approved"])
    }).pipe(Effect.provide(bank()))
  )

  it.effect("is found by reference, then order, next request, card number and security code", () =>
    Effect.gen(function* () {
      const control = yield* SandboxControl
      const why = (code: number): Scenario => ({ verdict: decline({ code, message: "" }) })
      yield* control.next("authorize", why(3))
      yield* control.forOrder("1", "authorize", why(2))
      yield* control.forReference("1-authorize-0", why(1))
      const request = { card: card("4444011100000002", "123") }
      const answers = yield* Effect.forEach(
        [
          { reference: "1-authorize-0", orderId: "1" },
          { reference: "1-authorize-1", orderId: "1" },
          { reference: "2-authorize-0", orderId: "2" },
          { reference: "3-authorize-0", orderId: "3" }
        ] as const,
        (names) => Effect.map(authorize({ ...request, ...names }), textOf)
      )
      assert.deepStrictEqual(answers, ["Declined 1", "Declined 2", "Declined 3", "Declined 116"])
    }).pipe(Effect.provide(bank()))
  )

  it.effect("is chosen by a rule for the requests that no other is for, also when they are repeated", () =>
    Effect.gen(function* () {
      const control = yield* SandboxControl
      const why = (code: number): Scenario => ({ verdict: decline({ code, message: "" }) })
      yield* control.choose(() => why(8))
      yield* control.choose(({ amountMinor }) => (amountMinor === 1042 ? why(9) : undefined))
      yield* control.forOrder("3", "authorize", why(2))
      const requests = [
        { reference: "1-authorize-0", orderId: "1", amountMinor: 1042 },
        { reference: "2-authorize-0", orderId: "2", amountMinor: 1043 },
        { reference: "3-authorize-0", orderId: "3", amountMinor: 1042 }
      ] as const
      const answers = yield* Effect.forEach(requests, (request) => Effect.map(authorize(request), textOf))
      assert.deepStrictEqual(answers, ["Declined 9", "Approved", "Declined 2"])
      yield* control.choose(() => undefined)
      assert.strictEqual(textOf(yield* authorize(requests[0])), "Declined 9")
    }).pipe(Effect.provide(bank()))
  )

  it.effect("can lose an inquiry, and make the bank unreachable for it", () =>
    Effect.gen(function* () {
      const control = yield* SandboxControl
      yield* authorize()
      yield* control.next("inquire", { delivery: { _tag: "NotSent" } })
      yield* control.next("inquire", lost)
      const answers = yield* Effect.replicateEffect(Effect.map(inquire(), textOf), 3)
      assert.deepStrictEqual(answers, ["NotSent", "AnswerLost", "Approved"])
    }).pipe(Effect.provide(bank()))
  )
})

describe("a late decision of the bank", () => {
  it.effect.each([
    ["approves an undecided authorization", approve, "Approved"],
    ["declines an undecided authorization", no.verdict ?? approve, "Declined 107"]
  ] as const)("%s", ([, verdict, answer]) =>
    Effect.gen(function* () {
      const control = yield* SandboxControl
      yield* authorize({ card: card(undefined, "217") })
      yield* TestClock.adjust("30 days")
      assert.strictEqual(textOf(yield* inquire()), "CannotSay")
      yield* control.settle("1-authorize-0", verdict)
      assert.strictEqual(textOf(yield* inquire()), answer)
      assert.strictEqual(textOf(yield* authorize({ card: card(undefined, "217") })), answer)
    }).pipe(Effect.provide(bank()))
  )

  it.effect("counts an approval in the books from then on; its amount was reserved before", () =>
    Effect.gen(function* () {
      const control = yield* SandboxControl
      yield* authorize()
      yield* control.next("capture", undecided)
      yield* ask("capture", followUp("1-capture-1", 700))
      assert.strictEqual((yield* control.books.totals("1")).capturedMinor, 0)
      assert.strictEqual(textOf(yield* ask("capture", followUp("1-capture-2", 400))), "Declined 110")
      yield* control.settle("1-capture-1", approve)
      assert.strictEqual((yield* control.books.totals("1")).capturedMinor, 700)
    }).pipe(Effect.provide(bank()))
  )

  it.effect("frees the amount of a declined request", () =>
    Effect.gen(function* () {
      const control = yield* SandboxControl
      yield* authorize()
      yield* control.next("capture", undecided)
      yield* ask("capture", followUp("1-capture-1", 700))
      yield* control.settle("1-capture-1", no.verdict ?? approve)
      assert.strictEqual(textOf(yield* ask("capture", followUp("1-capture-2", 1000))), "Approved")
    }).pipe(Effect.provide(bank()))
  )

  it.effect.each(["1-authorize-0", "9-authorize-0"])("is refused for %s, which is decided or unknown", (reference) =>
    Effect.gen(function* () {
      yield* authorize()
      const error = yield* Effect.flip(Effect.flatMap(SandboxControl, (control) => control.settle(reference, approve)))
      assert.strictEqual(error._tag, "NothingToSettle")
    }).pipe(Effect.provide(bank()))
  )
})

describe("a repeated reference", () => {
  it.effect("gets the same answer and is booked once, if the request is unchanged", () =>
    Effect.gen(function* () {
      const { books, violations } = yield* SandboxControl
      const answers = yield* Effect.replicateEffect(authorize(), 3)
      assert.strictEqual(new Set(answers.map((answer) => JSON.stringify(answer))).size, 1)
      assert.strictEqual((yield* books.totals("1")).authorizedMinor, 1000)
      assert.deepStrictEqual(
        (yield* books.ofOrder("1")).map(({ repeats }) => repeats),
        [2]
      )
      assert.deepStrictEqual(yield* violations, [])
    }).pipe(Effect.provide(bank()))
  )

  const changes = [
    ["amount", { amountMinor: 1001 }],
    ["currency", { currency: "EUR" }],
    ["order", { orderId: "2" }],
    ["capture", { capture: true }],
    ["card", { card: card("4444010100000004") }],
    ["expiry", { card: { ...card(), expireMonth: 11 } }]
  ] as const
  it.effect.each(changes)("with another %s is recorded as a defect of the gateway", ([, change]) =>
    Effect.gen(function* () {
      const bank = yield* Acquirer
      yield* authorize()
      const { reason } = yield* Effect.flip(bank.authorize(authorization(change)))
      assert.include(reason.message, "ReferenceReused")
      const { books, violations } = yield* SandboxControl
      assert.lengthOf(yield* violations, 1)
      assert.deepStrictEqual(
        (yield* books.all).map(({ request }) => request.amountMinor),
        [1000]
      )
    }).pipe(Effect.provide(bank()))
  )
})

describe("the timing of the simulated bank", () => {
  it.effect("delays every answer by the latency, on the business clock", () =>
    Effect.gen(function* () {
      const fiber = yield* Effect.forkChild(authorize(), { startImmediately: true })
      yield* TestClock.adjust(299)
      assert.isUndefined(fiber.pollUnsafe())
      yield* TestClock.adjust(1)
      assert.strictEqual(textOf(yield* Fiber.join(fiber)), "Approved")
    }).pipe(Effect.provide(SandboxAcquirer.layer({ latencyMs: 300 })))
  )

  it.effect("books a request when it arrives, not when it is answered", () =>
    Effect.gen(function* () {
      const fiber = yield* Effect.forkChild(authorize(), { startImmediately: true })
      yield* Fiber.interrupt(fiber)
      const { books } = yield* SandboxControl
      assert.strictEqual((yield* books.totals("1")).authorizedMinor, 1000)
    }).pipe(Effect.provide(SandboxAcquirer.layer({ latencyMs: 300 })))
  )

  it.effect("loses an answer at the deadline, if so configured", () =>
    Effect.gen(function* () {
      const request = { card: card("4444010300000002") }
      const fiber = yield* Effect.forkChild(authorize(request), { startImmediately: true })
      yield* TestClock.adjust(4_999)
      assert.isUndefined(fiber.pollUnsafe())
      yield* TestClock.adjust(1)
      assert.strictEqual(textOf(yield* Fiber.join(fiber)), "AnswerLost")
    }).pipe(Effect.provide(SandboxAcquirer.layer({ deadlineMs: 5_000, lostAnswers: "atDeadline" })))
  )

  it.effect("declares the configured deadline and processing time", () =>
    Effect.gen(function* () {
      const { capabilities } = yield* Acquirer
      assert.deepInclude(capabilities, {
        deadlineMs: 1,
        longestProcessingMs: 2,
        transfers: true,
        eligibility: true
      })
    }).pipe(Effect.provide(SandboxAcquirer.layer({ deadlineMs: 1, longestProcessingMs: 2 })))
  )
})

it.effect("a reset deletes the bank's books and scenarios", () =>
  Effect.gen(function* () {
    const control = yield* SandboxControl
    yield* authorize()
    yield* control.next("authorize", no)
    yield* control.forOrder("1", "authorize", no)
    yield* control.reset
    assert.strictEqual(textOf(yield* inquire()), "NotFound")
    assert.strictEqual(textOf(yield* authorize({ amountMinor: 5 })), "Approved")
    assert.deepStrictEqual(
      (yield* control.books.all).map(({ request }) => request.amountMinor),
      [5]
    )
  }).pipe(Effect.provide(bank()))
)
