/** Tests when an order is looked up, and when it is sent, in each turn of its creation. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Result } from "effect"
import { check, create } from "./Creating.ts"
import * as Earlier from "./Earlier.ts"
import * as Script from "./Script.ts"

const { refusal, orderStatus, acknowledged, unknownOrder } = Script
const paid = orderStatus("approved")
const complete = orderStatus("approved", { "recurring-payment-id": "9" })
const tooMany = refusal(83, 429, "7200")
const needed = "recurringPaymentId"
const isOpen = true
const isBegun = true
const lostFields = ["cvv2"]
const wrong = { ...Script.chargeRequest, amount: "x" }
const verification = { client_orderid: "o-1" }
const find = (amount: string) => orderStatus("approved", { amount })

describe("a charge at a gateway that replays a creation", () => {
  check([
    ["is created", {}, [acknowledged], [], "made", "make"],
    ["is invalid, and not sent", { request: wrong }, [], [], "Refused", ""],
    ["is refused", {}, [refusal(1)], [], "Refused", "make"],
    [
      "may have been sent before, is absent, and is found after a refusal",
      { isOpen },
      [refusal(1)],
      [unknownOrder, unknownOrder, paid],
      "found",
      "status status make status"
    ],
    [
      "may have been sent before, and is found without a required field",
      { isOpen, needed },
      [acknowledged],
      [paid],
      "made",
      "status status make"
    ],
    [
      "may have been sent before, and is found with the required field",
      { isOpen, needed },
      [],
      [complete],
      "found",
      "status"
    ],
    ["may have been sent by an earlier run, and is found", { isBegun }, [acknowledged], [paid], "made", "status make"],
    [
      "may have been sent by an earlier run, and is absent",
      { isBegun },
      [acknowledged],
      [unknownOrder],
      "made",
      "status make"
    ],
    [
      "may have been sent by an earlier run, and status calls are refused",
      { isBegun },
      [],
      [refusal(1)],
      "StillUnknown",
      `status${" status".repeat(7)}`
    ],
    [
      "may have been sent by an earlier run, and is absent after a limited status call",
      { isBegun },
      [],
      [tooMany, unknownOrder],
      "NeverHappened",
      "status status status",
      { mostSubmissions: 1 }
    ],
    [
      "is lost, and is found without a required field",
      { needed },
      ["lost", acknowledged],
      [paid],
      "made",
      "make status status make"
    ],
    [
      "is lost, is found without a required field, and is refused",
      { needed },
      ["lost", refusal(1), acknowledged],
      [paid],
      "made",
      "make status status make status status make"
    ],
    [
      "is lost, and every repeat is limited",
      {},
      ["lost", tooMany],
      [unknownOrder],
      "Refused",
      "make status status make status status make status status"
    ],
    [
      "may have been sent before without an amount",
      { request: verification, isOpen },
      [],
      [find("1.00")],
      "found",
      "status"
    ],
    [
      "may have been sent before with only a currency",
      { request: { ...verification, currency: "EUR" }, isOpen },
      [],
      [find("1.00")],
      "found",
      "status"
    ],
    [
      "may have been sent before with an amount but no currency",
      { request: { ...verification, amount: "1.00" }, isOpen },
      [],
      [find("1.00")],
      "found",
      "status"
    ]
  ])
})

describe("a charge that lost its security code", () => {
  check([
    ["is absent", { lostFields }, [], [unknownOrder], "NeverHappened", "status status"],
    ["is found without a required field", { lostFields, needed }, [], [paid], "StillUnknown", "status"],
    [
      "is looked up again if an earlier run had repeated it",
      { lostFields, record: { "make 2": { askedAtMs: 0, ended: { _tag: "Answered", answer: {} } } } },
      [],
      [unknownOrder],
      "found",
      "status status"
    ],
    [
      "is looked up again if an earlier run had started a repeat",
      { lostFields, record: { "make 2 begun": "first" } },
      [],
      [unknownOrder, unknownOrder, paid],
      "found",
      "status status status"
    ]
  ])
})

it.effect("a charge that lost another field is not sent, and its error names the field", () =>
  Effect.gen(function* () {
    const { requests, result } = yield* Script.run(
      { status: [unknownOrder] },
      create({ lostFields: ["endpoint", "cardrefid"] })
    )
    assert(Result.isFailure(result) && result.failure._tag === "NeverHappened")
    assert.strictEqual(result.failure.missing, "cardrefid")
    assert.deepStrictEqual(requests, ["status", "status"])
  })
)

it.effect("a charge that is absent and lost its code asks for the code in its error", () =>
  Effect.gen(function* () {
    const { result } = yield* Script.run({ status: [unknownOrder] }, create({ lostFields }))
    assert(Result.isFailure(result) && result.failure._tag === "NeverHappened")
    assert.include(result.failure.message, "Run it again with cvv2, without which it cannot be sent")
    const { result: sent } = yield* Script.run({ "make-rebill": ["lost"], status: [unknownOrder] }, create({}))
    assert(Result.isFailure(sent) && sent.failure._tag === "NeverHappened")
    assert.match(sent.failure.message, /Run it again$/)
  })
)

describe("a creation", () => {
  it.effect("keeps the names of its steps in every version", () =>
    Effect.gen(function* () {
      const run = Earlier.runAfter()
      yield* Script.run({ "make-rebill": ["lost", acknowledged], status: [unknownOrder] }, create({}, run))
      const all = "make, make look 1.1, make look 1.1 pause, make look 1.2, make 2 begun, make 2"
      assert.strictEqual(run.names.join(", "), all)
      const again = Earlier.runAfter()
      yield* Script.run({ "make-rebill": ["lost", acknowledged], status: [paid] }, create({ needed }, again))
      assert.strictEqual(again.names.join(", "), "make, make look 1.1, make 2")
    })
  )

  it.effect("waits 45 seconds for an absent order, and 10 after a lost status call", () =>
    Effect.gen(function* () {
      const absent = yield* Script.run({ "make-rebill": ["lost"], status: [unknownOrder, paid] }, create({}))
      const untold = yield* Script.run({ "make-rebill": ["lost"], status: ["lost", paid] }, create({}))
      assert.deepStrictEqual([absent.seconds, untold.seconds], [45, 10])
    })
  )

  it.effect("returns the numbers of an order that is found", () =>
    Effect.gen(function* () {
      const receipts: Array<unknown> = []
      for (const status of [paid, complete]) {
        const { result } = yield* Script.run({ status: [status] }, create({ isOpen }))
        receipts.push(Result.isSuccess(result) ? result.success.receipt : result.failure)
      }
      assert.deepStrictEqual(receipts, [{ orderId: "7" }, { orderId: "7", recurringPaymentId: "9" }])
    })
  )

  it.effect("never reports NotSent if an earlier run may have sent it", () =>
    Effect.gen(function* () {
      const answers: Array<string | undefined> = []
      for (const says of ["lost", tooMany] as const) {
        const { result } = yield* Script.run({ status: [says] }, create({ isBegun }))
        answers.push(Result.isFailure(result) ? result.failure.evidence[0]?.answer : "")
      }
      const lost = "OutcomeUnknown: the outcome of REBILL is unknown: ConnectionLost (RESTARTED)"
      assert.deepStrictEqual(answers, [lost, lost])
    })
  )
})
