import { assert, describe, it } from "@effect/vitest"
import * as PayApi from "@pay/schema/PayApi"
import * as Sample from "@pay/schema/Sample"
import { Effect, Result, Schema } from "effect"
import { CardSale } from "../src/CardPayment.ts"
import * as Flow from "../src/Flow.ts"
import * as FlowError from "../src/FlowError.ts"
import * as FlowPayload from "../src/FlowPayload.ts"
import { Rebill } from "../src/StoredCard.ts"
import * as Script from "./Script.ts"

const { SALE } = PayApi.operations
const { orderStatus, acknowledged, unknownOrder } = Script
const crowded = Script.refusal(83, 429)
const hoursOff = Script.refusal(83, 429, "7200")

const sale = Effect.flatMap(
  Effect.orDie(Effect.fromResult(FlowPayload.decode(CardSale, { ...Sample.request(SALE), client_orderid: "o-1" }))),
  (payment) => Flow.run(CardSale, payment)
)
/** The sale as a durable engine starts it again. It has no security code, because that is not stored. */
const saleWithoutCode = Effect.flatMap(
  Effect.orDie(Effect.fromResult(FlowPayload.decode(CardSale, { ...Sample.request(SALE), client_orderid: "o-1" }))),
  ({ cvv2: _, ...payment }) => Flow.run(CardSale, payment)
)

const paid = orderStatus("approved")

/** The answers to `sale` and to `status`, the outcome of the sale, the requests, and the shortest duration in seconds. */
const rows: ReadonlyArray<
  readonly [
    scenario: string,
    sale: ReadonlyArray<Script.Answer>,
    status: ReadonlyArray<Script.Answer>,
    end: string,
    requests: string,
    seconds: number
  ]
> = [
  ["is acknowledged", [acknowledged], [paid], "approved", "sale status", 0],
  ["loses its answer, and the order is found", ["lost"], [paid], "approved", "sale status status", 0],
  [
    "loses its answer, and the order is found later without a repeat",
    ["lost"],
    [unknownOrder, paid],
    "approved",
    "sale status status status",
    45
  ],
  [
    "loses its answer, the order is absent, and it is sent again",
    ["lost", acknowledged],
    [unknownOrder, unknownOrder, paid],
    "approved",
    "sale status status sale status",
    45
  ],
  [
    "loses every answer, and the order is absent",
    ["lost"],
    [unknownOrder],
    "NeverHappened",
    "sale status status sale status status sale status status",
    135
  ],
  [
    "loses its answer, and status calls are lost for a while",
    ["lost"],
    ["lost", "lost", paid],
    "approved",
    "sale status status status status",
    20
  ],
  [
    "loses its answer, and every status call is lost",
    ["lost"],
    ["lost"],
    "StillUnknown",
    `sale${" status".repeat(30)}`,
    290
  ],
  [
    "loses its answer, the order is absent, and the repeat is refused",
    ["lost", Script.refusal(2)],
    [unknownOrder],
    "Refused",
    "sale status status sale status status",
    90
  ],
  [
    "loses its answer, and the repeat is refused because the order exists",
    ["lost", Script.refusal(51)],
    [unknownOrder, unknownOrder, paid],
    "approved",
    "sale status status sale status status",
    45
  ],
  [
    "loses its answer, and the order found has another amount",
    ["lost"],
    [orderStatus("approved", { amount: "99.00", currency: "USD" })],
    "NeedsAPerson",
    "sale status",
    0
  ],
  [
    "loses its answer, and the order found has the same amount in other digits",
    ["lost"],
    [orderStatus("approved", { amount: "10.420", currency: "USD" })],
    "approved",
    "sale status status",
    0
  ],
  ["is refused", [Script.refusal(2)], [], "Refused", "sale", 0],
  [
    "is limited for a short time, and waits",
    [crowded, crowded, acknowledged],
    [paid],
    "approved",
    "sale sale sale status",
    14
  ],
  [
    "has limited status calls, and waits",
    [acknowledged],
    [crowded, crowded, paid],
    "approved",
    "sale status status status",
    14
  ],
  ["is limited for more than an hour", [hoursOff], [], "Refused", "sale", 0],
  ["finds the gateway unreachable", ["notSent"], [], "Unreachable", "sale sale sale", 0],
  ["is declined", [acknowledged], [orderStatus("declined", { "error-code": "116" })], "Declined", "sale status", 0],
  ["is filtered", [acknowledged], [orderStatus("filtered", { "error-code": "92" })], "Filtered", "sale status", 0],
  ["ends in an error", [acknowledged], [orderStatus("error", { "error-code": "95" })], "Failed", "sale status", 0],
  [
    "is not authenticated",
    [acknowledged],
    [orderStatus("declined", { "error-code": "90" })],
    "NotAuthenticated",
    "sale status",
    0
  ],
  [
    "is cancelled by the customer",
    [acknowledged],
    [orderStatus("declined", { "error-code": "99" })],
    "Abandoned",
    "sale status",
    0
  ],
  [
    "has an expired session",
    [acknowledged],
    [orderStatus("declined", { "error-code": "91" })],
    "Abandoned",
    "sale status",
    0
  ]
]

describe("the creation of an order", () => {
  for (const [scenario, saleSays, statusSays, end, request, seconds] of rows) {
    it.effect(`${scenario}: ${end}`, () =>
      Effect.gen(function* () {
        const outcome = yield* Script.run({ sale: saleSays, status: statusSays }, sale)
        assert.strictEqual(outcome.end, end)
        assert.strictEqual(outcome.requests.join(" "), request)
        assert.isAtLeast(outcome.seconds, seconds)
      })
    )
  }

  it.effect("is only looked up if its required security code is missing", () =>
    Effect.gen(function* () {
      const there = yield* Script.run({ status: [paid] }, saleWithoutCode)
      assert.strictEqual(there.end, "approved")
      const notThere = yield* Script.run({ status: [unknownOrder] }, saleWithoutCode)
      assert.strictEqual(notThere.end, "NeverHappened")
      assert.notInclude([...there.requests, ...notThere.requests], "sale")
    })
  )

  it.effect("is only looked up if its optional security code was lost", () =>
    Effect.gen(function* () {
      const charge = Flow.run(Rebill, Script.charge)
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
      assert(Result.isFailure(result))
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
      assert(Result.isFailure(result) && result.failure._tag === "Refused")
      const { retryAfterMs, serialNumber } = result.failure
      assert.deepStrictEqual([retryAfterMs, serialNumber], [7_200_000, "00000000-0000-0000-0000-000000000001"])
    })
  )

  it.effect("decodes a recorded refusal that lacks Retry-After and serial number", () =>
    Effect.gen(function* () {
      const about = { clientOrderId: "o-1", evidence: [], operation: "SALE", reason: "too many requests", problems: [] }
      const written = { _tag: "Refused", status: 429, ...about }
      const read = yield* Schema.decodeUnknownEffect(Schema.toCodecJson(FlowError.FlowError))(written)
      assert.deepInclude(read, { _tag: "Refused", retryable: true })
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
