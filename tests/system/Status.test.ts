import { assert, layer } from "@effect/vitest"
import * as PayApi from "@pay/schema/PayApi"
import { Effect } from "effect"
import * as Merchants from "../harness/Merchants.ts"
import * as TestGateway from "../harness/TestGateway.ts"
import * as TestMerchant from "../harness/TestMerchant.ts"

const { endpoints, login } = TestGateway
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

  it.effect("has neither card number nor security code", () =>
    Effect.gen(function* () {
      const order = yield* TestMerchant.order("SALE", { cvv2: "1234" })
      const observed = JSON.stringify(yield* TestMerchant.status(order))
      assert.notInclude(observed, TestGateway.saleFields.credit_card_number ?? "")
      assert.notMatch(observed, /cvv/i)
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

  it.effect("by-request-sn needs no orderid, accepts capitals, and finds only the order's own requests", () =>
    Effect.gen(function* () {
      const reply = yield* TestMerchant.create("SALE")
      yield* TestMerchant.settled
      const { client_orderid } = TestMerchant.nameOf(reply)
      const sn = TestMerchant.text(reply, "serial-number")
      const ask = (fields: TestMerchant.Fields) => TestGateway.post(STATUS, { login, ...fields })
      TestMerchant.assertAccepted(yield* ask({ client_orderid, "by-request-sn": sn.toUpperCase() }))
      const another = yield* TestMerchant.create("SALE")
      for (const wrong of [TestMerchant.text(another, "serial-number"), "ffffffff-ffff-ffff-ffff-ffffffffffff"]) {
        TestMerchant.assertRefused(
          yield* ask({ client_orderid, "by-request-sn": wrong }),
          "orderNotFound",
          "by-request-sn"
        )
      }
      TestMerchant.assertRefused(
        yield* ask({ client_orderid, "by-request-sn": "1" }),
        "parameterInvalid",
        "by-request-sn"
      )
    })
  )

  for (const [cvv2, status, code, message] of [
    ["101", "declined", "101", "Expired card"],
    ["116", "declined", "116", "Not sufficient funds"],
    ["119", "declined", "119", "Transaction not permitted to cardholder"],
    ["209", "declined", "209", "Stolen card, pick up"],
    ["555", "declined", "100", "Do not honour"]
  ] as const) {
    it.effect(`of a payment with ${cvv2} is ${status}, ${code} ${message}`, () =>
      Effect.gen(function* () {
        const order = yield* TestMerchant.order("PREAUTH", { cvv2 })
        assert.deepInclude(yield* TestMerchant.status(order), {
          status,
          "error-code": code,
          "error-message": message,
          "order-stage": `preauth_${status}`,
          "authorized-amount": "0.00",
          "captured-amount": "0.00",
          "remaining-amount": "0.00"
        })
        yield* TestMerchant.assertClean
      })
    )
  }

  it.effect("of a payment that the bank cannot decide is unknown, with no amount", () =>
    Effect.gen(function* () {
      const order = yield* TestMerchant.order("SALE", { cvv2: "217" })
      assert.strictEqual(yield* TestMerchant.orderStatus(order), "unknown sale 0.00 0.00 0.00 0.00")
      yield* TestMerchant.assertClean
    })
  )

  it.effect("needs a login and one name at least", () =>
    Effect.gen(function* () {
      const nameless = yield* TestGateway.post(STATUS, { login })
      TestMerchant.assertRefused(nameless, "parameterRequired", "client_orderid")
      assert.strictEqual(nameless.body["error-message"], "Parameter client_orderid is required, or orderid")
    })
  )

  it.effect("by orderid alone, signed with an empty client_orderid, finds only the merchant's own order", () =>
    Effect.gen(function* () {
      const order = yield* TestMerchant.order("SALE")
      const alone = { login, orderid: order.orderid }
      const reply = yield* TestGateway.post(STATUS, alone)
      assert.deepInclude(reply.body, { status: "approved", "merchant-order-id": order.client_orderid })
      const empty = yield* TestGateway.post(STATUS, { ...alone, client_orderid: "" })
      assert.strictEqual(empty.status, 200)
      const signedWith = TestGateway.controlled(STATUS, { ...alone, client_orderid: order.client_orderid })
      const misfit = yield* TestGateway.post(STATUS, alone, {
        change: (fields) => ({ ...fields, control: signedWith.control ?? "" })
      })
      TestMerchant.assertRefused(misfit, "authenticationFailed")
      const foreign = yield* TestGateway.post(
        STATUS,
        { login: Merchants.other.login, orderid: order.orderid },
        { endpointId: Merchants.other.endpointId, key: Merchants.other.controlKey }
      )
      TestMerchant.assertRefused(foreign, "orderNotFound")
      TestMerchant.assertRefused(yield* TestGateway.post(STATUS, { login, orderid: "1" }), "orderNotFound")
    })
  )

  it.effect("is the only operation that accepts orderid alone", () =>
    Effect.gen(function* () {
      const { orderid } = yield* TestMerchant.order("PREAUTH")
      for (const name of ["CAPTURE", "RETURN", "VOID"] as const) {
        const reply = yield* TestGateway.post(PayApi.operations[name], { login, orderid })
        TestMerchant.assertRefused(reply, "parameterRequired", "client_orderid")
      }
    })
  )
})
