import { assert, describe, it } from "@effect/vitest"
import * as PayApi from "@pay/schema/PayApi"
import * as Sample from "@pay/schema/Sample"
import { Effect, Redacted, Result } from "effect"
import { AwaitFinal } from "../src/AwaitFinal.ts"
import { CardSale } from "../src/CardPayment.ts"
import * as Durable from "../src/durable/Durable.ts"
import * as Flow from "../src/Flow.ts"
import * as FlowPayload from "../src/FlowPayload.ts"
import { Capture } from "../src/OrderAction.ts"
import { PayOutV2 } from "../src/PayOut.ts"
import { ChangeSubscription } from "../src/Subscription.ts"
import * as SubscriptionChange from "../src/SubscriptionChange.ts"
import { life, temporaryFile } from "./durable/Fixture.ts"
import * as Script from "./Script.ts"

const { PAYOUT, SALE } = PayApi.operations

const sale: Readonly<Record<string, string>> = { ...Sample.request(SALE), client_orderid: "o-1" }
const pan = "4444333322221111"

/** `amount: Parameter amount …`: what is wrong with each field. */
const flaws = (decoded: Result.Result<unknown, ReadonlyArray<{ readonly field: string; readonly message: string }>>) =>
  Result.isSuccess(decoded) ? [] : decoded.failure.map(({ message }) => message)

describe("a payload that somebody typed", () => {
  it("is decoded as the operation decodes it, with what the flow adds", () => {
    const { login: _, ...fields } = sale
    const decoded = Result.getOrThrow(FlowPayload.decode(CardSale, { ...fields, endpointId: "7", cvv2: " 123 " }))
    assert.deepInclude(decoded, { clientOrderId: "o-1", endpointId: "7", expireYear: 2030 })
    assert.strictEqual(Redacted.value(decoded.creditCardNumber), fields.credit_card_number)
    const name = { name: "part-1", clientOrderId: "o-1", orderId: "7" }
    assert.deepStrictEqual(Result.getOrThrow(FlowPayload.decode(Capture, name)), name)
  })

  it("may have the names of the specification, each field once", () => {
    const named = { name: "part-1", client_orderid: "o-1", orderid: "7" }
    const payload = { name: "part-1", clientOrderId: "o-1", orderId: "7" }
    assert.deepStrictEqual(Result.getOrThrow(FlowPayload.decode(Capture, named)), payload)
    assert.deepStrictEqual(flaws(FlowPayload.decode(Capture, { ...named, ...payload })), [
      "Parameter clientOrderId is given twice, also by the name of the specification",
      "Parameter orderId is given twice, also by the name of the specification"
    ])
    assert.deepStrictEqual(flaws(Result.fail(FlowPayload.problemsOf(Capture, named))), [
      "Parameter client_orderid is no field of Capture: write clientOrderId",
      "Parameter orderid is no field of Capture: write orderId",
      "Parameter clientOrderId is required",
      "Parameter orderId is required"
    ])
  })

  it("may name its order in fields of the flow alone, and is then a whole one", () => {
    const order = { clientOrderId: "o-1", orderId: "7" }
    assert.deepStrictEqual(FlowPayload.problemsOf(AwaitFinal, order), [])
    assert.deepStrictEqual(flaws(FlowPayload.decode(AwaitFinal, order)), [])
    assert.deepStrictEqual(flaws(FlowPayload.decode(AwaitFinal, { clientOrderId: "o-1" })), [])
  })

  it("tells all that is wrong at once, and names that are no fields", () => {
    const { address1: _, ...fields } = sale
    const wrong = {
      ...fields,
      amount: "ten",
      credit_card_number: "4444333322221112",
      email: "",
      cardrefid: "7",
      ipaddress: 1
    }
    assert.deepStrictEqual(flaws(FlowPayload.decode(CardSale, wrong)).sort(), [
      "Parameter address1 is required",
      "Parameter amount must be a decimal number above zero, like 10.50",
      "Parameter cardrefid is no field of CardSale",
      "Parameter creditCardNumber is not a card number",
      "Parameter email is required",
      "Parameter ipAddress must be text"
    ])
  })

  const amounts = [
    ["10.42", "USD", []],
    ["10.001", "USD", ["amount"]],
    ["10.5", "JPY", ["amount"]],
    ["10.00", "JPY", []],
    ["10.123", "KWD", []]
  ] as const
  it.each(amounts)("%s %s: no more decimals than the currency has", (amount, currency, wrong) => {
    const decoded = FlowPayload.decode(CardSale, { ...sale, amount, currency })
    assert.deepStrictEqual(Result.isSuccess(decoded) ? [] : decoded.failure.map(({ field }) => field), [...wrong])
  })
})

/** Returns a payload as plain JavaScript may pass it: its type does not match its values. */
const plainly = <P extends object, C extends object>(payload: P, changes: C) => Object.assign({}, payload, changes)
const mustBeRedacted = "must be Redacted, so that no log can show it: Redacted.make(text)"

describe("a payload that TypeScript has not seen", () => {
  it.effect("a plain card number is refused by name, in the words of who has to change it", () =>
    Effect.gen(function* () {
      const payment = plainly(Result.getOrThrow(FlowPayload.decode(CardSale, sale)), { creditCardNumber: pan })
      const { requests, result } = yield* Script.play({}, Flow.run(CardSale, payment))
      assert(Result.isFailure(result) && result.failure._tag === "Refused")
      assert.strictEqual(result.failure.reason, `Parameter creditCardNumber ${mustBeRedacted}`)
      assert.deepStrictEqual(requests, [])
    })
  )

  it.effect("is not started durably: nothing is written, all is told, and no number", () =>
    Effect.gen(function* () {
      const path = yield* temporaryFile
      const free = Flow.make({ ...PayOutV2, run: () => Effect.never })
      const open = Flow.make({ ...free, payload: PayOutV2.payload })
      const payout = Result.getOrThrow(
        FlowPayload.decode(PayOutV2, { ...Sample.request(PAYOUT), client_orderid: "o-1" })
      )
      const given = plainly(payout, {
        accountNumber: "DE89370400440532013000",
        amount: "10.001",
        currency: "USD",
        nonsense: 1
      })
      const engine = Durable.layer({ path, flows: Durable.flow({ ...open, encryptedFields: [], neverPersisted: [] }) })
      yield* life(engine)(
        Effect.gen(function* () {
          const durable = yield* Durable.Durable
          const refused = yield* Effect.flip(durable.start(open, given))
          assert(refused._tag === "PayloadInvalid")
          assert.deepStrictEqual(refused.problems.map(({ field }) => field).sort(), [
            "accountNumber",
            "amount",
            "nonsense"
          ])
          assert.include(refused.message, `accountNumber ${mustBeRedacted}`)
          assert.notInclude(JSON.stringify(refused) + refused.message, "DE8937")
          assert.strictEqual((yield* Effect.flip(durable.result(open, "o-1")))._tag, "NotStarted")
        })
      )
    })
  )
})

describe("a change of a subscription", () => {
  const about = { recurringPaymentId: "7" }
  const amount = { amount: "2.00", currency: "USD" }
  /** What the gateway is asked, or the fields that are wrong. */
  const rows: ReadonlyArray<readonly [story: string, change: object, requests: object | ReadonlyArray<string>]> = [
    ["a pause", { change: "pause" }, { change: "pause" }],
    ["another amount", { change: "amount", ...amount }, amount],
    ["a kept card", { change: "card", cardRefId: "9" }, { cardRefId: "9" }],
    ["an amount, and nobody said so", amount, ["change"]],
    ["a card, and nobody said so", { cardRefId: "9" }, ["change"]],
    ["a pause, and a card came along", { change: "pause", cardRefId: "9" }, ["cardRefId"]],
    ["an amount, and a card came along", { change: "amount", ...amount, cardRefId: "9" }, ["cardRefId"]],
    ["a card without one", { change: "card" }, ["cardRefId"]]
  ]
  it.effect.each(rows)("is said: $0", ([, change, requests]) =>
    Effect.gen(function* () {
      const fields = plainly(about, change)
      if (!Array.isArray(requests)) {
        assert.deepStrictEqual(SubscriptionChange.problems(fields), [])
        assert.deepStrictEqual(SubscriptionChange.requestOf(fields), { ...about, ...requests })
        return
      }
      const flow = Flow.run(ChangeSubscription, { ...fields, name: "n-1" })
      const played = yield* Script.play(
        {},
        Effect.map(flow, ({ status = "" }) => ({ status }))
      )
      assert(Result.isFailure(played.result) && played.result.failure._tag === "Refused")
      assert.deepStrictEqual(
        played.result.failure.problems.map(({ field }) => field),
        requests
      )
      assert.deepStrictEqual(played.requests, [])
    })
  )
})
