import { assert, it, layer } from "@effect/vitest"
import { Card } from "@pay/gateway/Entities"
import { Store } from "@pay/gateway/Store"
import { RailControl } from "@pay/sandbox/RailControl"
import * as TestRecipients from "@pay/sandbox/TestRecipients"
import type * as ErrorCode from "@pay/schema/ErrorCode"
import * as PayApi from "@pay/schema/PayApi"
import { Effect, Redacted } from "effect"
import * as Merchants from "../harness/Merchants.ts"
import * as Operating from "../harness/Operating.ts"
import * as TestGateway from "../harness/TestGateway.ts"
import * as TestMerchant from "../harness/TestMerchant.ts"
import * as TestPayouts from "../harness/TestPayouts.ts"

const opening = 1_000_000

layer(TestGateway.layer(), { excludeTestServices: true })("a payout in one step", (it) => {
  it.effect("is paid by the rail and leaves the balance", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* TestPayouts.balances(), [opening, 0, 0])
      const reply = yield* TestPayouts.send("PAYOUT", TestPayouts.plain)
      TestMerchant.assertAccepted(reply)
      assert.strictEqual(reply.body.type, "async-response")
      assert.strictEqual(reply.body["payout-id"], reply.body["paynet-order-id"])
      yield* TestMerchant.settled
      const order = TestMerchant.nameOf(reply)
      assert.deepInclude(yield* TestMerchant.status(order), {
        status: "approved",
        "transaction-type": "payout",
        "order-stage": "payout_approved",
        amount: "10.42",
        currency: "USD",
        destination: "DE****************3000",
        "payout-id": order.orderid
      })
      assert.deepStrictEqual(yield* TestPayouts.balances(), [opening - 1042, 0, 1042])
      yield* TestPayouts.assertClean
    })
  )

  it.effect("is signed with RSA in version 4 and reaches each kind of recipient", () =>
    Effect.gen(function* () {
      const recipients: ReadonlyArray<readonly [TestMerchant.Fields, string]> = [
        [{ credit_card_number: "4444333322221111" }, "444433******1111"],
        [{ account_number: "DE89370400440532013000" }, "DE****************3000"],
        [{ ewallet_id: "wallet-4711" }, "*******4711"],
        [{ phone: "+1 (202) 555-0199" }, "********0199"]
      ]
      const rail = yield* RailControl
      for (const [recipient, destination] of recipients) {
        const order = yield* TestPayouts.made("PAYOUT_V4", { amount: "1.00", currency: "USD", ...recipient })
        assert.deepInclude(yield* TestMerchant.status(order), { status: "approved", destination })
        assert.deepStrictEqual(yield* rail.books.totals(order.orderid), { paidMinor: 100, refusedLateMinor: 0 })
      }
      yield* TestPayouts.assertClean
    })
  )

  it.effect("is declined if the rail refuses it, and its money is available again", () =>
    Effect.gen(function* () {
      const before = yield* TestPayouts.balances()
      const order = yield* TestPayouts.made("PAYOUT", TestPayouts.toCard("pay-refused"))
      assert.deepInclude(yield* TestMerchant.status(order), {
        status: "declined",
        "order-stage": "payout_declined",
        "error-code": "104",
        "dest-bin": "444403"
      })
      assert.deepStrictEqual(yield* TestPayouts.balances(), before)
      yield* TestPayouts.assertClean
    })
  )

  it.effect("is declined above the balance, and filtered above the endpoint's limit", () =>
    Effect.gen(function* () {
      const before = yield* TestPayouts.balances()
      const order = yield* TestPayouts.made("PAYOUT", { ...TestPayouts.plain, amount: "10000.01" })
      assert.deepInclude(yield* TestMerchant.status(order), { status: "declined", "error-code": "96" })
      assert.deepStrictEqual(yield* TestPayouts.balances(), before)
      const { limited: endpointId } = TestGateway.endpoints
      const filtered = yield* TestPayouts.made("PAYOUT", { ...TestPayouts.plain, amount: "100.01" }, { endpointId })
      assert.deepInclude(yield* TestMerchant.status(filtered, { endpointId }), {
        status: "filtered",
        "error-code": "92"
      })
      yield* TestPayouts.assertClean
    })
  )

  const wrong: ReadonlyArray<readonly [string, TestMerchant.Fields, ErrorCode.Name, string]> = [
    ["a currency that the endpoint does not allow", { currency: "EUR" }, "currencyNotEnabled", "currency"],
    ["half a cent", { amount: "0.005" }, "amountNotExact", "amount"],
    ["an amount of 0", { amount: "0" }, "parameterInvalid", "amount"],
    ["no recipient", { account_number: "" }, "parameterRequired", "credit_card_number"],
    ["two recipients", { ewallet_id: "wallet-17" }, "parameterCombination", "ewallet_id"],
    ["an invalid IBAN", { account_number: "DE89370400440532013001" }, "parameterInvalid", "account_number"],
    [
      "an invalid card number",
      { account_number: "", credit_card_number: "4444333322221112" },
      "cardInvalid",
      "credit_card_number"
    ],
    ["a phone number without a country code", { account_number: "", phone: "0212555012" }, "parameterInvalid", "phone"],
    [
      "an expired card",
      { account_number: "", credit_card_number: "4444333322221111", expire_month: "1", expire_year: "2020" },
      "cardExpired",
      "expire_year"
    ],
    ["a reserved client_orderid", { client_orderid: "12:3" }, "parameterInvalid", "client_orderid"],
    [
      "a callback to a private address",
      { server_callback_url: "http://10.0.0.1/" },
      "parameterInvalid",
      "server_callback_url"
    ]
  ]
  for (const [name, fields, error, field] of wrong) {
    it.effect(`is refused with ${name}, and the balance stays as it was`, () =>
      Effect.gen(function* () {
        const before = yield* TestPayouts.balances()
        const client_orderid = fields.client_orderid ?? TestMerchant.freshId()
        for (const operation of ["PAYOUT", "PAYOUT_V4", "PAYOUT_V4_CHECK"] as const) {
          const reply = yield* TestPayouts.send(operation, { ...TestPayouts.plain, client_orderid, ...fields })
          TestMerchant.assertRefused(reply, error, field)
        }
        yield* TestMerchant.assertFree(client_orderid)
        assert.deepStrictEqual(yield* TestPayouts.balances(), before)
      })
    )
  }

  it.effect("is a replay when repeated, and is refused with different content", () =>
    Effect.gen(function* () {
      const client_orderid = TestMerchant.freshId()
      const once = { ...TestPayouts.plain, client_orderid }
      const replies = yield* Effect.forEach([1, 2, 3], () => TestPayouts.send("PAYOUT_V4", once), { concurrency: 3 })
      assert.strictEqual(new Set(replies.map(({ body }) => body["payout-id"])).size, 1)
      const other = yield* TestPayouts.send("PAYOUT_V4", { ...once, amount: "10.43" })
      TestMerchant.assertRefused(other, "contentDiffers", "client-order-id")
      yield* TestPayouts.assertClean
    })
  )

  for (const { name } of TestRecipients.recipients.filter(({ name }) => name !== "slow")) {
    it.effect(`keeps the books in balance for the test recipient ${name}`, () =>
      Effect.gen(function* () {
        const order = yield* TestPayouts.made("PAYOUT", TestPayouts.toCard(name))
        yield* TestMerchant.pass("8 days")
        assert.match(String((yield* TestMerchant.status(order)).status), /^(approved|declined|error|unknown)$/)
        yield* TestPayouts.assertClean
      })
    )
  }
})

layer(TestGateway.layer({ bank: { destinations: ["card"] } }), { excludeTestServices: true })(
  "a payout at a rail that pays to cards only",
  (it) => {
    it.effect("is refused for an account", () =>
      Effect.gen(function* () {
        TestMerchant.assertRefused(
          yield* TestPayouts.send("PAYOUT", TestPayouts.plain),
          "parameterInvalid",
          "account_number"
        )
        TestMerchant.assertAccepted(yield* TestPayouts.send("PAYOUT", TestPayouts.toCard("ordinary")))
      })
    )
  }
)

it.live("a payout to a card that is blocked by its hash is filtered, also if the request has a phone", () => {
  let config = Merchants.both()
  const merchantsSource = Effect.sync(() => config)
  const card = { credit_card_number: "4444555566661111", expire_month: "12", expire_year: "2030" }
  return Effect.gen(function* () {
    const sale = yield* TestGateway.post(PayApi.operations.SALE, { ...TestGateway.saleFields, ...card })
    const { orderid } = TestMerchant.nameOf(sale)
    const hash = (yield* (yield* Store).load(Card, [orderid]))?.panHash
    assert.isDefined(hash)
    config = Merchants.both({ [TestGateway.endpoints.usd]: { risk: { block: { cards: [hash] } } } })
    assert.strictEqual((yield* Operating.as("t")("POST", "/operator/merchants/reload")).status, 200)
    for (const more of [{}, { phone: "+12025550199" }]) {
      const order = yield* TestPayouts.made("PAYOUT", { amount: "10.42", currency: "USD", ...card, ...more })
      assert.deepInclude(
        yield* TestMerchant.status(order),
        { status: "filtered", "error-code": "94" },
        JSON.stringify(more)
      )
    }
  }).pipe(
    Effect.provide(
      TestGateway.layer({
        operators: [{ name: "alice", token: Redacted.make("t") }],
        merchants: config,
        merchantsSource
      }),
      { local: true }
    )
  )
})
