import { assert, describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { refusalReasons } from "../src/RefusalReason.ts"
import * as Judge from "./Judge.ts"
import { authorization, settingsFile } from "./Sample.ts"
import * as Talking from "./Talking.ts"

const { merchantAccount } = settingsFile
const { card } = authorization()
const EUR = (value: number) => ({ currency: "EUR", value })

/** Pays, and returns the payment's number. */
const pay = Effect.fnUntraced(function* (
  adyen: Effect.Success<typeof Talking.open>,
  changes: Parameters<typeof Talking.payment>[0] = {}
) {
  const { json } = yield* Talking.post(adyen, "/payments", { body: Talking.payment(changes) })
  assert.strictEqual(json.resultCode, "Authorised")
  return String(json.pspReference)
})

describe("the simulated Adyen", () => {
  it.effect("authorises a payment, as its description says, and sends a signed event", () =>
    Effect.gen(function* () {
      const adyen = yield* Talking.open
      const { json, status } = yield* Talking.post(adyen, "/payments", { body: Talking.payment() })
      assert.strictEqual(status, 200)
      expect(Judge.checkout("PaymentResponse", json)).toEqual([])
      expect(json).toMatchObject({ resultCode: "Authorised", merchantReference: "123-authorize-0", amount: EUR(1042) })
      const [event] = Talking.eventsOf(adyen)
      expect(event).toMatchObject({ eventCode: "AUTHORISATION", success: "true", pspReference: json.pspReference })
      assert.isTrue(Talking.isAccepted(adyen, {}))
      assert.isFalse(Talking.isAccepted(adyen, { success: "false" }))
      assert.isFalse(Talking.isAccepted(adyen, { amount: EUR(1) }))
    })
  )

  it.effect.each([...refusalReasons].map(([code, { testName, text }]) => ({ code, testName, text })))(
    "refuses the cardholder $testName with reason $code",
    ({ code, testName, text }) =>
      Effect.gen(function* () {
        const adyen = yield* Talking.open
        const body = Talking.payment({ card: { ...card, cardholder: testName } })
        const { json } = yield* Talking.post(adyen, "/payments", { body })
        expect(Judge.checkout("PaymentResponse", json)).toEqual([])
        expect(json).toMatchObject({ resultCode: "Refused", refusalReasonCode: code, refusalReason: text })
        expect(Talking.eventsOf(adyen)).toMatchObject([{ success: "false", reason: text }])
      })
  )

  it.effect.each([
    ["merchantAccount", 422],
    ["reference", 422],
    ["amount", 422],
    ["paymentMethod", 422],
    ["returnUrl", 422]
  ] as const)("refuses a payment without %s", ([field, code]) =>
    Effect.gen(function* () {
      const adyen = yield* Talking.open
      const { [field]: _, ...body } = Talking.payment()
      const { json, status } = yield* Talking.post(adyen, "/payments", { body })
      assert.strictEqual(status, code)
      expect(Judge.checkout("ServiceError", json)).toEqual([])
      expect(json).toMatchObject({ errorType: "validation", message: `Required or invalid field: ${field}` })
      assert.deepEqual(Talking.eventsOf(adyen), [])
    })
  )

  it.effect("refuses a wrong API key, an unknown merchant account and an unknown path", () =>
    Effect.gen(function* () {
      const adyen = yield* Talking.open
      const body = Talking.payment()
      const wrongKey = yield* Talking.post(adyen, "/payments", { body, apiKey: "wrong" })
      const unknown = yield* Talking.post(adyen, "/payments", { body: { ...body, merchantAccount: "CoffeeEU" } })
      const noPath = yield* Talking.post(adyen, "/payment", { body })
      assert.deepEqual([wrongKey.status, unknown.status, noPath.status], [401, 403, 404])
    })
  )

  it.effect.each([
    ["part of a hold", "captures", { amount: EUR(400) }, "CAPTURE", "true", ""],
    ["more than a hold", "captures", { amount: EUR(1043) }, "CAPTURE", "false", "Insufficient balance on payment"],
    [
      "another currency",
      "captures",
      { amount: { currency: "USD", value: 1 } },
      "CAPTURE",
      "false",
      "Currency mismatch"
    ],
    ["what was not captured", "refunds", { amount: EUR(1) }, "REFUND", "false", "Insufficient balance on payment"],
    ["a hold", "cancels", {}, "CANCELLATION", "true", ""],
    ["a hold, whatever its state", "reversals", {}, "CANCEL_OR_REFUND", "true", ""]
  ] as const)(
    "receives a modification of %s, and says its outcome in an event",
    ([_, kind, change, code, success, reason]) =>
      Effect.gen(function* () {
        const adyen = yield* Talking.open
        const original = yield* pay(adyen)
        const body = { merchantAccount, reference: "123-change-1", ...change }
        const { json, status } = yield* Talking.post(adyen, `/payments/${original}/${kind}`, { body })
        assert.strictEqual(status, 201)
        const name = { captures: "Capture", refunds: "Refund", cancels: "Cancel", reversals: "Reversal" }[kind]
        expect(Judge.checkout(`Payment${name}Request`, body)).toEqual([])
        expect(Judge.checkout(`Payment${name}Response`, json)).toEqual([])
        expect(json).toMatchObject({ status: "received", paymentPspReference: original, reference: "123-change-1" })
        expect(Talking.eventsOf(adyen)[1]).toMatchObject({
          ...{ eventCode: code, success, reason, originalReference: original },
          ...{ pspReference: json.pspReference, merchantReference: "123-change-1" }
        })
      })
  )

  it.effect("cancels a payment by its reference, and a sale not at all", () =>
    Effect.gen(function* () {
      const adyen = yield* Talking.open
      yield* pay(adyen)
      yield* pay(adyen, { reference: "124-authorize-0", capture: true })
      for (const paymentReference of ["123-authorize-0", "124-authorize-0", "125-authorize-0"]) {
        const body = { merchantAccount, reference: "r", paymentReference }
        const { json } = yield* Talking.post(adyen, "/cancels", { body })
        expect(Judge.checkout("StandalonePaymentCancelRequest", body)).toEqual([])
        expect(Judge.checkout("StandalonePaymentCancelResponse", json)).toEqual([])
      }
      const outcomes = Talking.eventsOf(adyen).slice(2)
      assert.deepEqual(
        outcomes.map(({ eventCode, success }) => [eventCode, success]),
        [
          ["TECHNICAL_CANCEL", "true"],
          ["TECHNICAL_CANCEL", "false"],
          ["TECHNICAL_CANCEL", "false"]
        ]
      )
    })
  )

  it.effect("answers a key again for 7 days, and pays once", () =>
    Effect.gen(function* () {
      const adyen = yield* Talking.open
      const call = { body: Talking.payment(), key: "123-authorize-0" }
      const first = yield* Talking.post(adyen, "/payments", call)
      const again = yield* Talking.post(adyen, "/payments", call)
      assert.deepEqual(again.json, first.json)
      assert.strictEqual(again.header("idempotency-key"), "123-authorize-0")
      assert.strictEqual(adyen.payments.size, 1)
      const other = yield* Talking.post(adyen, "/payments", { ...call, body: Talking.payment({ amountMinor: 1 }) })
      assert.strictEqual(other.json.errorCode, "704")
      yield* TestClock.adjust("7 days")
      yield* Talking.post(adyen, "/payments", call)
      assert.strictEqual(adyen.payments.size, 2)
    })
  )
})

describe("the weather of the simulated Adyen", () => {
  it.effect("cuts the answer of a payment that was done, or the request before it", () =>
    Effect.gen(function* () {
      const adyen = yield* Talking.open
      adyen.weather.next("answerCut", "requestCut")
      const call = { body: Talking.payment(), key: "k" }
      assert.isFalse((yield* Effect.flip(Talking.post(adyen, "/payments", call))).isUnsent)
      assert.strictEqual(adyen.payments.size, 1)
      const next = { ...call, key: "l" }
      assert.isFalse((yield* Effect.flip(Talking.post(adyen, "/payments", next))).isUnsent)
      assert.strictEqual(adyen.payments.size, 1)
      assert.strictEqual((yield* Talking.post(adyen, "/payments", call)).json.resultCode, "Authorised")
    })
  )

  it.effect("answers with another reference, currency, amount or result", () =>
    Effect.gen(function* () {
      const adyen = yield* Talking.open
      adyen.weather.next("otherReference", "otherCurrency", "partial", "unknownResult", "transientError")
      const next = Effect.map(Talking.post(adyen, "/payments", { body: Talking.payment() }), ({ json }) => json)
      expect(yield* next).toMatchObject({ merchantReference: "1-authorize-0" })
      expect(yield* next).toMatchObject({ amount: { currency: "XTS" } })
      expect(yield* next).toMatchObject({ resultCode: "PartiallyAuthorised", amount: EUR(521) })
      expect(yield* next).toMatchObject({ resultCode: "Perhaps" })
      expect(yield* next).toMatchObject({ errorCode: "703" })
    })
  )

  it.effect("sends an event twice, or keeps it back until it is released", () =>
    Effect.gen(function* () {
      const adyen = yield* Talking.open
      adyen.weather.next("eventTwice", "eventLate")
      yield* pay(adyen)
      const [first, second] = Talking.eventsOf(adyen)
      assert.deepEqual(first, second)
      yield* pay(adyen, { reference: "124-authorize-0" })
      assert.strictEqual(Talking.eventsOf(adyen).length, 2)
      yield* adyen.release
      assert.strictEqual(Talking.eventsOf(adyen)[2]?.merchantReference, "124-authorize-0")
    })
  )
})
