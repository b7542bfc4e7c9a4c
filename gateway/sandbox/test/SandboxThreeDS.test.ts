import { assert, describe, it } from "@effect/vitest"
import * as Card from "@pay/schema/Card"
import { Effect, Exit, Fiber, Redacted } from "effect"
import { TestClock } from "effect/testing"
import * as SandboxThreeDS from "../src/SandboxThreeDS.ts"
import { ThreeDSControl } from "../src/ThreeDSControl.ts"
import * as ThreeDSServerContract from "../src/ThreeDSServerContract.ts"
import * as ThreeDSTestCards from "../src/ThreeDSTestCards.ts"
import { authenticate, enrol, numberOf, result } from "./Paying.ts"

const world = () => SandboxThreeDS.layer()

describe("the simulated server as a 3-D Secure server", () => {
  const cards = {
    notEnrolled: numberOf("not-enrolled"),
    authenticated: numberOf("frictionless"),
    refused: numberOf("refused"),
    challenged: numberOf("challenge"),
    version1: numberOf("version1")
  }
  for (const { name, run } of ThreeDSServerContract.cases(cards)) {
    it.effect(name, () => Effect.provide(run, world()))
  }
})

/** Waits up to a minute of business time. A failure counts as an answer. */
const within = <A, E, R>(question: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const fiber = yield* Effect.forkChild(question, { startImmediately: true })
    const atOnce = fiber.pollUnsafe() !== undefined
    if (!atOnce) yield* TestClock.adjust("1 minute")
    return { atOnce, exit: yield* Fiber.await(fiber) }
  })

const answerOf = <A extends { readonly _tag: string }, E, R>(
  question: Effect.Effect<A, E, R>,
  say: (answer: A) => string
) =>
  Effect.map(within(question), ({ atOnce, exit }) =>
    Exit.isSuccess(exit) ? `${say(exit.value)}${atOnce ? "" : " later"}` : "lost"
  )

/** Card | look-up | issuer's answer | the customer's choice in the browser | the issuer's result. */
const scenarios = [
  ["method-challenge", "Version2 method", "Challenge", "-", "-"],
  ["challenge", "Version2", "Challenge", "-", "-"],
  ["ordinary", "Version2", "Challenge", "-", "-"],
  ["frictionless", "Version2", "Y", "-", "Y"],
  ["attempted", "Version2", "A", "-", "A"],
  ["refused", "Version2", "N", "-", "N"],
  ["rejected", "Version2", "R", "-", "R"],
  ["unavailable", "Version2", "U", "-", "U"],
  ["unexpected", "Version2", "I", "-", "I"],
  ["method-frictionless", "Version2 method", "Y", "-", "Y"],
  ["method-slow", "Version2 method", "Y", "-", "Y"],
  ["method-silent", "Version2 method", "Y", "-", "Y"],
  ["passes", "Version2", "Challenge", "pass", "Y"],
  ["fails", "Version2", "Challenge", "fail", "N"],
  ["abandons", "Version2", "Challenge", "abandon", "N"],
  ["leaves", "Version2", "Challenge", "-", "-"],
  ["forged", "Version2", "Challenge", "fail", "N"],
  ["report-late", "Version2", "Challenge", "pass", "- then Y"],
  ["report-never", "Version2", "Challenge", "pass", "-"],
  ["result-lost", "Version2", "Challenge", "pass", "lost"],
  ["not-enrolled", "NotEnrolled", "-", "-", "-"],
  ["lookup-fails", "lost", "-", "-", "-"],
  ["lookup-slow", "Version2 later", "Challenge", "-", "-"],
  ["lookup-too-slow", "Version2 later", "Challenge", "-", "-"],
  ["issuer-fails", "Version2", "lost", "-", "-"],
  ["issuer-slow", "Version2", "Y later", "-", "Y"],
  ["issuer-too-slow", "Version2", "Challenge later", "-", "-"],
  ["version1", "Version1", "-", "-", "-"],
  ["version1-passes", "Version1", "-", "pass", "-"],
  ["version1-attempted", "Version1", "-", "pass", "-"],
  ["version1-fails", "Version1", "-", "fail", "-"],
  ["version1-unavailable", "Version1", "-", "pass", "-"],
  ["version1-forged", "Version1", "-", "fail", "-"]
] as const

describe("the test cards for 3-D Secure", () => {
  it.effect.each(scenarios)("%s: look-up %s, issuer %s, customer %s, result %s", ([name, ...expected]) =>
    Effect.gen(function* () {
      const control = yield* ThreeDSControl
      const lines = ["-", "-", "-", "-"]
      lines[0] = yield* answerOf(enrol(name), (answer) =>
        answer._tag === "Version2" && answer.methodUrl !== undefined ? "Version2 method" : answer._tag
      )
      const transaction = yield* control.find("1")
      const serverTransId = transaction?.serverTransId ?? ""
      if (lines[0].startsWith("Version2")) {
        lines[1] = yield* answerOf(authenticate(serverTransId), (answer) =>
          answer._tag === "Finished" ? answer.verdict.transStatus : answer._tag
        )
      }
      const choice = expected[2]
      if (choice !== "-") {
        yield* control.play("1", choice)
        lines[2] = choice
      }
      if (lines[1] !== "-" && lines[1] !== "lost") {
        const callbacks = Effect.map(Effect.exit(result(serverTransId)), (exit) =>
          Exit.isSuccess(exit) ? (exit.value?.transStatus ?? "-") : "lost"
        )
        const first = yield* callbacks
        yield* TestClock.adjust("1 minute")
        const then = yield* callbacks
        lines[3] = first === then ? first : `${first} then ${then}`
      }
      assert.deepStrictEqual(lines, [...expected])
    }).pipe(Effect.provide(world()))
  )

  it("are all covered by this test", () => {
    const tested = new Set<string>(scenarios.map(([name]) => name))
    assert.deepStrictEqual(
      ThreeDSTestCards.cards.filter(({ name }) => !tested.has(name)),
      []
    )
  })

  it.each(ThreeDSTestCards.cards)("include the valid card number $number", ({ number }) => {
    assert.isTrue(Card.isNumber(number))
  })

  it("have unique names and numbers", () => {
    for (const key of ["name", "number"] as const) {
      assert.strictEqual(new Set(ThreeDSTestCards.cards.map((row) => row[key])).size, ThreeDSTestCards.cards.length)
    }
  })

  const proofs = [
    ["4444020100000003", "Y", "05"],
    ["4444020200000002", "A", "06"],
    ["5555555555554444", "Y", "02"],
    ["5555555555554444", "A", "01"]
  ] as const
  it.effect.each(proofs)("%s with the decision %s gets the ECI %s", ([number, decision, eci]) =>
    Effect.gen(function* () {
      yield* Effect.flatMap(ThreeDSControl, (control) => control.next({ decision }))
      const enrolment = yield* enrol("", { pan: Redacted.make(number) })
      assert.ok(enrolment._tag === "Version2")
      const answer = yield* authenticate(enrolment.serverTransId)
      assert.strictEqual(answer._tag === "Finished" ? answer.verdict.eci : "", eci)
    }).pipe(Effect.provide(world()))
  )
})
