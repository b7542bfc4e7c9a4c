/** Card orders as they are created: what is kept of the request, what is refused, and what is told of a repetition. */
import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect, Exit, Layer } from "effect"
import * as Decision from "../../src/kernel/Decision.ts"
import type { Call } from "../../src/merchants/Call.ts"
import { Nonce } from "../../src/merchants/Call.ts"
import * as CreateOrder from "../../src/orders/CreateOrder.ts"
import { Order } from "../../src/orders/Order.ts"
import { OrderRequest } from "../../src/orders/OrderRequest.ts"
import { VelocityTurn } from "../../src/risk/Risk.ts"
import { sale as order, request } from "../domain/Sample.ts"
import { guardsOf, rowsOf } from "../domain/Written.ts"
import * as Issuer from "../threeds/Issuer.ts"
import * as Calls from "./Calls.ts"
import { create, type Given } from "./Creating.ts"
import * as World from "./World.ts"

const url = "https://shop.example/a"
const names = { client_orderid: "INV-8", amount: "10.00", currency: "USD" }
const call = (fields: Readonly<Record<string, string>> = {}, changes: Partial<Call> = {}) =>
  Calls.call("SALE", { ...names, ...fields }, changes)
const sale = (fields: Readonly<Record<string, string>>, given: Given = {}, changes: Partial<Call> = {}) =>
  create(CreateOrder.make("SALE"), call(fields, changes), given)

describe("of a sale is kept", () => {
  it.effect.each([
    ["merchant_data", "m", "merchantData"],
    ["redirect_url", url, "redirectUrl"],
    ["redirect_success_url", url, "redirectSuccessUrl"],
    ["redirect_fail_url", url, "redirectFailUrl"],
    ["server_callback_url", url, "callbackUrl"],
    ["notify_url", url, "notifyUrl"]
  ] as const)("%s, and nothing where it is left out", ([field, value, column]) =>
    Effect.gen(function* () {
      const kept = (text: string) =>
        Effect.map(sale({ [field]: text }), ({ decision }) => rowsOf(decision, "orders")[0]?.[column])
      assert.deepStrictEqual([yield* kept(value), yield* kept("")], [value, null])
    })
  )

  it.effect("its amount, in minor units", () =>
    Effect.gen(function* () {
      const { decision } = yield* sale({})
      assert.strictEqual(rowsOf(decision, "orders")[0]?.amountMinor, 1_000)
    })
  )

  it.effect.each([
    ["a card of a known brand", "4444333322221111", "VISA"],
    ["a card of none", "9999999999999995", "UNKNOWN"]
  ] as const)("%s", ([, pan, brand]) =>
    Effect.gen(function* () {
      const { decision } = yield* sale({ credit_card_number: pan })
      assert.strictEqual(rowsOf(decision, "orders")[0]?.cardType, brand)
    })
  )
})

it.effect("a sale that others overtook in the count of a rule is not told as a repetition: it is judged again", () =>
  Effect.gen(function* () {
    const marks = { guards: [Decision.versionIs(VelocityTurn, ["card"], 7)], writes: [] }
    const exit = yield* Effect.exit(sale({}, { marks }))
    assert(Exit.isFailure(exit))
    assert.include(Cause.pretty(exit.cause), "GuardFailed")
  })
)

describe("a sale is refused", () => {
  const endpoint = World.endpoint({ threeds: "gateway" })
  const cases: ReadonlyArray<
    readonly [what: string, fields: Readonly<Record<string, string>>, given: Given, expected: RegExp]
  > = [
    ["without what is required", { card_printed_name: "" }, {}, /card_printed_name is required/],
    ["with a card that has expired", {}, { nowMs: Date.UTC(2031, 0, 1) }, /expired/i],
    ["in a currency that the endpoint does not take", { currency: "EUR" }, {}, /currency/i],
    ["with an amount that is none of its currency", { amount: "10.001" }, {}, /amount/i],
    [
      "under a number that recurring payments use",
      { client_orderid: "12:3" },
      {},
      /must not be two numbers joined by a colon/
    ],
    [
      "with an address that may not be called",
      { server_callback_url: "https://127.0.0.1/" },
      {},
      /server_callback_url/
    ],
    ["with a card that is tried too often", {}, { tooOften: true }, /^Too many payments with this card/],
    ["without the address to which 3-D Secure leads back", {}, { endpoint }, /^Parameter redirect_url is required/]
  ]
  it.effect.each(cases)("%s", ([, fields, given, expected]) =>
    Effect.gen(function* () {
      const { did, text } = yield* sale(fields, given)
      assert.match(text, expected)
      assert.deepStrictEqual(did.decisions, [])
    })
  )
})

describe("a card order goes through 3-D Secure", () => {
  const back = { redirect_url: url }
  const withServer = Issuer.layer(Issuer.script({}))
  it.effect.each([
    ["where its endpoint says so", { endpoint: World.endpoint({ threeds: "gateway" }) }, Layer.empty, "authenticating"],
    ["not where its endpoint says so", { endpoint: World.endpoint({ threeds: "off" }) }, withServer, "authorizing"],
    [
      "where its endpoint says nothing and there is a server",
      { endpoint: World.endpoint({ threeds: undefined }) },
      withServer,
      "authenticating"
    ],
    [
      "not where its endpoint says nothing and there is none",
      { endpoint: World.endpoint({ threeds: undefined }) },
      Layer.empty,
      "authorizing"
    ]
  ] as const)("%s", ([, given, layer, state]) =>
    Effect.gen(function* () {
      const { decision } = yield* Effect.provide(sale(back, given), layer)
      assert.strictEqual(rowsOf(decision, "orders")[0]?.state, state)
    })
  )
})

describe("a verification", () => {
  it.effect("is of nothing, in the first currency of the endpoint", () =>
    Effect.gen(function* () {
      const verification = Calls.call("ACCOUNT_VERIFICATION", { client_orderid: "INV-8" })
      const endpoint = World.endpoint({ currencies: new Set(["EUR", "USD"]) })
      const { decision } = yield* create(CreateOrder.make("ACCOUNT_VERIFICATION"), verification, { endpoint })
      const expected = { amountMinor: 0, currency: "EUR", state: "authorizing", phone: null }
      assert.deepInclude(rowsOf(decision, "orders")[0], expected)
    })
  )

  it.effect("keeps the phone where one is given", () =>
    Effect.gen(function* () {
      const verification = Calls.call("ACCOUNT_VERIFICATION", { client_orderid: "INV-8", phone: "+12125550199" })
      const { decision } = yield* create(CreateOrder.make("ACCOUNT_VERIFICATION"), verification)
      assert.strictEqual(rowsOf(decision, "orders")[0]?.phone, "+12125550199")
    })
  )
})

describe("a creation that comes again", () => {
  const before = [call()]
  const nonce = Decision.append(Nonce, { consumerKey: "shop", nonce: "n", seenAtMs: 1 })
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
      given: Given,
      changes: Partial<Call>,
      expected: RegExp,
      commits: number
    ]
  > = [
    ["is known", {}, { before, isReplay: true }, {}, /^accepted \d+$/, 0],
    [
      "is refused with other content",
      { amount: "11.00" },
      { before, isReplay: true },
      {},
      /was already used with other content/,
      0
    ],
    [
      "is refused where nobody knows the content",
      {},
      { rows: elsewhere, isReplay: true },
      {},
      /was already used with other content/,
      0
    ],
    ["is new under another number", { client_orderid: "INV-9" }, { before, isReplay: true }, {}, /^new$/, 0],
    ["is new without a number", { client_orderid: "" }, { before, isReplay: true }, {}, /^new$/, 0],
    [
      "at the same time loses to another order",
      {},
      { meanwhile: [other] },
      {},
      /was already used with other content/,
      1
    ],
    ["brings its nonce again", {}, { rows: [nonce] }, { nonce: spent }, /nonce/i, 1],
    ["spends its nonce", {}, {}, { nonce: spent }, /^accepted \d+$/, 1]
  ]
  it.effect.each(cases)("%s", ([, fields, given, changes, expected, commits]) =>
    Effect.gen(function* () {
      const { decision, did, text } = yield* sale(fields, given, changes)
      assert.match(text, expected)
      assert.lengthOf(did.decisions, commits)
      if (commits === 1)
        assert.deepStrictEqual(guardsOf(decision), [
          "no orders clientOrder shop,INV-8",
          ...(changes.nonce === undefined ? [] : ["no nonces key shop,n"])
        ])
    })
  )

  it.effect("at the same time is the order that won, and spends its own nonce", () =>
    Effect.gen(function* () {
      const { decision } = yield* sale({})
      const won = decision.writes.filter((write) => "entity" in write && /^(orders|requests)$/.test(write.entity.name))
      const { did, text } = yield* sale({}, { meanwhile: [won, []] }, { nonce: spent })
      assert.strictEqual(text, `accepted ${rowsOf(decision, "orders")[0]?.orderId}`)
      assert.deepStrictEqual(did.decisions.map(guardsOf), [
        ["no orders clientOrder shop,INV-8", "no nonces key shop,n"],
        ["no nonces key shop,n"]
      ])
    })
  )
})
