import { assert, describe, it } from "@effect/vitest"
import * as PayApi from "@pay/schema/PayApi"
import * as Sample from "@pay/schema/Sample"
import { Effect, Result, Schema } from "effect"
import * as TextTable from "../../schema/test/TextTable.ts"
import * as Flow from "../src/engine/Flow.ts"
import * as FlowPayload from "../src/engine/FlowPayload.ts"
import * as FlowError from "../src/order/FlowError.ts"
import { CardSale } from "../src/payments/CardPayment.ts"
import { Rebill } from "../src/payments/StoredCard.ts"
import * as Script from "./Script.ts"

const { SALE } = PayApi.operations
const { orderStatus, acknowledged, unknownOrder } = Script
const hoursOff = Script.refusal(83, 429, "7200")
const sale = Effect.flatMap(
  Effect.orDie(Effect.fromResult(FlowPayload.decode(CardSale, { ...Sample.request(SALE), client_orderid: "o-1" }))),
  (payment) => CardSale.execute(payment)
)
/** The sale as a durable engine starts it again. It has no security code, because that is not stored. */
const saleWithoutCode = Effect.flatMap(
  Effect.orDie(Effect.fromResult(FlowPayload.decode(CardSale, { ...Sample.request(SALE), client_orderid: "o-1" }))),
  ({ cvv2: _, ...payment }) => CardSale.execute(payment)
)

const paid = orderStatus("approved")

const decline = (status: string, code: string) => orderStatus(status, { "error-code": code })
const named: Readonly<Record<string, Script.Answer>> = {
  "approved 99.00": orderStatus("approved", { amount: "99.00", currency: "USD" }),
  "approved 10.420": orderStatus("approved", { amount: "10.420", currency: "USD" }),
  "declined 116": decline("declined", "116"),
  "filtered 92": decline("filtered", "92"),
  "error 95": decline("error", "95"),
  "declined 90": decline("declined", "90"),
  "declined 99": decline("declined", "99"),
  "declined 91": decline("declined", "91")
}

/** The answers to `sale` and to `status`, the outcome of the sale, the requests, and the shortest duration in seconds. */
const table = `
case                                                                      | sale                           | status                     | outcome          | requests                                          | seconds
is acknowledged                                                           | acknowledged                   | approved                   | approved         | sale, status                                      | 0
loses its answer, and the order is found                                  | lost                           | approved                   | approved         | sale, status ×2                                   | 0
loses its answer, and the order is found later without a repeat           | lost                           | absent, approved           | approved         | sale, status ×3                                   | 45
loses its answer, the order is absent, and it is sent again               | lost, acknowledged             | absent, absent, approved   | approved         | sale, status ×2, sale, status                     | 45
loses every answer, and the order is absent                               | lost                           | absent                     | NeverHappened    | sale, status ×2, sale, status ×2, sale, status ×2 | 135
loses its answer, and status calls are lost for a while                   | lost                           | lost, lost, approved       | approved         | sale, status ×4                                   | 20
loses its answer, and every status call is lost                           | lost                           | lost                       | StillUnknown     | sale, status ×30                                  | 290
loses its answer, the order is absent, and the repeat is refused          | lost, refused 2                | absent                     | NotAccepted      | sale, status ×2, sale, status ×2                  | 90
loses its answer, and the repeat is refused because the order exists      | lost, refused 51               | absent, absent, approved   | approved         | sale, status ×2, sale, status ×2                  | 45
loses its answer, and the order found has another amount                  | lost                           | approved 99.00             | NotAccepted      | sale, status                                      | 0
loses its answer, and the order found has the same amount in other digits | lost                           | approved 10.420            | approved         | sale, status ×2                                   | 0
is refused                                                                | refused 2                      |                            | NotAccepted      | sale                                              | 0
is limited for a short time, and waits                                    | limited, limited, acknowledged | approved                   | approved         | sale ×3, status                                   | 14
has limited status calls, and waits                                       | acknowledged                   | limited, limited, approved | approved         | sale, status ×3                                   | 14
is limited for more than an hour                                          | limited for 2 h                |                            | NotAccepted      | sale                                              | 0
finds the gateway unreachable                                             | not sent                       |                            | Unreachable      | sale ×3                                           | 0
is declined                                                               | acknowledged                   | declined 116               | Declined         | sale, status                                      | 0
is filtered                                                               | acknowledged                   | filtered 92                | Filtered         | sale, status                                      | 0
ends in an error                                                          | acknowledged                   | error 95                   | Failed           | sale, status                                      | 0
is not authenticated                                                      | acknowledged                   | declined 90                | NotAuthenticated | sale, status                                      | 0
is cancelled by the customer                                              | acknowledged                   | declined 99                | Abandoned        | sale, status                                      | 0
has an expired session                                                    | acknowledged                   | declined 91                | Abandoned        | sale, status                                      | 0
`
const [, ...rows] = TextTable.rows(table)

describe("the creation of an order", () => {
  for (const [scenario, creations = "", statuses = "", end, requests, seconds] of rows) {
    it.effect(`${scenario}: ${end}`, () =>
      Effect.gen(function* () {
        const script = { sale: Script.answersOf(creations), status: Script.answersOf(statuses, named) }
        const outcome = yield* Script.run(script, sale)
        assert.deepStrictEqual([outcome.end, Script.counted(outcome.requests)], [end, requests])
        assert.isAtLeast(outcome.seconds, Number(seconds))
      })
    )
  }

  it.effect("is only looked up if its required security code is missing", () =>
    Effect.gen(function* () {
      const there = yield* Script.run({ status: [paid] }, saleWithoutCode)
      assert.strictEqual(there.end, "approved")
      const notThere = yield* Script.run({ status: [unknownOrder] }, saleWithoutCode)
      assert(Result.isFailure(notThere.result) && notThere.result.failure._tag === "NotAccepted")
      assert.include(notThere.result.failure.message, "Parameter cvv2 is required")
      assert.deepStrictEqual([notThere.requests, notThere.seconds], [["status"], 0])
      const unreachable = yield* Script.run({ status: ["notSent"] }, saleWithoutCode)
      assert.deepStrictEqual([unreachable.end, unreachable.seconds], ["Unreachable", 0])
      assert.notInclude(there.requests, "sale")
    })
  )

  it.effect("says that its number was used for another payment, and what to do", () =>
    Effect.gen(function* () {
      const other = named["approved 99.00"] ?? assert.fail()
      const existing = yield* Script.run({ sale: ["lost"], status: [other] }, sale)
      const refused = yield* Script.run({ sale: [Script.refusal(51)], status: [other] }, sale)
      for (const { result } of [existing, refused]) {
        assert(Result.isFailure(result) && result.failure._tag === "NotAccepted")
        assert.strictEqual(result.failure.code, 51)
        assert.include(result.failure.message, "Give another payment a clientOrderId of its own")
      }
    })
  )

  it.effect("is only looked up if its optional security code was lost", () =>
    Effect.gen(function* () {
      const charge = Rebill.execute(Script.charge)
      const script = { "make-rebill": [acknowledged], status: [unknownOrder] }
      const forgetful = Effect.provideService(charge, Flow.LostFields, ["cvv2"])
      const lost = yield* Script.run(script, forgetful)
      assert.strictEqual(lost.end, "NeverHappened")
      assert.notInclude(lost.requests, "make-rebill")
      const without = yield* Script.run({ ...script, status: [paid] }, charge)
      assert.strictEqual(without.end, "approved")
      assert.include(without.requests, "make-rebill")
    })
  )

  it.effect("fails with evidence of its requests and answers, and without card data", () =>
    Effect.gen(function* () {
      const { result } = yield* Script.run({ sale: ["lost"], status: [unknownOrder] }, sale)
      assert(Result.isFailure(result) && "evidence" in result.failure)
      assert.deepStrictEqual(result.failure.evidence.map(({ operation }) => operation).slice(0, 3), [
        "SALE",
        "STATUS",
        "SALE"
      ])
      assert.notMatch(JSON.stringify(result), /4444333322221111|"123"/)
    })
  )

  it.effect("reports the Retry-After and the serial number of a refusal", () =>
    Effect.gen(function* () {
      const { result } = yield* Script.run({ sale: [hoursOff] }, sale)
      assert(Result.isFailure(result) && result.failure._tag === "NotAccepted")
      const { retryAfterMs, serialNumber } = result.failure
      assert.deepStrictEqual([retryAfterMs, serialNumber], [7_200_000, "00000000-0000-0000-0000-000000000001"])
    })
  )

  it.effect("decodes a recorded refusal that lacks Retry-After and serial number", () =>
    Effect.gen(function* () {
      const about = { clientOrderId: "o-1", evidence: [], operation: "SALE", reason: "too many requests", problems: [] }
      const written = { _tag: "NotAccepted", status: 429, ...about }
      const read = yield* Schema.decodeUnknownEffect(Schema.toCodecJson(FlowError.FlowError))(written)
      assert.deepInclude(read, { _tag: "NotAccepted", retryable: true })
      assert.notProperty(read, "retryAfterMs")
    })
  )

  it.effect("marks an error as retryable only if a repeat is safe", () =>
    Effect.gen(function* () {
      const retryable = Effect.fnUntraced(function* (saleSays: Script.Answer, statusSays: Script.Answer) {
        const { result } = yield* Script.run({ sale: [saleSays], status: [statusSays] }, sale)
        return Result.isFailure(result) && result.failure.retryable
      })
      assert.isTrue(yield* retryable("lost", unknownOrder))
      assert.isTrue(yield* retryable("lost", "lost"))
      assert.isTrue(yield* retryable("notSent", paid))
      assert.isTrue(yield* retryable(hoursOff, paid))
      assert.isFalse(yield* retryable(Script.refusal(2), paid))
      assert.isFalse(yield* retryable(acknowledged, orderStatus("declined", { "error-code": "116" })))
    })
  )
})
