import { readFileSync, statSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import * as Card from "@pay/schema/Card"
import * as ThreeDS from "@pay/schema/ThreeDS"
import { Effect, Exit, Fiber, Redacted, Result } from "effect"
import { TestClock } from "effect/testing"
import * as SandboxThreeDS from "../src/SandboxThreeDS.ts"
import { ThreeDSControl } from "../src/ThreeDSControl.ts"
import * as ThreeDSServerContract from "../src/ThreeDSServerContract.ts"
import * as ThreeDSTestCards from "../src/ThreeDSTestCards.ts"
import { temporaryFile } from "./Asking.ts"
import { authenticate, begin, challenged, enrol, numberOf, result } from "./Paying.ts"

const world = () => SandboxThreeDS.layer()

describe("the simulated 3-D Secure server keeps the contract", () => {
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

/** Waits as long as a minute of business time; what fails is an answer too. */
const within = <A, E, R>(question: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const fiber = yield* Effect.forkChild(question, { startImmediately: true })
    const atOnce = fiber.pollUnsafe() !== undefined
    if (!atOnce) yield* TestClock.adjust("1 minute")
    return { atOnce, exit: yield* Fiber.await(fiber) }
  })

const heard = <A extends { readonly _tag: string }, E, R>(
  question: Effect.Effect<A, E, R>,
  say: (answer: A) => string
) =>
  Effect.map(within(question), ({ atOnce, exit }) =>
    Exit.isSuccess(exit) ? `${say(exit.value)}${atOnce ? "" : " later"}` : "lost"
  )

/** Card | look-up | issuer's answer | the customer's way, told by the browser | the issuer's report. */
const ways = [
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

describe("the test cards", () => {
  it.effect.each(ways)("%s: %s, issuer %s, customer %s, report %s", ([name, ...expected]) =>
    Effect.gen(function* () {
      const control = yield* ThreeDSControl
      const said = ["-", "-", "-", "-"]
      said[0] = yield* heard(enrol(name), (answer) =>
        answer._tag === "Version2" && answer.methodUrl !== undefined ? "Version2 method" : answer._tag
      )
      const transaction = yield* control.find("1")
      const serverTransId = transaction?.serverTransId ?? ""
      if (said[0].startsWith("Version2")) {
        said[1] = yield* heard(authenticate(serverTransId), (answer) =>
          answer._tag === "Finished" ? answer.verdict.transStatus : answer._tag
        )
      }
      const choice = expected[2]
      if (choice !== "-") {
        yield* control.play("1", choice)
        said[2] = choice
      }
      if (said[1] !== "-" && said[1] !== "lost") {
        const told = Effect.map(Effect.exit(result(serverTransId)), (exit) =>
          Exit.isSuccess(exit) ? (exit.value?.transStatus ?? "-") : "lost"
        )
        const first = yield* told
        yield* TestClock.adjust("1 minute")
        const then = yield* told
        said[3] = first === then ? first : `${first} then ${then}`
      }
      assert.deepStrictEqual(said, [...expected])
    }).pipe(Effect.provide(world()))
  )

  it("no card is left out here", () => {
    const tested = new Set<string>(ways.map(([name]) => name))
    assert.deepStrictEqual(
      ThreeDSTestCards.cards.filter(({ name }) => !tested.has(name)),
      []
    )
  })

  it.each(ThreeDSTestCards.cards)("$number can be a card number", ({ number }) => {
    assert.isTrue(Card.isNumber(number))
  })

  it("names and numbers are used once", () => {
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
  it.effect.each(proofs)("%s with %s: the indicator is %s", ([number, decision, eci]) =>
    Effect.gen(function* () {
      yield* Effect.flatMap(ThreeDSControl, (control) => control.next({ decision }))
      const enrolment = yield* enrol("", { pan: Redacted.make(number) })
      assert.ok(enrolment._tag === "Version2")
      const answer = yield* authenticate(enrolment.serverTransId)
      assert.strictEqual(answer._tag === "Finished" ? answer.verdict.eci : "", eci)
    }).pipe(Effect.provide(world()))
  )
})

describe("the control", () => {
  it.effect("plans for the next queue, and win over the card", () =>
    Effect.gen(function* () {
      const control = yield* ThreeDSControl
      yield* control.next({ enrolment: "notEnrolled" })
      yield* control.next({ enrolment: "version1" })
      const tags = yield* Effect.forEach([1, 2, 3], (n) =>
        Effect.map(enrol("frictionless", { reference: `${n}-threeds-1` }), ({ _tag }) => _tag)
      )
      assert.deepStrictEqual(tags, ["NotEnrolled", "Version1", "Version2"])
    }).pipe(Effect.provide(world()))
  )

  it.effect("a plan for an order holds for every attempt, and leaves the next one to others", () =>
    Effect.gen(function* () {
      const control = yield* ThreeDSControl
      yield* control.next({ enrolment: "version1" })
      yield* control.forOrder("7", { enrolment: "notEnrolled" })
      const references = ["7-threeds-1", "7-threeds-2", "70-threeds-1"]
      const tags = yield* Effect.forEach(references, (reference) =>
        Effect.map(enrol("challenge", { reference }), ({ _tag }) => _tag)
      )
      assert.deepStrictEqual(tags, ["NotEnrolled", "NotEnrolled", "Version1"])
    }).pipe(Effect.provide(world()))
  )

  it.effect("a plan stays with the authentication that met it", () =>
    Effect.gen(function* () {
      yield* Effect.flatMap(ThreeDSControl, (control) => control.next({ enrolment: "notEnrolled" }))
      yield* enrol("challenge")
      assert.strictEqual((yield* enrol("challenge"))._tag, "NotEnrolled")
    }).pipe(Effect.provide(world()))
  )

  it.effect("the customer decides once; whatever is chosen later, the browser carries the same", () =>
    Effect.gen(function* () {
      const control = yield* ThreeDSControl
      const { serverTransId } = yield* challenged()
      const first = yield* control.play(serverTransId, "fail")
      assert.deepStrictEqual(yield* control.play("1", "pass"), first)
      assert.strictEqual((yield* result(serverTransId))?.transStatus, "N")
    }).pipe(Effect.provide(world()))
  )

  it.effect("a CRes names the transactions and tells the end", () =>
    Effect.gen(function* () {
      const control = yield* ThreeDSControl
      const { acsTransId, serverTransId } = yield* challenged()
      const carried = yield* control.play("1-threeds-1", "pass")
      assert.ok(carried._tag === "CRes")
      assert.deepStrictEqual(Result.getOrThrow(ThreeDS.cres.decode(carried.cres)), {
        messageType: "CRes",
        messageVersion: "2.2.0",
        threeDSServerTransID: serverTransId,
        acsTransID: acsTransId,
        transStatus: "Y",
        challengeCompletionInd: "Y"
      })
    }).pipe(Effect.provide(world()))
  )

  it.effect("a forging browser says Y where the issuer says N", () =>
    Effect.gen(function* () {
      const control = yield* ThreeDSControl
      const { serverTransId } = yield* challenged("forged")
      const carried = yield* control.play("1", "fail")
      assert.ok(carried._tag === "CRes")
      assert.strictEqual(Result.getOrThrow(ThreeDS.cres.decode(carried.cres)).transStatus, "Y")
      assert.strictEqual((yield* result(serverTransId))?.transStatus, "N")
    }).pipe(Effect.provide(world()))
  )

  it.effect("a report that never came can be delivered", () =>
    Effect.gen(function* () {
      const control = yield* ThreeDSControl
      const { serverTransId } = yield* challenged("report-never")
      yield* control.play("1", "pass")
      assert.strictEqual(yield* result(serverTransId), undefined)
      yield* control.report("1")
      assert.strictEqual((yield* result(serverTransId))?.transStatus, "Y")
    }).pipe(Effect.provide(world()))
  )

  it.effect("the method comes back with the transaction alone", () =>
    Effect.gen(function* () {
      const control = yield* ThreeDSControl
      const { serverTransId } = yield* begin("method-frictionless")
      assert.strictEqual((yield* control.find("1"))?.methodSeen, false)
      const data = Result.getOrThrow(ThreeDS.methodData.decode(yield* control.method("1")))
      assert.deepStrictEqual(data, { threeDSServerTransID: serverTransId })
      assert.strictEqual((yield* control.find("1"))?.methodSeen, true)
    }).pipe(Effect.provide(world()))
  )

  it.effect("tells what the issuer saw of the browser, and nothing that leads to the card", () =>
    Effect.gen(function* () {
      const control = yield* ThreeDSControl
      yield* begin()
      const [transaction] = yield* control.transactions
      assert.deepStrictEqual(transaction?.asked, {
        completionIndicator: "Y",
        notificationUrl: "https://shop.example/back?order=1&x=2",
        browser: {
          acceptHeader: "text/html",
          ip: "192.0.2.1",
          javaEnabled: false,
          language: "de",
          screenHeight: 1080,
          timeZoneMinutes: -60
        }
      })
      assert.notInclude(JSON.stringify(transaction), "55556666")
    }).pipe(Effect.provide(world()))
  )

  const impossible = [
    ["play, of nobody", Effect.flatMap(ThreeDSControl, (control) => control.play("2", "pass"))],
    ["play, before the issuer was asked", Effect.flatMap(ThreeDSControl, (control) => control.play("1", "pass"))],
    ["method, without a method page", Effect.flatMap(ThreeDSControl, (control) => control.method("1"))],
    ["report, before a decision", Effect.flatMap(ThreeDSControl, (control) => control.report("1"))],
    ["method, of nobody", Effect.flatMap(ThreeDSControl, (control) => control.method(""))]
  ] as const
  it.effect.each(impossible)("%s: is refused", ([, step]) =>
    Effect.gen(function* () {
      yield* enrol("challenge")
      assert.strictEqual((yield* Effect.flip(Effect.asVoid(step)))._tag, "NoSuchStep")
    }).pipe(Effect.provide(world()))
  )

  it.effect("a frictionless payment has no challenge to play", () =>
    Effect.gen(function* () {
      yield* begin("frictionless")
      const control = yield* ThreeDSControl
      assert.strictEqual((yield* Effect.flip(control.play("1", "pass")))._tag, "NoSuchStep")
    }).pipe(Effect.provide(world()))
  )

  it.effect("a transaction is asked for by its own reference only, and an unknown one has no result", () =>
    Effect.gen(function* () {
      const other = yield* enrol("challenge", { reference: "2-threeds-1" })
      assert.ok(other._tag === "Version2")
      assert.strictEqual((yield* Effect.flip(authenticate(other.serverTransId)))._tag, "ThreeDSServerError")
      assert.strictEqual((yield* Effect.flip(result("1")))._tag, "ThreeDSServerError")
    }).pipe(Effect.provide(world()))
  )

  it.effect("reset forgets all", () =>
    Effect.gen(function* () {
      const control = yield* ThreeDSControl
      yield* begin()
      yield* control.next({ enrolment: "notEnrolled" })
      yield* control.reset
      assert.deepStrictEqual(yield* control.transactions, [])
      assert.strictEqual((yield* enrol())._tag, "Version2")
    }).pipe(Effect.provide(world()))
  )
})

describe("the journal", () => {
  const life = <A, E, R>(threedsJournalPath: string, program: Effect.Effect<A, E, R>) =>
    Effect.provide(program, SandboxThreeDS.layer({ threedsJournalPath }), { local: true })

  it.effect("an authentication goes on in the next life, wherever it stood", () =>
    Effect.gen(function* () {
      const path = yield* temporaryFile("threeds.jsonl")
      const control = ThreeDSControl
      yield* life(
        path,
        Effect.flatMap(control, ({ next }) => next({ method: "prompt" }))
      )
      const plan = Effect.flatMap(control, ({ next }) => next({ method: "prompt" }))
      const enrolment = yield* life(path, Effect.andThen(plan, enrol()))
      assert.deepStrictEqual(yield* life(path, enrol()), enrolment)
      yield* life(
        path,
        Effect.flatMap(control, ({ method }) => method("1"))
      )
      const { answer, serverTransId } = yield* life(path, begin())
      assert.deepStrictEqual((yield* life(path, begin())).answer, answer)
      const carried = yield* life(
        path,
        Effect.flatMap(control, ({ play }) => play("1", "pass"))
      )
      const again = yield* life(
        path,
        Effect.flatMap(control, ({ play }) => play("1", "abandon"))
      )
      assert.deepStrictEqual(again, carried)
      assert.strictEqual((yield* life(path, result(serverTransId)))?.transStatus, "Y")
      assert.strictEqual(
        (yield* life(
          path,
          Effect.flatMap(control, ({ find }) => find("1"))
        ))?.methodSeen,
        true
      )
    })
  )

  it.effect("belongs to its user alone, and names no card", () =>
    Effect.gen(function* () {
      const path = yield* temporaryFile("threeds.jsonl")
      yield* life(path, begin())
      assert.strictEqual(statSync(path).mode & 0o777, 0o600)
      assert.notInclude(readFileSync(path, "utf8"), "55556666")
    })
  )

  it.effect("reset empties it", () =>
    Effect.gen(function* () {
      const path = yield* temporaryFile("threeds.jsonl")
      yield* life(
        path,
        Effect.andThen(
          begin(),
          Effect.flatMap(ThreeDSControl, ({ reset }) => reset)
        )
      )
      assert.strictEqual(readFileSync(path, "utf8"), "")
    })
  )
})
