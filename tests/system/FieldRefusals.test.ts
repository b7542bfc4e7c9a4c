import { assert, layer } from "@effect/vitest"
import { AddressPolicy } from "@pay/gateway/Gateway"
import type * as ErrorCode from "@pay/schema/ErrorCode"
import { Effect } from "effect"
import * as TestGateway from "../harness/TestGateway.ts"
import * as TestMerchant from "../harness/TestMerchant.ts"

type Row = readonly [field: string, value: string, error: ErrorCode.Name]

const ofPayment: ReadonlyArray<Row> = [
  ["amount", "", "parameterRequired"],
  ["amount", "  ", "parameterRequired"],
  ["amount", "0", "parameterInvalid"],
  ["amount", "0.00", "parameterInvalid"],
  ["amount", "-1", "parameterInvalid"],
  ["amount", "+1", "parameterInvalid"],
  ["amount", "1e3", "parameterInvalid"],
  ["amount", "0x10", "parameterInvalid"],
  ["amount", "1,50", "parameterInvalid"],
  ["amount", "1 000", "parameterInvalid"],
  ["amount", "1.2.3", "parameterInvalid"],
  ["amount", ".", "parameterInvalid"],
  ["amount", "NaN", "parameterInvalid"],
  ["amount", "Infinity", "parameterInvalid"],
  ["amount", "٣", "parameterInvalid"],
  ["amount", "１０", "parameterInvalid"],
  ["amount", "1\u00002", "parameterInvalid"],
  ["amount", "10\r\n.42", "parameterInvalid"],
  ["amount", "12345678901", "parameterTooLong"],
  ["amount", "1.000000000", "parameterTooLong"],
  ["amount", "10.005", "amountNotExact"],

  ["currency", "", "parameterRequired"],
  ["currency", "usd", "parameterInvalid"],
  ["currency", "840", "parameterInvalid"],
  ["currency", "ZZZ", "parameterInvalid"],
  ["currency", "EUR", "currencyNotEnabled"],

  ["credit_card_number", "", "parameterRequired"],
  ["credit_card_number", "4444333322221112", "cardInvalid"],
  ["credit_card_number", "44443333222", "cardInvalid"],
  ["credit_card_number", "44443333222211114444", "parameterTooLong"],
  ["credit_card_number", "4444-3333-2222-1111", "parameterInvalid"],
  ["credit_card_number", "4444 3333 2222 1111", "parameterInvalid"],
  ["credit_card_number", "４４４４333322221111", "parameterInvalid"],
  ["expire_month", "0", "parameterInvalid"],
  ["expire_month", "13", "parameterInvalid"],
  ["expire_year", "1", "parameterInvalid"],
  ["expire_year", "1999", "parameterInvalid"],
  ["expire_year", "2020", "cardExpired"],
  ["expire_year", "20", "cardExpired"],
  ["cvv2", "", "parameterRequired"],
  ["cvv2", "12", "parameterInvalid"],
  ["cvv2", "12345", "parameterTooLong"],
  ["cvv2", "12a", "parameterInvalid"],

  ["order_desc", "a\u0000b", "parameterInvalid"],
  ["card_printed_name", "JOHN\r\nSET-COOKIE: x", "parameterInvalid"],
  ["card_printed_name", "JOHN\nSMITH", "parameterInvalid"],
  ["card_printed_name", "JOHN\u0085SMITH", "parameterInvalid"],
  ["card_printed_name", "J".repeat(129), "parameterTooLong"],
  ["email", "nobody", "parameterInvalid"],
  ["email", "a@b\r\nbcc:c@d", "parameterInvalid"],
  ["email", `${"a".repeat(128)}@b`, "parameterTooLong"],
  ["ipaddress", "999.0.0.1", "parameterInvalid"],
  ["ipaddress", "203.0.113.7\u0000", "parameterInvalid"],
  ["phone", "call me", "parameterInvalid"],
  ["country", "us", "parameterInvalid"],
  ["zip_code", "9".repeat(11), "parameterTooLong"],
  ["state", "", "parameterRequired"],
  ["merchant_data", "\u001b[2J", "parameterInvalid"]
]

const overflows = (field: string): Row => [field, `https://shop.example/${"x".repeat(1024)}`, "parameterTooLong"]

/** Wrong values for every address that a merchant gives: one for each kind of problem. */
const badUrls = ["shop.example/callback", "ftp://shop.example/", "https://user@shop.example/"]

/** Wrong values for addresses that the gateway itself calls: a private address, and a port that it does not call. */
const unreachableUrls = ["http://10.0.0.1/", "http://[::ffff:a00:1]/", "http://203.0.113.7:22/"]

const urls = (fields: ReadonlyArray<string>, values: ReadonlyArray<string>): ReadonlyArray<Row> =>
  fields.flatMap((field) => values.map((value): Row => [field, value, "parameterInvalid"]))

const ofAddresses: ReadonlyArray<Row> = [
  ...urls(["server_callback_url", "notify_url", "redirect_url", "redirect_success_url", "redirect_fail_url"], badUrls),
  ...urls(["server_callback_url", "notify_url"], unreachableUrls),
  overflows("server_callback_url")
]

const ofName: ReadonlyArray<Row> = [
  ["client_orderid", "", "parameterRequired"],
  ["client_orderid", "x".repeat(129), "parameterTooLong"],
  ["client_orderid", "a\u0000b", "parameterInvalid"],
  ["client_orderid", "a\r\nb", "parameterInvalid"],
  ["client_orderid", "17:4", "parameterInvalid"]
]

layer(TestGateway.layer(), { excludeTestServices: true })("a payment with a wrong field", (it) => {
  for (const [field, value, error] of [...ofPayment, ...ofAddresses]) {
    it.effect(
      `${field} = ${JSON.stringify(value).slice(0, 60)} is refused with ${error}, and no order is created`,
      () =>
        Effect.gen(function* () {
          const client_orderid = TestMerchant.freshId()
          const reply = yield* TestMerchant.create("SALE", { client_orderid, [field]: value })
          TestMerchant.assertRefused(reply, error, field)
          assert.strictEqual(reply.body["merchant-order-id"], client_orderid)
          yield* TestMerchant.assertFree(client_orderid)
        })
    )
  }

  for (const [field, value, error] of ofName) {
    it.effect(
      `${field} = ${JSON.stringify(value).slice(0, 60)} is refused with ${error}, and no order is created`,
      () =>
        Effect.gen(function* () {
          TestMerchant.assertRefused(yield* TestMerchant.create("SALE", { [field]: value }), error, field)
          yield* TestMerchant.assertFree(value)
        })
    )
  }

  it.effect("lists all problems, with the first one as the message", () =>
    Effect.gen(function* () {
      const reply = yield* TestMerchant.create("SALE", { amount: "1e3", cvv2: "12", email: "", country: "us" })
      const errors = reply.body.errors
      assert(Array.isArray(errors))
      assert.sameMembers(
        errors.map(({ field }) => field),
        ["amount", "cvv2", "email", "country"]
      )
      assert.strictEqual(reply.body["error-message"], errors[0].message)
    })
  )

  it.effect("is refused if two spellings of one field have different values", () =>
    Effect.gen(function* () {
      const client_orderid = TestMerchant.freshId()
      const twice = yield* TestMerchant.create(
        "SALE",
        { client_orderid },
        {
          change: (fields) => ({ ...fields, "client-order-id": "another" })
        }
      )
      TestMerchant.assertRefused(twice, "parameterConflict", "client_orderid")
      yield* TestMerchant.assertFree(client_orderid)
      yield* TestMerchant.assertFree("another")
    })
  )

  it.effect("is accepted with a callback to the sandbox's own machine and a redirect to any host", () =>
    Effect.gen(function* () {
      for (const fields of [
        { server_callback_url: "http://127.0.0.1:9/callback" },
        { notify_url: "http://localhost:9/" },
        { redirect_url: "http://10.0.0.1:22/back" }
      ]) {
        TestMerchant.assertAccepted(yield* TestMerchant.create("SALE", fields))
      }
    })
  )
})

const production = { settings: { production: true, addressPolicy: AddressPolicy.publicOnly } }

layer(TestGateway.layer(production), { excludeTestServices: true })("a payment in production", (it) => {
  for (const [field, value] of [
    ["server_callback_url", "http://shop.example/"],
    ["redirect_url", "http://shop.example/"],
    ["server_callback_url", "https://127.0.0.1/"],
    ["notify_url", "https://shop.localhost./"]
  ] as const) {
    it.effect(`is refused with ${field} = ${value}`, () =>
      Effect.gen(function* () {
        TestMerchant.assertRefused(yield* TestMerchant.create("SALE", { [field]: value }), "parameterInvalid", field)
      })
    )
  }
})

layer(TestGateway.layer(), { excludeTestServices: true })("a follow-up with a wrong field", (it) => {
  const rows: ReadonlyArray<
    readonly [name: TestMerchant.FollowUp, fields: TestMerchant.Fields, error: ErrorCode.Name, field: string]
  > = [
    ["CAPTURE", { amount: "1.00" }, "parameterRequired", "currency"],
    ["CAPTURE", { currency: "USD" }, "parameterRequired", "amount"],
    ["RETURN", { amount: "1.00" }, "parameterRequired", "currency"],
    ["CAPTURE", { amount: "0", currency: "USD" }, "parameterInvalid", "amount"],
    ["CAPTURE", { amount: "1.001", currency: "USD" }, "amountNotExact", "amount"],
    ["RETURN", { amount: "-1", currency: "USD" }, "parameterInvalid", "amount"],
    ["VOID", { amount: "1.00" }, "amountNotAllowed", "amount"],
    ["VOID", { amount: "1.00", currency: "USD" }, "amountNotAllowed", "amount"],
    ["CAPTURE", { orderid: "" }, "parameterRequired", "orderid"],
    ["CAPTURE", { orderid: "12x" }, "parameterInvalid", "orderid"],
    ["VOID", { comment: "x".repeat(51) }, "parameterTooLong", "comment"],
    ["VOID", { comment: "a\u0000" }, "parameterInvalid", "comment"],
    ["RETURN", { server_callback_url: "http://10.0.0.1/" }, "parameterInvalid", "server_callback_url"]
  ]
  for (const [name, fields, error, field] of rows) {
    it.effect(`${name} ${JSON.stringify(fields)} is refused with ${error} of ${field}, and changes nothing`, () =>
      Effect.gen(function* () {
        const order = yield* TestMerchant.order("PREAUTH")
        TestMerchant.assertRefused(yield* TestMerchant.act(name, order, fields), error, field)
        assert.strictEqual(yield* TestMerchant.orderStatus(order), "approved preauth 10.42 0.00 0.00 10.42")
      })
    )
  }
})
