import { assert, describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import type { SimulatedEvent } from "../src/simulator/SimulatedPayments.ts"
import * as Adapter from "./Adapter.ts"
import * as Judge from "./Judge.ts"

const event: SimulatedEvent = {
  eventCode: "AUTHORISATION",
  success: "true",
  pspReference: "QFQTPCQ8HXSKGK82",
  merchantAccountCode: "TeaAndSonsEU",
  merchantReference: "123-authorize-0",
  amount: { currency: "EUR", value: 1042 },
  reason: "",
  paymentMethod: "visa",
  additionalData: {}
}
const later = { originalReference: "9913140798220028" }
const dispute = {
  ...later,
  reason: "Fraud",
  additionalData: { chargebackReasonCode: " 10.4", defensePeriodEndsAt: "2026-01-31T03:03:08+01:00" }
}
const about = { reference: "123-authorize-0", mid: "TeaAndSonsEU" }
const disputed = {
  _tag: "Dispute",
  ...about,
  amountMinor: 1042,
  currency: "EUR",
  disputeId: "QFQTPCQ8HXSKGK82",
  reasonCode: "10.4"
}

const rows: ReadonlyArray<
  readonly [code: string, success: "true" | "false", changes: Partial<SimulatedEvent>, fact: object | undefined]
> = [
  [
    "AUTHORISATION",
    "true",
    { additionalData: { authCode: "123456", cvcResultRaw: "M" } },
    {
      _tag: "Outcome",
      ...about,
      currency: "EUR",
      answer: { _tag: "Approved", amountMinor: 1042, approvalCode: "123456", cvvResult: "M" }
    }
  ],
  [
    "AUTHORISATION",
    "false",
    { reason: "Not enough balance" },
    { _tag: "Outcome", ...about, answer: { _tag: "Declined", code: 116, category: "later" } }
  ],
  [
    "CAPTURE",
    "true",
    { ...later, merchantReference: "123-capture-1" },
    {
      _tag: "Outcome",
      reference: "123-capture-1",
      answer: { _tag: "Approved", processorTxId: "QFQTPCQ8HXSKGK82", amountMinor: 1042 }
    }
  ],
  [
    "CAPTURE",
    "false",
    { ...later, reason: "Insufficient balance on payment" },
    {
      _tag: "Outcome",
      answer: { _tag: "Declined", code: 100, message: "Insufficient balance on payment (Adyen gave no code)" }
    }
  ],
  [
    "CAPTURE_FAILED",
    "true",
    { ...later, reason: "Capture Failed" },
    { _tag: "Failed", ...about, message: "Capture Failed" }
  ],
  [
    "CANCELLATION",
    "true",
    { ...later, merchantReference: "123-void-1" },
    { _tag: "Outcome", reference: "123-void-1", answer: { _tag: "Approved", approvalCode: "" } }
  ],
  ["CANCELLATION", "false", later, { _tag: "Outcome", answer: { _tag: "Declined" } }],
  ["REFUND", "true", later, { _tag: "Outcome", answer: { _tag: "Approved", amountMinor: 1042 } }],
  ["REFUND", "false", later, { _tag: "Outcome", answer: { _tag: "Declined" } }],
  ["REFUND_FAILED", "true", later, { _tag: "Failed", message: "REFUND_FAILED" }],
  ["REFUNDED_REVERSED", "true", later, { _tag: "Failed" }],
  ["REQUEST_FOR_INFORMATION", "true", dispute, { ...disputed, stage: "inquiry", message: "Fraud" }],
  ["NOTIFICATION_OF_CHARGEBACK", "true", dispute, { ...disputed, stage: "inquiry", respondByMs: 1_769_824_988_000 }],
  ["CHARGEBACK", "true", dispute, { ...disputed, stage: "opened" }],
  ["CHARGEBACK_REVERSED", "true", dispute, { ...disputed, stage: "won" }],
  ["SECOND_CHARGEBACK", "true", dispute, { ...disputed, stage: "lost" }],
  ["EXPIRE", "true", later, undefined],
  ["NOTIFICATION_OF_FRAUD", "true", dispute, { ...disputed, stage: "inquiry" }],
  ...[
    ...["INFORMATION_SUPPLIED", "DISPUTE_DEFENSE_PERIOD_ENDED", "ISSUER_RESPONSE_TIMEFRAME_EXPIRED"],
    ...["PREARBITRATION_OPEN", "PREARBITRATION_WON", "PREARBITRATION_LOST", "ISSUER_COMMENTS"]
  ].map((code) => [code, "true", dispute, { ...disputed, stage: "inquiry" }] as const),
  ["CANCEL_OR_REFUND", "true", { ...later, additionalData: { "modification.action": "cancel" } }, undefined]
]

describe("an event of Adyen", () => {
  it.effect.each(rows)("%s with success %s is the fact that it says", ([eventCode, success, changes, fact]) =>
    Effect.gen(function* () {
      const world = yield* Adapter.open
      const body = yield* world.adyen.events.add({ ...event, eventCode, success, ...changes })
      expect(Judge.webhook(eventCode, JSON.parse(body))).toEqual([])
      expect(yield* Adapter.factsIn(world, body)).toMatchObject(fact === undefined ? [] : [fact])
    })
  )

  // Adyen's description has pages about these events, and its list of codes lacks them.
  it.effect.each(["PREARBITRATION_ISSUER_WITHDRAWN", "SCHEME_ARBITRATION_WON", "SCHEME_ARBITRATION_LOST"])(
    "%s is news of a dispute",
    (eventCode) =>
      Effect.gen(function* () {
        const world = yield* Adapter.open
        const body = yield* world.adyen.events.add({ ...event, eventCode, success: "true", ...dispute })
        expect(yield* Adapter.factsIn(world, body)).toMatchObject([{ ...disputed, stage: "inquiry" }])
      })
  )

  it.effect("has the same number when it comes twice, and another for another result", () =>
    Effect.gen(function* () {
      const world = yield* Adapter.open
      const eventIdOf = (changes: Partial<SimulatedEvent>) =>
        Effect.gen(function* () {
          const [fact] = yield* Adapter.factsIn(world, yield* world.adyen.events.add({ ...event, ...changes }))
          return fact?.eventId
        })
      const first = yield* eventIdOf({})
      assert.strictEqual(yield* eventIdOf({}), first)
      for (const change of [{ success: "false" }, { eventCode: "CAPTURE" }, { pspReference: "QFQTPCQ8HXSKGK83" }])
        assert.notStrictEqual(yield* eventIdOf(change), first)
    })
  )

  it.effect.each([
    ["was changed", (body: string) => body.replace("1042", "9042")],
    ["is of another sender", (body: string) => body.replace(/"hmacSignature":"[^"]*"/, '"hmacSignature":"AAAA"')],
    ["is no JSON", () => "eventCode=AUTHORISATION"]
  ] as const)("is refused if it %s", ([, change]) =>
    Effect.gen(function* () {
      const world = yield* Adapter.open
      const body = change(yield* world.adyen.events.add(event))
      assert.strictEqual((yield* Effect.flip(Adapter.factsIn(world, body)))._tag, "NotificationRefused")
    })
  )

  it.effect("is refused if its amount is no whole minor unit, or its body no UTF-8", () =>
    Effect.gen(function* () {
      const world = yield* Adapter.open
      const body = yield* world.adyen.events.add({ ...event, amount: { currency: "ISK", value: 150 } })
      assert.strictEqual((yield* Effect.flip(Adapter.factsIn(world, body)))._tag, "NotificationRefused")
      const request = { method: "POST", path: "/", query: "", headers: {}, body: Uint8Array.of(0xff, 0xfe) }
      assert.strictEqual((yield* Effect.flip(world.notifications.receive(request)))._tag, "NotificationRefused")
    })
  )

  it.effect("is acknowledged as Adyen requires", () =>
    Effect.gen(function* () {
      const world = yield* Adapter.open
      const body = Buffer.from(yield* world.adyen.events.add(event))
      const { acknowledgement } = yield* world.notifications.receive({
        method: "POST",
        path: "/",
        query: "",
        headers: {},
        body
      })
      assert.strictEqual(acknowledgement, "[accepted]")
    })
  )
})
