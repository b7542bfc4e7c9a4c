import { assert, layer } from "@effect/vitest"
import * as PayApi from "@pay/schema/PayApi"
import { Effect } from "effect"
import * as Merchants from "../harness/Merchants.ts"
import * as TestGateway from "../harness/TestGateway.ts"
import * as TestMerchant from "../harness/TestMerchant.ts"

const { endpoints } = TestGateway
const { STATUS } = PayApi.operations
const usd = (amount: string): TestMerchant.Fields => ({ amount, currency: "USD" })
const shape = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

layer(TestGateway.layer({ merchants: Merchants.both() }), { excludeTestServices: true })("status", (it) => {
  it.effect("has every promised field of a sale, as text", () =>
    Effect.gen(function* () {
      const payment = {
        client_orderid: "every-field",
        card_printed_name: "ANNA MÜLLER",
        email: "anna@shop.example",
        phone: "+4930123456",
        merchant_data: "cart=17\nline 2",
        expire_month: "03",
        expire_year: "31",
        credit_card_number: "4444555566661111"
      }
      const order = yield* TestMerchant.order("SALE", payment)
      const body = yield* TestMerchant.status(order)
      const {
        "approval-code": approval,
        "paynet-processing-date": date,
        "processor-tx-id": processor,
        "serial-number": serial,
        ...rest
      } = body
      assert.deepStrictEqual(rest, {
        type: "status-response",
        "merchant-order-id": "every-field",
        "paynet-order-id": order.orderid,
        "end-point-id": endpoints.usd,
        status: "approved",
        "transaction-type": "sale",
        "order-stage": "sale_approved",
        amount: "10.42",
        currency: "USD",
        "authorized-amount": "10.42",
        "captured-amount": "10.42",
        "returned-amount": "0.00",
        "remaining-amount": "0.00",
        "gate-partial-capture": "disabled",
        "gate-partial-reversal": "enabled",
        "cardholder-name": "ANNA MÜLLER",
        name: "ANNA MÜLLER",
        email: "anna@shop.example",
        phone: "+4930123456",
        merchantdata: "cart=17\nline 2",
        bin: "444455",
        "last-four-digits": "1111",
        "card-type": "VISA",
        "card-exp-month": "3",
        "card-exp-year": "2031",
        descriptor: "SANDBOX USD"
      })
      assert.match(String(approval), /^\w+$/)
      assert.match(String(processor), /^.+$/)
      assert.match(String(date), /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC$/)
      assert.match(String(serial), shape)
    })
  )

  it.effect("answers alike for both names and for client_orderid alone, each time with a new serial-number", () =>
    Effect.gen(function* () {
      const order = yield* TestMerchant.order("PREAUTH")
      yield* TestMerchant.done("CAPTURE", order, usd("4.00"))
      const both = yield* TestMerchant.status(order)
      const byClient = yield* TestMerchant.status({ client_orderid: order.client_orderid })
      assert.deepStrictEqual({ ...byClient, "serial-number": "" }, { ...both, "serial-number": "" })
      assert.notStrictEqual(byClient["serial-number"], both["serial-number"])
      assert.deepInclude(both, { "transaction-type": "capture", "gate-partial-capture": "enabled" })
    })
  )

  it.effect("by-request-sn shows the outcome of one request, whatever happened to the order since", () =>
    Effect.gen(function* () {
      const created = yield* TestMerchant.create("PREAUTH")
      const order = TestMerchant.nameOf(created)
      yield* TestMerchant.settled
      const captured = yield* TestMerchant.done("CAPTURE", order, usd("4.00"))
      const returned = yield* TestMerchant.done("RETURN", order, usd("1.00"))
      const voided = yield* TestMerchant.done("VOID", order)
      for (const [reply, type, amount] of [
        [created, "preauth", "10.42"],
        [captured, "capture", "4.00"],
        [returned, "reversal", "1.00"],
        [voided, "cancel", "6.42"]
      ] as const) {
        const expected = { status: "approved", "transaction-type": type, "order-stage": `${type}_approved`, amount }
        const body = yield* TestMerchant.outcomeOf(reply)
        assert.deepInclude(body, expected)
        assert.strictEqual(body["by-request-sn"], TestMerchant.text(reply, "serial-number"))
        assert.deepInclude(body, {
          "captured-amount": "4.00",
          "returned-amount": "1.00",
          "total-reversal-amount": "1.00"
        })
      }
    })
  )

  it.effect("by-request-sn finds no request of another order", () =>
    Effect.gen(function* () {
      const { client_orderid } = yield* TestMerchant.order("SALE")
      const another = TestMerchant.text(yield* TestMerchant.create("SALE"), "serial-number")
      const reply = yield* TestGateway.post(STATUS, {
        login: TestGateway.login,
        client_orderid,
        "by-request-sn": another
      })
      TestMerchant.assertRefused(reply, "orderNotFound", "by-request-sn")
    })
  )
})
