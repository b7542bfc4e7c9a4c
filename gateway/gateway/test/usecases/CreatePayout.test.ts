/** Payouts as they are created: what is stored, what is refused, and the effect of a low balance. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import * as Decision from "../../src/kernel/Decision.ts"
import type { Endpoint } from "../../src/merchants/Directory.ts"
import { Order } from "../../src/orders/record/Order.ts"
import { OrderRequest } from "../../src/orders/record/OrderRequest.ts"
import * as CardIdentity from "../../src/orders/requests/CardIdentity.ts"
import * as CreatePayout from "../../src/payouts/CreatePayout.ts"
import * as Risk from "../../src/risk/Risk.ts"
import { request, sale } from "../domain/Sample.ts"
import { guardsOf, keysOf, rowsOf } from "../domain/Written.ts"
import * as Calls from "./Calls.ts"
import { booked, create, type Setup } from "./Creating.ts"
import * as Rail from "./Rail.ts"
import * as ScriptedServices from "./ScriptedServices.ts"

const url = "https://shop.example/a"
const pan = "4444333322221111"
const names = { client_orderid: "INV-8", amount: "10.00", currency: "USD" }
const toAccount = { credit_card_number: "", account_number: pan, account_name: "J Smith", bank_name: "Bank" }
const funds = Decision.post("shop/7/USD/payout_available", 5_000)

const payout = (fields: Readonly<Record<string, string>>, setup: Setup = {}) =>
  create(CreatePayout.make("PAYOUT"), Calls.call("PAYOUT", { ...names, ...fields }), {
    ...setup,
    rows: [funds, ...(setup.rows ?? [])]
  })

describe("the order of a payout stores", () => {
  it.effect.each([
    ["order_desc", "Salary", "orders", "description", ""],
    ["email", "john@shop.example", "orders", "email", ""],
    ["merchant_data", "m", "orders", "merchantData", null],
    ["redirect_url", url, "orders", "redirectUrl", null],
    ["redirect_success_url", url, "orders", "redirectSuccessUrl", null],
    ["redirect_fail_url", url, "orders", "redirectFailUrl", null],
    ["server_callback_url", url, "orders", "callbackUrl", null],
    ["notify_url", url, "orders", "notifyUrl", null],
    ["purpose", "Salary", "payouts", "purpose", null]
  ] as const)("%s, and no value if the request has none", ([field, value, entity, column, none]) =>
    Effect.gen(function* () {
      const stored = (text: string) =>
        Effect.map(payout({ [field]: text }), ({ decision }) => rowsOf(decision, entity)[0]?.[column])
      assert.deepStrictEqual([yield* stored(value), yield* stored("")], [value, none])
    })
  )
})

describe("a payout is refused", () => {
  it.effect.each([
    ["without a required field", { amount: "" }, {}, /amount is required/],
    ["without a recipient", { credit_card_number: "" }, {}, /required/],
    [
      "to a recipient that the rail cannot pay",
      { credit_card_number: "", ewallet_id: "w", ewallet_type: "t" },
      {},
      /ewallet_id names a recipient that cannot be paid here/
    ],
    [
      "to an expired card",
      { expire_month: "12", expire_year: "2030" },
      { nowMs: Date.UTC(2031, 0, 1, 14) },
      /expired/i
    ],
    ["in a currency that the endpoint does not accept", { currency: "EUR" }, {}, /currency/i],
    ["with more decimals than its currency has", { amount: "10.001" }, {}, /amount/i],
    [
      "with a client_orderid in the form of recurring charges",
      { client_orderid: "12:3" },
      {},
      /must not be two numbers joined by a colon/
    ],
    ["to a card that is tried too often", {}, { tooOften: true }, /^Too many payments with this card/]
  ] as const)("%s", ([, fields, setup, expected]) =>
    Effect.gen(function* () {
      const { recording, text } = yield* payout(fields, setup)
      assert.match(text, expected)
      assert.deepStrictEqual(recording.decisions, [])
    })
  )
})

describe("an accepted payout", () => {
  const blocking = (card: ReadonlyArray<string>): Endpoint =>
    ScriptedServices.endpoint({
      risk: {
        maxMinor: {},
        velocity: [],
        block: { ...Risk.emptyList, card: new Set(card) },
        allow: Risk.emptyList,
        cardKeys: ["v1."]
      }
    })
  const ofNumber = CardIdentity.ofNumber(ScriptedServices.vault, "shop", Redacted.make(pan))
  const cases: ReadonlyArray<
    readonly [what: string, fields: Readonly<Record<string, string>>, setup: Setup, state: string]
  > = [
    ["pays a card", {}, {}, "paying"],
    [
      "pays a card in its last month",
      { expire_month: "12", expire_year: "2030" },
      { nowMs: Date.UTC(2030, 11, 1) },
      "paying"
    ],
    ["pays an account, however often", toAccount, { tooOften: true }, "paying"],
    ["is declined if the balance is too low", { amount: "50.01" }, {}, "declined"],
    [
      "is stopped above the endpoint's limit",
      {},
      { endpoint: ScriptedServices.endpoint({ payoutMaxMinor: { USD: 999 } }) },
      "filtered"
    ],
    ["is stopped if its card number is blocked", {}, { endpoint: blocking([ofNumber]) }, "filtered"],
    ["pays an account that has the number of a blocked card", toAccount, { endpoint: blocking([ofNumber]) }, "paying"],
    [
      "waits for a second approver where the endpoint requires one",
      {},
      { endpoint: ScriptedServices.endpoint({ payoutApproval: true }) },
      "waiting"
    ]
  ]
  it.effect.each(cases)("%s", ([, fields, setup, state]) =>
    Effect.gen(function* () {
      const { decision, text } = yield* payout(fields, setup)
      assert.match(text, /^accepted \d+$/)
      assert.strictEqual(rowsOf(decision, "orders")[0]?.state, state)
    })
  )

  it.effect("is refused if another order with its client_orderid commits first, whatever the balance", () =>
    Effect.gen(function* () {
      const won = [
        Decision.append(Order, sale({ orderId: "5", clientOrderId: "INV-8" })),
        Decision.append(OrderRequest, request({ orderId: "5" }))
      ]
      const { recording, text } = yield* payout({}, { meanwhile: [won, []] })
      assert.match(text, /was already used with other content/)
      assert.lengthOf(recording.decisions, 1)
    })
  )

  it.effect("is checked first if it has two steps", () =>
    Effect.gen(function* () {
      const call = Calls.call("PAYOUT_V4_CHECK", names)
      const { decision } = yield* create(CreatePayout.make("PAYOUT_V4_CHECK"), call, { rows: [funds] })
      assert.strictEqual(rowsOf(decision, "orders")[0]?.state, "checking")
    })
  )
})

describe("a repeated payout after a restore", () => {
  const strict = ScriptedServices.endpoint({ payoutApproval: true, payoutMaxMinor: { USD: 1 } })
  it.effect("adopts its booking without approval and without limits", () =>
    Effect.gen(function* () {
      const { decision, text } = yield* payout({}, { rows: [Rail.copy, booked("pay")], endpoint: strict })
      assert.strictEqual(text, "accepted 8")
      assert.deepInclude(rowsOf(decision, "orders")[0], { orderId: "8", state: "paying", createdAtMs: 500 })
      assert.deepStrictEqual(guardsOf(decision), ["no orders clientOrder shop,INV-8", "bankBookings rail,8-pay-0 v1"])
      assert.include(keysOf(decision), "bankBookings rail,8-pay-0")
    })
  )

  it.effect("is refused if the rail booked another amount", () =>
    Effect.gen(function* () {
      const { text } = yield* payout({ amount: "11.00" }, { rows: [Rail.copy, booked("pay")] })
      assert.match(text, /^client_orderid was already used with another amount/)
    })
  )
})
