/** Card orders as they are created: what is stored, what is refused, and the response to a repetition. */
import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect, Exit, Layer } from "effect"
import * as Decision from "../../src/kernel/Decision.ts"
import { Nonce } from "../../src/merchants/Call.ts"
import { Order } from "../../src/orders/record/Order.ts"
import { OrderRequest } from "../../src/orders/record/OrderRequest.ts"
import * as CreateOrder from "../../src/orders/requests/CreateOrder.ts"
import { VelocityCounter } from "../../src/risk/Risk.ts"
import { sale as order, request } from "../domain/Sample.ts"
import { guardsOf, rowsOf } from "../domain/Written.ts"
import * as Issuer from "../threeds/Issuer.ts"
import * as Calls from "./Calls.ts"
import { create, type Setup } from "./Creating.ts"
import * as ScriptedServices from "./ScriptedServices.ts"

const url = "https://shop.example/a"
const names = { client_orderid: "INV-8", amount: "10.00", currency: "USD" }
const call = (fields: Readonly<Record<string, string>> = {}, changes: Partial<Calls.Sent> = {}) =>
  Calls.call("SALE", { ...names, ...fields }, changes)
const sale = (fields: Readonly<Record<string, string>>, setup: Setup = {}, changes: Partial<Calls.Sent> = {}) =>
  create(CreateOrder.make("SALE"), call(fields, changes), setup)

describe("the order of a sale stores", () => {
  it.effect.each([
    ["merchant_data", "m", "merchantData"],
    ["redirect_url", url, "redirectUrl"],
    ["redirect_success_url", url, "redirectSuccessUrl"],
    ["redirect_fail_url", url, "redirectFailUrl"],
    ["server_callback_url", url, "callbackUrl"],
    ["notify_url", url, "notifyUrl"]
  ] as const)("%s, and null if the request has none", ([field, value, column]) =>
    Effect.gen(function* () {
      const stored = (text: string) =>
        Effect.map(sale({ [field]: text }), ({ decision }) => rowsOf(decision, "orders")[0]?.[column])
      assert.deepStrictEqual([yield* stored(value), yield* stored("")], [value, null])
    })
  )

  it.effect("its amount in minor units", () =>
    Effect.gen(function* () {
      const { decision } = yield* sale({})
      assert.strictEqual(rowsOf(decision, "orders")[0]?.amountMinor, 1_000)
    })
  )

  it.effect.each([
    ["the brand of a known card", "4444333322221111", "VISA"],
    ["an unknown brand of any other card", "9999999999999995", "UNKNOWN"]
  ] as const)("%s", ([, pan, brand]) =>
    Effect.gen(function* () {
      const { decision } = yield* sale({ credit_card_number: pan })
      assert.strictEqual(rowsOf(decision, "orders")[0]?.cardType, brand)
    })
  )
})

it.effect("a sale loses its guard, and is not answered as a repetition, if a velocity count changed", () =>
  Effect.gen(function* () {
    const velocityEntries = { guards: [Decision.versionIs(VelocityCounter, ["card"], 7)], writes: [] }
    const exit = yield* Effect.exit(sale({}, { velocityEntries }))
    assert(Exit.isFailure(exit))
    assert.include(Cause.pretty(exit.cause), "GuardFailed")
  })
)

describe("a sale is refused", () => {
  const endpoint = ScriptedServices.endpoint({ threeds: "gateway" })
  const cases: ReadonlyArray<
    readonly [what: string, fields: Readonly<Record<string, string>>, setup: Setup, expected: RegExp]
  > = [
    ["without a required field", { card_printed_name: "" }, {}, /card_printed_name is required/],
    ["with an expired card", {}, { nowMs: Date.UTC(2031, 0, 1, 14) }, /expired/i],
    ["in a currency that the endpoint does not accept", { currency: "EUR" }, {}, /currency/i],
    ["with more decimals than its currency has", { amount: "10.001" }, {}, /amount/i],
    [
      "with a client_orderid in the form of recurring charges",
      { client_orderid: "12:3" },
      {},
      /must not be two numbers joined by a colon/
    ],
    [
      "with a callback address that may not be called",
      { server_callback_url: "https://127.0.0.1/" },
      {},
      /server_callback_url/
    ],
    ["with a card that is tried too often", {}, { tooOften: true }, /^Too many payments with this card/],
    ["without a redirect_url if it goes through 3-D Secure", {}, { endpoint }, /^Parameter redirect_url is required/]
  ]
  it.effect.each(cases)("%s", ([, fields, setup, expected]) =>
    Effect.gen(function* () {
      const { recording, text } = yield* sale(fields, setup)
      assert.match(text, expected)
      assert.deepStrictEqual(recording.decisions, [])
    })
  )
})

describe("a card order", () => {
  const back = { redirect_url: url }
  const withServer = Issuer.layer(Issuer.script({}))
  it.effect.each([
    [
      "goes through 3-D Secure if its endpoint is configured so",
      { endpoint: ScriptedServices.endpoint({ threeds: "gateway" }) },
      Layer.empty,
      "authenticating"
    ],
    [
      "skips 3-D Secure if its endpoint is configured so",
      { endpoint: ScriptedServices.endpoint({ threeds: "off" }) },
      withServer,
      "authorizing"
    ],
    [
      "goes through 3-D Secure by default if there is a 3-D Secure server",
      { endpoint: ScriptedServices.endpoint({ threeds: undefined }) },
      withServer,
      "authenticating"
    ],
    [
      "skips 3-D Secure by default if there is no 3-D Secure server",
      { endpoint: ScriptedServices.endpoint({ threeds: undefined }) },
      Layer.empty,
      "authorizing"
    ]
  ] as const)("%s", ([, setup, layer, state]) =>
    Effect.gen(function* () {
      const { decision } = yield* Effect.provide(sale(back, setup), layer)
      assert.strictEqual(rowsOf(decision, "orders")[0]?.state, state)
    })
  )
})

describe("a verification", () => {
  it.effect("has the amount zero in the first currency of the endpoint", () =>
    Effect.gen(function* () {
      const verification = Calls.call("ACCOUNT_VERIFICATION", { client_orderid: "INV-8" })
      const endpoint = ScriptedServices.endpoint({ currencies: new Set(["EUR", "USD"]) })
      const { decision } = yield* create(CreateOrder.make("ACCOUNT_VERIFICATION"), verification, { endpoint })
      const expected = { amountMinor: 0, currency: "EUR", state: "authorizing", phone: null }
      assert.deepInclude(rowsOf(decision, "orders")[0], expected)
    })
  )

  it.effect("stores the phone if the request has one", () =>
    Effect.gen(function* () {
      const verification = Calls.call("ACCOUNT_VERIFICATION", { client_orderid: "INV-8", phone: "+12125550199" })
      const { decision } = yield* create(CreateOrder.make("ACCOUNT_VERIFICATION"), verification)
      assert.strictEqual(rowsOf(decision, "orders")[0]?.phone, "+12125550199")
    })
  )
})

describe("a repeated creation", () => {
  const before = [call()]
  const nonce = Decision.append(Nonce, { consumerKey: "shop", nonce: "n", usedAtMs: 1 })
  const spent = { guards: [Decision.absent(Nonce, "key", ["shop", "n"])], writes: [nonce] }
  const other = [
    Decision.append(Order, order({ orderId: "5", clientOrderId: "INV-8" })),
    Decision.append(OrderRequest, request({ orderId: "5" }))
  ]
  const elsewhere = [Decision.append(Order, order({ orderId: "5", clientOrderId: "INV-8", requestId: "404" }))]
  const cases: ReadonlyArray<
    readonly [
      what: string,
      fields: Readonly<Record<string, string>>,
      setup: Setup,
      changes: Partial<Calls.Sent>,
      expected: RegExp,
      commits: number
    ]
  > = [
    ["gets the same response", {}, { before, isReplay: true }, {}, /^accepted \d+$/, 0],
    [
      "is refused with other content",
      { amount: "11.00" },
      { before, isReplay: true },
      {},
      /was already used with other content/,
      0
    ],
    [
      "is refused if the content of the first one is unknown",
      {},
      { rows: elsewhere, isReplay: true },
      {},
      /was already used with other content/,
      0
    ],
    ["is new with another client_orderid", { client_orderid: "INV-9" }, { before, isReplay: true }, {}, /^new$/, 0],
    ["is new without a client_orderid", { client_orderid: "" }, { before, isReplay: true }, {}, /^new$/, 0],
    [
      "is refused if another order with its client_orderid commits first",
      {},
      { meanwhile: [other] },
      {},
      /was already used with other content/,
      1
    ],
    ["is refused with a used nonce", {}, { rows: [nonce] }, { nonce: spent }, /nonce/i, 1],
    ["uses up its nonce", {}, {}, { nonce: spent }, /^accepted \d+$/, 1]
  ]
  it.effect.each(cases)("%s", ([, fields, setup, changes, expected, commits]) =>
    Effect.gen(function* () {
      const { decision, recording, text } = yield* sale(fields, setup, changes)
      assert.match(text, expected)
      assert.lengthOf(recording.decisions, commits)
      if (commits === 1)
        assert.deepStrictEqual(guardsOf(decision), [
          "no orders clientOrder shop,INV-8",
          ...(changes.nonce === undefined ? [] : ["no nonces key shop,n"])
        ])
    })
  )

  it.effect("gets the response of an equal one that commits first, and uses up its own nonce", () =>
    Effect.gen(function* () {
      const { decision } = yield* sale({})
      const won = decision.writes.filter((write) => "entity" in write && /^(orders|requests)$/.test(write.entity.name))
      const { recording, text } = yield* sale({}, { meanwhile: [won, []] }, { nonce: spent })
      assert.strictEqual(text, `accepted ${rowsOf(decision, "orders")[0]?.orderId}`)
      assert.deepStrictEqual(recording.decisions.map(guardsOf), [
        ["no orders clientOrder shop,INV-8", "no nonces key shop,n"],
        ["no nonces key shop,n"]
      ])
    })
  )
})
