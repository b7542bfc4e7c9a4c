/** When an order is looked for, and when it is sent, in each turn of its creation. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Result } from "effect"
import { check, create } from "./Creating.ts"
import * as Earlier from "./Earlier.ts"
import * as Script from "./Script.ts"

const { refuses, stands, taken, unheardOf } = Script
const paid = stands("approved")
const complete = stands("approved", { "recurring-payment-id": "9" })
const tooMany = refuses(83, 429, "7200")
const needed = "recurringPaymentId"
const isOpen = true
const isBegun = true
const lostFields = ["cvv2"]
const wrong = { ...Script.chargeRequest, amount: "x" }
const verification = { client_orderid: "o-1" }
const find = (amount: string) => stands("approved", { amount })

describe("a charge at a gateway that replays a creation", () => {
  check([
    ["is made", {}, [taken], [], "made", "make"],
    ["is wrong before it is sent", { request: wrong }, [], [], "Refused", ""],
    ["is refused", {}, [refuses(1)], [], "Refused", "make"],
    [
      "may have been sent before, was not there, and is there after a refusal",
      { isOpen },
      [refuses(1)],
      [unheardOf, unheardOf, paid],
      "found",
      "status status make status"
    ],
    [
      "may have been sent before, and is there without what is needed",
      { isOpen, needed },
      [taken],
      [paid],
      "made",
      "status status make"
    ],
    ["may have been sent before, and is there with it", { isOpen, needed }, [], [complete], "found", "status"],
    ["may have been sent by an earlier run, and is there", { isBegun }, [taken], [paid], "made", "status make"],
    [
      "may have been sent by an earlier run, and is not there",
      { isBegun },
      [taken],
      [unheardOf],
      "made",
      "status make"
    ],
    [
      "may have been sent by an earlier run, and the question is refused",
      { isBegun },
      [],
      [refuses(1)],
      "StillUnknown",
      `status${" status".repeat(7)}`
    ],
    [
      "may have been sent by an earlier run, there were too many questions, and it is not there",
      { isBegun },
      [],
      [tooMany, unheardOf],
      "NeverHappened",
      "status status status",
      { mostSubmissions: 1 }
    ],
    [
      "was lost, and is there without what is needed",
      { needed },
      ["lost", taken],
      [paid],
      "made",
      "make status status make"
    ],
    [
      "was lost, is there without what is needed, and is refused",
      { needed },
      ["lost", refuses(1), taken],
      [paid],
      "made",
      "make status status make status status make"
    ],
    [
      "was lost, and was one too many each time after that",
      {},
      ["lost", tooMany],
      [unheardOf],
      "Refused",
      "make status status make status status make status status"
    ],
    ["was lost, and is of no known amount", { request: verification, isOpen }, [], [find("1.00")], "found", "status"],
    [
      "was lost, and only its currency is known",
      { request: { ...verification, currency: "EUR" }, isOpen },
      [],
      [find("1.00")],
      "found",
      "status"
    ],
    [
      "was lost, and its currency was not told",
      { request: { ...verification, amount: "1.00" }, isOpen },
      [],
      [find("1.00")],
      "found",
      "status"
    ]
  ])
})

describe("a charge that has lost its security code", () => {
  check([
    ["was never there", { lostFields }, [], [unheardOf], "NeverHappened", "status status"],
    ["is there without what is needed", { lostFields, needed }, [], [paid], "StillUnknown", "status"],
    [
      "is looked for again where an earlier run has sent it again",
      { lostFields, record: { "make 2": { askedAtMs: 0, ended: { _tag: "Answered", answer: {} } } } },
      [],
      [unheardOf],
      "found",
      "status status"
    ],
    [
      "is looked for again where an earlier run has begun to send it again",
      { lostFields, record: { "make 2 begun": "first" } },
      [],
      [unheardOf, unheardOf, paid],
      "found",
      "status status status"
    ]
  ])
})

it.effect("a charge that has lost another of its fields is not sent either, and names the field", () =>
  Effect.gen(function* () {
    const { requests, result } = yield* Script.play(
      { status: [unheardOf] },
      create({ lostFields: ["endpoint", "cardrefid"] })
    )
    assert(Result.isFailure(result) && result.failure._tag === "NeverHappened")
    assert.strictEqual(result.failure.missing, "cardrefid")
    assert.deepStrictEqual(requests, ["status", "status"])
  })
)

it.effect("a charge that was never there says that it cannot be sent without the code", () =>
  Effect.gen(function* () {
    const { result } = yield* Script.play({ status: [unheardOf] }, create({ lostFields }))
    assert(Result.isFailure(result) && result.failure._tag === "NeverHappened")
    assert.include(result.failure.message, "Run it again with cvv2, without which it cannot be sent")
    const { result: sent } = yield* Script.play({ "make-rebill": ["lost"], status: [unheardOf] }, create({}))
    assert(Result.isFailure(sent) && sent.failure._tag === "NeverHappened")
    assert.match(sent.failure.message, /Run it again$/)
  })
)

describe("a creation", () => {
  it.effect("calls its steps by the same names in every version", () =>
    Effect.gen(function* () {
      const run = Earlier.after()
      yield* Script.play({ "make-rebill": ["lost", taken], status: [unheardOf] }, create({}, run))
      const all = "make, make look 1.1, make look 1.1 pause, make look 1.2, make 2 begun, make 2"
      assert.strictEqual(run.names.join(", "), all)
      const again = Earlier.after()
      yield* Script.play({ "make-rebill": ["lost", taken], status: [paid] }, create({ needed }, again))
      assert.strictEqual(again.names.join(", "), "make, make look 1.1, make 2")
    })
  )

  it.effect("waits for a request that may be under way, and less for an answer", () =>
    Effect.gen(function* () {
      const absent = yield* Script.play({ "make-rebill": ["lost"], status: [unheardOf, paid] }, create({}))
      const untold = yield* Script.play({ "make-rebill": ["lost"], status: ["lost", paid] }, create({}))
      assert.deepStrictEqual([absent.seconds, untold.seconds], [45, 10])
    })
  )

  it.effect("tells of an order that is there what status tells", () =>
    Effect.gen(function* () {
      const receipts: Array<unknown> = []
      for (const status of [paid, complete]) {
        const { result } = yield* Script.play({ status: [status] }, create({ isOpen }))
        receipts.push(Result.isSuccess(result) ? result.success.receipt : result.failure)
      }
      assert.deepStrictEqual(receipts, [{ orderId: "7" }, { orderId: "7", recurringPaymentId: "9" }])
    })
  )

  it.effect("that may have been sent by an earlier run does not tell that it was not sent", () =>
    Effect.gen(function* () {
      const answers: Array<string | undefined> = []
      for (const says of ["lost", tooMany] as const) {
        const { result } = yield* Script.play({ status: [says] }, create({ isBegun }))
        answers.push(Result.isFailure(result) ? result.failure.evidence[0]?.answer : "")
      }
      const lost = "OutcomeUnknown: the outcome of REBILL is unknown: ConnectionLost (RESTARTED)"
      assert.deepStrictEqual(answers, [lost, lost])
    })
  )
})
