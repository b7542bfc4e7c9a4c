/** Tests when an order is looked up, and when it is sent, in each turn of its creation. */
import { assert, describe, it } from "@effect/vitest"
import * as PayApi from "@pay/schema/PayApi"
import * as Sample from "@pay/schema/Sample"
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
const verification = { client_orderid: "o-1" }

describe("a charge at a gateway that replays a creation", () => {
  const table = `
case                                                                            | charge                       | make                          | status                   | outcome       | requests
is created                                                                      | usual                        | acknowledged                  |                          | made          | make
is invalid, and not sent                                                        | invalid                      |                               |                          | NotAccepted   |
is refused                                                                      | usual                        | refused 1                     |                          | NotAccepted   | make
may have been sent before, is absent, and is found after a refusal              | open                         | refused 1                     | absent, absent, approved | found         | status ×2, make, status
may have been sent before, and is found without a required field                | open, needed field           | acknowledged                  | approved                 | made          | status ×2, make
may have been sent before, and is found with the required field                 | open, needed field           |                               | complete                 | found         | status
may have been sent by an earlier run, and is found                              | begun before                 | acknowledged                  | approved                 | made          | status, make
may have been sent by an earlier run, and is absent                             | begun before                 | acknowledged                  | absent                   | made          | status, make
may have been sent by an earlier run, and status calls are refused              | begun before                 |                               | refused 1                | StillUnknown  | status ×8
may have been sent by an earlier run, and is absent after a limited status call | begun before, one submission |                               | limited for 2 h, absent  | NeverHappened | status ×3
is lost, and is found without a required field                                  | needed field                 | lost, acknowledged            | approved                 | made          | make, status ×2, make
is lost, is found without a required field, and is refused                      | needed field                 | lost, refused 1, acknowledged | approved                 | made          | make, status ×2, make, status ×2, make
is lost, and every repeat is limited                                            | usual                        | lost, limited for 2 h         | absent                   | NotAccepted   | make, status ×2, make, status ×2, make, status ×2
may have been sent before without an amount                                     | open, no amount              |                               | found with 1.00          | found         | status
may have been sent before with only a currency                                  | open, only currency          |                               | found with 1.00          | found         | status
may have been sent before with an amount but no currency                        | open, only amount            |                               | found with 1.00          | found         | status
`
  check(table, {
    invalid: { request: { ...Script.chargeRequest, amount: "x" } },
    open: { isOpen },
    "needed field": { needed },
    "open, needed field": { isOpen, needed },
    "begun before": { isBegun },
    "begun before, one submission": { isBegun, settings: { mostSubmissions: 1 } },
    "open, no amount": { isOpen, request: verification },
    "open, only currency": { isOpen, request: { ...verification, currency: "EUR" } },
    "open, only amount": { isOpen, request: { ...verification, amount: "1.00" } }
  })
})

describe("a charge that lost its security code", () => {
  const table = `
case                                                      | charge                     | make | status                   | outcome       | requests
is absent                                                 | without code               |      | absent                   | NeverHappened | status ×2
is found without a required field                         | without code, needed field |      | approved                 | StillUnknown  | status
is looked up again if an earlier run had repeated it      | repeated before            |      | absent                   | found         | status ×2
`
  check(table, {
    "without code": { lostFields },
    "without code, needed field": { lostFields, needed },
    "repeated before": {
      lostFields,
      record: { "make 2": { requestedAtMs: 0, isBegunBefore: false, ended: { _tag: "Answered", answer: {} } } }
    }
  })
})

it.effect("a charge that lost another field is not sent, and its error names the field", () =>
  Effect.gen(function* () {
    const { requests, result } = yield* Script.run(
      { status: [unknownOrder] },
      create({ lostFields: ["endpoint", "cardRefId"] })
    )
    assert(Result.isFailure(result) && result.failure._tag === "NeverHappened")
    assert.strictEqual(result.failure.missing, "cardRefId")
    assert.deepStrictEqual(requests, ["status", "status"])
  })
)

it.effect("a charge that lost its code and another field names the code in its error", () =>
  Effect.gen(function* () {
    const { result } = yield* Script.run({ status: [unknownOrder] }, create({ lostFields: ["cardRefId", "cvv2"] }))
    assert(Result.isFailure(result) && result.failure._tag === "NeverHappened")
    assert.strictEqual(result.failure.missing, "cvv2")
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
  it.effect("names its steps by their turn", () =>
    Effect.gen(function* () {
      const run = Earlier.runAfter()
      yield* Script.run({ "make-rebill": ["lost", acknowledged], status: [unknownOrder] }, create({}, run))
      const all = "make, make search 1.1, make search 1.1 pause, make search 1.2, make 2 begun, make 2"
      assert.strictEqual(run.names.join(", "), all)
      const again = Earlier.runAfter()
      yield* Script.run({ "make-rebill": ["lost", acknowledged], status: [paid] }, create({ needed }, again))
      assert.strictEqual(again.names.join(", "), "make, make search 1.1, make 2")
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

describe("a creation that is killed after each of its steps", () => {
  const noAnswers = { "make-rebill": ["lost", acknowledged], sale: ["lost", acknowledged] } as const
  const { cvv2: _, ...withoutCode } = { cvv2: "", ...Sample.request(PayApi.operations.SALE), client_orderid: "o-1" }
  const runs = {
    "is continued without the security code": { before: {}, after: { lostFields }, status: [unknownOrder] },
    "is continued without the security code, and needs a field": {
      before: { needed },
      after: { needed, lostFields },
      status: [paid]
    },
    "was begun without the security code": {
      before: { operation: PayApi.operations.SALE, request: withoutCode },
      after: { operation: PayApi.operations.SALE, request: withoutCode },
      status: [paid]
    },
    "may have been sent before": { before: { isOpen }, after: { isOpen, lostFields }, status: [unknownOrder] }
  } as const
  it.effect.each(Object.entries(runs))("%s, and requests all recorded steps", ([, { after, before, status }]) =>
    Effect.gen(function* () {
      const first = Earlier.runAfter()
      yield* Script.run({ ...noAnswers, status }, create(before, first))
      assert.isAbove(first.names.length, 1)
      for (const [index, name] of first.names.entries()) {
        const recorded = first.names.slice(0, index + 1)
        const record = Object.fromEntries(recorded.map((step) => [step, first.written.get(step)]))
        const second = Earlier.runAfter(record)
        yield* Script.run({ ...noAnswers, status }, create({ ...after, isBegun }, second))
        assert.deepStrictEqual(second.names.slice(0, index + 1), recorded, `killed after "${name}"`)
      }
    })
  )
})
