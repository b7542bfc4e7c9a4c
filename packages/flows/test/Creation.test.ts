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
const { stands, taken, unheardOf } = Script
const crowded = Script.refuses(83, 429)
const hoursOff = Script.refuses(83, 429, "7200")

const sale = Effect.flatMap(
  Effect.orDie(Effect.fromResult(FlowPayload.decode(CardSale, { ...Sample.request(SALE), client_orderid: "o-1" }))),
  (payment) => Flow.run(CardSale, payment)
)
/** The sale as a durable engine starts it again. It has no security code, because that is not stored. */
const saleWithoutCode = Effect.flatMap(
  Effect.orDie(Effect.fromResult(FlowPayload.decode(CardSale, { ...Sample.request(SALE), client_orderid: "o-1" }))),
  ({ cvv2: _, ...payment }) => Flow.run(CardSale, payment)
)

const paid = stands("approved")

/** What the gateway says to `sale` and to `status`; how the sale ends; what was asked, and how long it took at least. */
const rows: ReadonlyArray<
  readonly [
    story: string,
    sale: ReadonlyArray<Script.Say>,
    status: ReadonlyArray<Script.Say>,
    end: string,
    requests: string,
    seconds: number
  ]
> = [
  ["answered", [taken], [paid], "approved", "sale status", 0],
  ["the answer is lost, the order is there", ["lost"], [paid], "approved", "sale status status", 0],
  [
    "lost, and found only after a while: not sent again",
    ["lost"],
    [unheardOf, paid],
    "approved",
    "sale status status status",
    45
  ],
  [
    "lost, never there: sent again",
    ["lost", taken],
    [unheardOf, unheardOf, paid],
    "approved",
    "sale status status sale status",
    45
  ],
  [
    "lost each time, never there",
    ["lost"],
    [unheardOf],
    "NeverHappened",
    "sale status status sale status status sale status status",
    135
  ],
  [
    "lost, and nobody answers questions for a while",
    ["lost"],
    ["lost", "lost", paid],
    "approved",
    "sale status status status status",
    20
  ],
  ["lost, and nobody ever answers", ["lost"], ["lost"], "StillUnknown", `sale${" status".repeat(30)}`, 290],
  [
    "lost, not there, and the repeat is refused",
    ["lost", Script.refuses(2)],
    [unheardOf],
    "Refused",
    "sale status status sale status status",
    90
  ],
  [
    "lost, then refused because it was there",
    ["lost", Script.refuses(51)],
    [unheardOf, unheardOf, paid],
    "approved",
    "sale status status sale status status",
    45
  ],
  [
    "lost, and there is a payment of another amount",
    ["lost"],
    [stands("approved", { amount: "99.00", currency: "USD" })],
    "NeedsAPerson",
    "sale status",
    0
  ],
  [
    "lost, and there it is, its amount in other digits",
    ["lost"],
    [stands("approved", { amount: "10.420", currency: "USD" })],
    "approved",
    "sale status status",
    0
  ],
  ["refused", [Script.refuses(2)], [], "Refused", "sale", 0],
  ["one too many for now: held back", [crowded, crowded, taken], [paid], "approved", "sale sale sale status", 14],
  ["questions too many: held back", [taken], [crowded, crowded, paid], "approved", "sale status status status", 14],
  ["one too many for longer than an hour", [hoursOff], [], "Refused", "sale", 0],
  ["unreachable", ["notSent"], [], "Unreachable", "sale sale sale", 0],
  ["declined", [taken], [stands("declined", { "error-code": "116" })], "Declined", "sale status", 0],
  ["filtered", [taken], [stands("filtered", { "error-code": "92" })], "Filtered", "sale status", 0],
  ["failed", [taken], [stands("error", { "error-code": "95" })], "Failed", "sale status", 0],
  ["not authenticated", [taken], [stands("declined", { "error-code": "90" })], "NotAuthenticated", "sale status", 0],
  ["cancelled by the shopper", [taken], [stands("declined", { "error-code": "99" })], "Abandoned", "sale status", 0],
  ["a session that ran out", [taken], [stands("declined", { "error-code": "91" })], "Abandoned", "sale status", 0]
]

describe("a sale", () => {
  for (const [story, saleSays, statusSays, end, request, seconds] of rows) {
    it.effect(`${story}: ${end}`, () =>
      Effect.gen(function* () {
        const played = yield* Script.play({ sale: saleSays, status: statusSays }, sale)
        assert.strictEqual(played.end, end)
        assert.strictEqual(played.requests.join(" "), request)
        assert.isAtLeast(played.seconds, seconds)
      })
    )
  }

  it.effect("without its security code it is looked for, and never sent", () =>
    Effect.gen(function* () {
      const there = yield* Script.play({ status: [paid] }, saleWithoutCode)
      assert.strictEqual(there.end, "approved")
      const notThere = yield* Script.play({ status: [unheardOf] }, saleWithoutCode)
      assert.strictEqual(notThere.end, "NeverHappened")
      assert.notInclude([...there.requests, ...notThere.requests], "sale")
    })
  )

  it.effect("a charge that has lost its security code neither, though it may do without one", () =>
    Effect.gen(function* () {
      const charge = Flow.run(Rebill, Script.charge)
      const script = { "make-rebill": [taken], status: [unheardOf] }
      const forgetful = Effect.provideService(charge, Flow.LostFields, ["cvv2"])
      const lost = yield* Script.play(script, forgetful)
      assert.strictEqual(lost.end, "NeverHappened")
      assert.notInclude(lost.requests, "make-rebill")
      const without = yield* Script.play({ ...script, status: [paid] }, charge)
      assert.strictEqual(without.end, "approved")
      assert.include(without.requests, "make-rebill")
    })
  )

  it.effect("its error tells what was asked and answered, and nothing of the card", () =>
    Effect.gen(function* () {
      const { result } = yield* Script.play({ sale: ["lost"], status: [unheardOf] }, sale)
      assert(Result.isFailure(result))
      assert.deepStrictEqual(result.failure.evidence.map(({ operation }) => operation).slice(0, 3), [
        "SALE",
        "STATUS",
        "SALE"
      ])
      assert.notMatch(JSON.stringify(result), /4444333322221111|"123"/)
    })
  )

  it.effect("a refusal tells when to come again, and the gateway's name of the request", () =>
    Effect.gen(function* () {
      const { result } = yield* Script.play({ sale: [hoursOff] }, sale)
      assert(Result.isFailure(result) && result.failure._tag === "Refused")
      const { retryAfterMs, serialNumber } = result.failure
      assert.deepStrictEqual([retryAfterMs, serialNumber], [7_200_000, "00000000-0000-0000-0000-000000000001"])
    })
  )

  it.effect("a refusal that was written down without them is still one", () =>
    Effect.gen(function* () {
      const about = { clientOrderId: "o-1", evidence: [], operation: "SALE", reason: "too many requests", problems: [] }
      const written = { _tag: "Refused", status: 429, ...about }
      const read = yield* Schema.decodeUnknownEffect(Schema.toCodecJson(FlowError.FlowError))(written)
      assert.deepInclude(read, { _tag: "Refused", retryable: true })
      assert.notProperty(read, "retryAfterMs")
    })
  )

  it.effect("what may be tried again says so", () =>
    Effect.gen(function* () {
      const retryable = Effect.fnUntraced(function* (saleSays: Script.Say, statusSays: Script.Say) {
        const { result } = yield* Script.play({ sale: [saleSays], status: [statusSays] }, sale)
        return Result.isFailure(result) && result.failure.retryable
      })
      assert.isTrue(yield* retryable("lost", unheardOf))
      assert.isTrue(yield* retryable("lost", "lost"))
      assert.isTrue(yield* retryable("notSent", paid))
      assert.isTrue(yield* retryable(hoursOff, paid))
      assert.isFalse(yield* retryable(Script.refuses(2), paid))
      assert.isFalse(yield* retryable(taken, stands("declined", { "error-code": "116" })))
    })
  )
})
