import { assert, describe, it } from "@effect/vitest"
import * as PayApi from "@pay/schema/PayApi"
import * as Sample from "@pay/schema/Sample"
import { Effect, Layer, Redacted, Result } from "effect"
import { temporaryFile } from "../../sqlite/test/TemporaryFolder.ts"
import * as Durable from "../src/durable/Durable.ts"
import * as Flow from "../src/engine/Flow.ts"
import * as FlowPayload from "../src/engine/FlowPayload.ts"
import { CardSale } from "../src/payments/CardPayment.ts"
import { Capture } from "../src/payments/OrderAction.ts"
import { CheckPayOut, PayOutV2 } from "../src/payments/PayOut.ts"
import { ChangeSubscription } from "../src/payments/Subscription.ts"
import * as SubscriptionChange from "../src/payments/SubscriptionChange.ts"
import { AwaitFinal } from "../src/requests/AwaitFinal.ts"
import { processWith } from "./durable/Fixture.ts"
import * as Script from "./Script.ts"

const { PAYOUT, SALE } = PayApi.operations

const sale: Readonly<Record<string, string>> = { ...Sample.request(SALE), client_orderid: "o-1" }
const pan = "4444333322221111"

/** Returns the messages of all problems. */
const flaws = (decoded: Result.Result<unknown, ReadonlyArray<{ readonly field: string; readonly message: string }>>) =>
  Result.isSuccess(decoded) ? [] : decoded.failure.map(({ message }) => message)

describe("a payload of text fields", () => {
  it("is decoded like the operation's request, with the flow's own fields", () => {
    const { login: _, ...fields } = sale
    const decoded = Result.getOrThrow(FlowPayload.decode(CardSale, { ...fields, endpointId: "7", cvv2: " 123 " }))
    assert.deepInclude(decoded, { clientOrderId: "o-1", endpointId: "7", expireYear: 2030 })
    assert.strictEqual(Redacted.value(decoded.creditCardNumber), fields.credit_card_number)
    const name = { name: "part-1", clientOrderId: "o-1", orderId: "7" }
    assert.deepStrictEqual(Result.getOrThrow(FlowPayload.decode(Capture, name)), name)
  })

  it("may use the names of the specification, each field once", () => {
    const named = { name: "part-1", client_orderid: "o-1", orderid: "7" }
    const payload = { name: "part-1", clientOrderId: "o-1", orderId: "7" }
    assert.deepStrictEqual(Result.getOrThrow(FlowPayload.decode(Capture, named)), payload)
    assert.deepStrictEqual(flaws(FlowPayload.decode(Capture, { ...named, ...payload })), [
      "Parameter clientOrderId is given twice, also by the name of the specification",
      "Parameter orderId is given twice, also by the name of the specification"
    ])
    assert.deepStrictEqual(flaws(FlowPayload.fit(Capture, named)), [
      "Parameter client_orderid is not a field of Capture: write clientOrderId",
      "Parameter orderid is not a field of Capture: write orderId",
      "Parameter clientOrderId is required",
      "Parameter orderId is required"
    ])
  })

  it("is checked in its normal form", () => {
    const { login: _, ...others } = sale
    const fields = { ...others, credit_card_number: "4444 3333-2222 1111", country: " us\n" }
    assert.deepStrictEqual(flaws(FlowPayload.decode(CardSale, { ...fields, state: "us-ca" })), [])
    assert.deepStrictEqual(
      flaws(FlowPayload.decode(CardSale, { ...fields, state: "", order_desc: "by 4444333322221111" })),
      ["Parameter state is required", "Parameter orderDesc must not contain the card number"]
    )
  })

  it("is complete with only the flow's own fields", () => {
    const order = { clientOrderId: "o-1", orderId: "7" }
    assert.deepStrictEqual(flaws(FlowPayload.fit(AwaitFinal, order)), [])
    assert.deepStrictEqual(flaws(FlowPayload.decode(AwaitFinal, order)), [])
    assert.deepStrictEqual(flaws(FlowPayload.decode(AwaitFinal, { clientOrderId: "o-1" })), [])
  })

  it("reports all problems together, including unknown fields", () => {
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
      "Parameter cardrefid is not a field of CardSale",
      "Parameter creditCardNumber is not a card number",
      "Parameter email is required",
      "Parameter ipAddress must be text"
    ])
  })

  it("may be only some fields of a flow, read from a form that has others, too", () => {
    const read = (form: Readonly<Record<string, string>>) =>
      FlowPayload.decodeFields(CardSale, ["email", "city", "country", "state"], { token: "t", amount: "ten", ...form })
    const form = { email: " ada@example.com ", city: "London", country: "gb", state: "", constructor: "x" }
    assert.deepStrictEqual(Result.getOrThrow(read(form)), { email: "ada@example.com", city: "London", country: "GB" })
    assert.deepStrictEqual(flaws(read({ ...form, email: "", country: "US" })), [
      "Parameter email is required",
      "Parameter state is required"
    ])
  })

  it.each(["constructor", "toString", "__proto__"])(
    "refuses %s, which every object has, like another unknown name",
    (name) =>
      assert.deepStrictEqual(flaws(FlowPayload.decode(CardSale, { ...sale, ...JSON.parse(`{ "${name}": "x" }`) })), [
        `Parameter ${name} is not a field of CardSale`
      ])
  )

  it("that has a wrong account is not asked for another way to name the recipient", () => {
    const claim = { clientOrderId: "o-1", amount: "1.00", currency: "USD" }
    const accountNumber = "DE00000000000000000000"
    const wrong = ["Parameter accountNumber is not a valid IBAN: its check digits do not fit"]
    assert.deepStrictEqual(flaws(FlowPayload.decode(CheckPayOut, { ...claim, accountNumber })), wrong)
    const payload = { ...claim, accountNumber: Redacted.make(accountNumber) }
    assert.deepStrictEqual(flaws(FlowPayload.fit(CheckPayOut, payload)), wrong)
  })

  const amounts = [
    ["10.42", "USD", []],
    ["10.001", "USD", ["amount"]],
    ["10.5", "JPY", ["amount"]],
    ["10.00", "JPY", []],
    ["10.123", "KWD", []]
  ] as const
  it.each(amounts)("is refused with more decimals than the currency has: %s %s", (amount, currency, wrong) => {
    const decoded = FlowPayload.decode(CardSale, { ...sale, amount, currency })
    assert.deepStrictEqual(Result.isSuccess(decoded) ? [] : decoded.failure.map(({ field }) => field), [...wrong])
  })
})

/** Returns a payload as plain JavaScript may pass it: its type does not match its values. */
const plainly = <P extends object, C extends object>(payload: P, changes: C) => Object.assign({}, payload, changes)
const mustBeRedacted = "must be Redacted, so that no log can show it: Redacted.make(text)"

describe("a payload from plain JavaScript", () => {
  it.effect("is refused if its card number is not Redacted, and the error names the field", () =>
    Effect.gen(function* () {
      const payment = plainly(Result.getOrThrow(FlowPayload.decode(CardSale, sale)), { creditCardNumber: pan })
      const { requests, result } = yield* Script.run({}, CardSale.execute(payment))
      assert(Result.isFailure(result) && result.failure._tag === "PayloadInvalid")
      assert.include(result.failure.message, `Parameter creditCardNumber ${mustBeRedacted}`)
      assert.deepStrictEqual(requests, [])
    })
  )

  it.effect("is refused by a durable start, which writes nothing and repeats no number", () =>
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
      const engine = Flow.make(open, { encryptedFields: [], neverPersisted: [] }).layer.pipe(
        Layer.provideMerge(Durable.layer({ path }))
      )
      yield* processWith(engine)(
        Effect.gen(function* () {
          const refused = yield* Effect.flip(open.start(given))
          assert(refused._tag === "PayloadInvalid")
          assert.deepStrictEqual(refused.problems.map(({ field }) => field).sort(), [
            "accountNumber",
            "amount",
            "nonsense"
          ])
          assert.include(refused.message, `accountNumber ${mustBeRedacted}`)
          assert.notInclude(JSON.stringify(refused) + refused.message, "DE8937")
          assert.strictEqual((yield* Effect.flip(open.poll("o-1")))._tag, "NotStarted")
        })
      )
    })
  )
})

type ChangeFields = typeof ChangeSubscription.payload.Type

describe("a change of a subscription", () => {
  const about = { recurringPaymentId: "7" }
  const amount = { amount: "2.00", currency: "USD" }
  /** The fields of the request, or the names of the invalid fields. */
  const rows: ReadonlyArray<
    readonly [
      scenario: string,
      fields: Pick<ChangeFields, "change"> & Partial<ChangeFields>,
      requests: object | ReadonlyArray<string>
    ]
  > = [
    ["a pause", { change: "pause" }, { change: "pause" }],
    ["another amount", { change: "amount", ...amount }, amount],
    ["a stored card", { change: "card", cardRefId: "9" }, { cardRefId: "9" }],
    ["a pause with an additional card", { change: "pause", cardRefId: "9" }, ["cardRefId"]],
    ["an amount with an additional card", { change: "amount", ...amount, cardRefId: "9" }, ["cardRefId"]],
    ["a card change without a card", { change: "card" }, ["cardRefId"]]
  ]
  it("is refused without the name of the change", () =>
    assert.deepStrictEqual(flaws(FlowPayload.decode(ChangeSubscription, { ...about, ...amount, name: "n-1" })), [
      "Parameter change is required"
    ]))

  it.effect.each(rows)("accepts only the fields of the change that it names: $0", ([, change, requests]) =>
    Effect.gen(function* () {
      const fields = { ...about, ...change }
      if (!Array.isArray(requests)) {
        assert.deepStrictEqual(SubscriptionChange.problems(fields), [])
        assert.deepStrictEqual(SubscriptionChange.requestOf(fields), { ...about, ...requests })
        return
      }
      const flow = ChangeSubscription.execute({ ...fields, name: "n-1" })
      const outcome = yield* Script.run(
        {},
        Effect.map(flow, ({ status = "" }) => ({ status }))
      )
      assert(Result.isFailure(outcome.result) && outcome.result.failure._tag === "NotAccepted")
      assert.deepStrictEqual(
        outcome.result.failure.problems.map(({ field }) => field),
        requests
      )
      assert.deepStrictEqual(outcome.requests, [])
    })
  )
})
